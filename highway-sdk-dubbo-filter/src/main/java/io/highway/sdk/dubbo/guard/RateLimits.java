// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.guard;

import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter;
import io.highway.sdk.Caller;
import io.highway.sdk.dubbo.policy.GuardRule;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The rates of {@code allow} rules in this process: per rule, each caller may make a number of calls in each second. At
 * most 10,000 callers of a rule have a limit each; the rest share one. A caller that made no call for two seconds gives
 * its place up: its limit would be as new. Thread-safe, without locks on the path of a call.
 */
final class RateLimits {

    /** The callers of one rule that have a limit each. */
    static final int MAX_CALLERS = 10_000;

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Map<Rate, Limits> limits = new ConcurrentHashMap<>();
    private final LongSupplier clock;

    /** A rule keeps its limits as long as it keeps its name and rate, whatever else of it a new policy changes. */
    private record Rate(String rule, int perSecond) {}

    /** Callers that are verified in different ways share a limit. */
    private record Name(String island, String application) {

        /** All callers without a name; no island has this one. */
        static final Name UNKNOWN = new Name("", "");

        static Name of(@Nullable Caller caller) {
            return caller == null ? UNKNOWN : new Name(caller.island(), caller.application());
        }
    }

    RateLimits() {
        this(System::nanoTime);
    }

    /** With a monotonic clock in nanoseconds, by which callers become idle. */
    RateLimits(LongSupplier clock) {
        this.clock = clock;
    }

    /**
     * Counts a call.
     *
     * @param rule a rule with a rate
     * @param caller the caller, or null if it is unknown
     * @return 0 if the call is within the rate, else the nanoseconds after which calls are
     */
    long nanosToWait(GuardRule rule, @Nullable Caller caller) {
        return limits.computeIfAbsent(new Rate(rule.name(), rule.rate()), rate -> new Limits(rate, clock))
                .nanosToWait(Name.of(caller));
    }

    /** Forgets the limits of rules that are no longer there. */
    void retain(List<GuardRule> rules) {
        limits.keySet().removeIf(rate -> rules.stream()
                .noneMatch(rule -> rule.name().equals(rate.rule) && rule.rate() == rate.perSecond));
    }

    /** The limits of one rule. */
    private static final class Limits {

        private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(2);
        private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(1);

        private final Map<Name, Limit> callers = new ConcurrentHashMap<>();
        private final AtomicInteger size = new AtomicInteger();
        private final AtomicLong nextSweep;
        private final RateLimiterConfig config;
        private final LongSupplier clock;
        private final Limit shared;

        Limits(Rate rate, LongSupplier clock) {
            this.config = RateLimiterConfig.custom()
                    .limitForPeriod(rate.perSecond)
                    .limitRefreshPeriod(SECOND)
                    .timeoutDuration(Duration.ZERO)
                    .build();
            this.clock = clock;
            this.nextSweep = new AtomicLong(clock.getAsLong());
            this.shared = new Limit(config, 0);
        }

        long nanosToWait(Name caller) {
            long now = clock.getAsLong();
            Limit known = callers.get(caller);
            return (known != null ? known : limitOf(caller, now)).nanosToWait(now);
        }

        private Limit limitOf(Name caller, long now) {
            if (size.get() >= MAX_CALLERS) {
                sweep(now);
            }
            if (size.incrementAndGet() > MAX_CALLERS) {
                size.decrementAndGet();
                return shared;
            }
            Limit created = new Limit(config, now);
            Limit other = callers.putIfAbsent(caller, created);
            if (other == null) {
                return created;
            }
            size.decrementAndGet();
            return other;
        }

        /** At most once a second, so that a flood of names costs little. */
        private void sweep(long now) {
            long next = nextSweep.get();
            if (now - next < 0 || !nextSweep.compareAndSet(next, now + SWEEP_NANOS)) {
                return;
            }
            callers.forEach((name, limit) -> {
                if (now - limit.used > IDLE_NANOS && callers.remove(name, limit)) {
                    size.decrementAndGet();
                }
            });
        }
    }

    /** The limit of one caller. */
    private static final class Limit {

        private final AtomicRateLimiter limiter;
        private volatile long used;

        Limit(RateLimiterConfig config, long now) {
            this.limiter = new AtomicRateLimiter("highway", config);
            this.used = now;
        }

        long nanosToWait(long now) {
            used = now;
            return limiter.reservePermission() >= 0
                    ? 0
                    : Math.max(1, limiter.getDetailedMetrics().getNanosToWait());
        }
    }
}

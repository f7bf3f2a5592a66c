// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter;
import io.highway.sdk.Caller;
import io.highway.sdk.dubbo.internal.policy.GuardRule;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The rates of {@code allow} rules in this process: per rule, each caller may make a number of calls in each second. A
 * caller is an application, or the island if a key signs that does not prove the application, since its owner can write any
 * name. At most 1,000 callers of an island, and 10,000 of a rule, have a limit each; the rest of an island shares one. A
 * limit that was not used for two seconds is removed: a new one would have the same state. Thread-safe, without locks on the
 * path of a known caller.
 */
final class CallerRateLimiter {

    /** The callers of one island and rule that have a limit each. */
    static final int MAX_CALLERS_OF_ISLAND = 1_000;

    /** The callers of one rule that have a limit each. */
    private static final int MAX_CALLERS = 10_000;

    /** The islands that have a limit for all callers without a separate one, and the callers that share it. */
    private static final int MAX_ISLANDS = 1_000;

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
            if (caller == null) {
                return UNKNOWN;
            }
            String keyId = caller.keyId();
            if (keyId == null || caller.isApplicationVerified()) {
                return new Name(caller.island(), caller.application());
            }
            return caller.isIslandVerified()
                    ? ofIsland(caller.island())
                    : new Name("", keyId); // proves no island either
        }

        static Name ofIsland(String island) {
            return new Name(island, "");
        }
    }

    /** With a monotonic clock in nanoseconds, by which callers become idle. */
    CallerRateLimiter(LongSupplier clock) {
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
        private final RateLimiterConfig config;
        private final LongSupplier clock;
        private final Limit shared;

        // guarded by this
        private final Map<String, Integer> places = new HashMap<>();
        private long nextSweep;

        Limits(Rate rate, LongSupplier clock) {
            this.config = RateLimiterConfig.custom()
                    .limitForPeriod(rate.perSecond)
                    .limitRefreshPeriod(SECOND)
                    .timeoutDuration(Duration.ZERO)
                    .build();
            this.clock = clock;
            this.nextSweep = clock.getAsLong();
            this.shared = new Limit(config, 0);
        }

        long nanosToWait(Name caller) {
            long now = clock.getAsLong();
            Limit limit = limitOf(caller, MAX_CALLERS_OF_ISLAND, MAX_CALLERS, now);
            if (limit == null) {
                limit = limitOf(Name.ofIsland(caller.island), Integer.MAX_VALUE, MAX_CALLERS + MAX_ISLANDS, now);
            }
            return (limit == null ? shared : limit).nanosToWait(now);
        }

        /** The limit of a caller, or null if it has none and there is no place for it. */
        private @Nullable Limit limitOf(Name caller, int mostOfIsland, int most, long now) {
            Limit known = callers.get(caller);
            return known != null ? known : create(caller, mostOfIsland, most, now);
        }

        private synchronized @Nullable Limit create(Name caller, int mostOfIsland, int most, long now) {
            if (!hasPlace(caller.island, mostOfIsland, most)) {
                sweep(now);
            }
            if (callers.containsKey(caller) || !hasPlace(caller.island, mostOfIsland, most)) {
                return callers.get(caller);
            }
            Limit created = new Limit(config, now);
            callers.put(caller, created);
            places.merge(caller.island, 1, Integer::sum);
            return created;
        }

        private boolean hasPlace(String island, int mostOfIsland, int most) {
            return callers.size() < most && places.getOrDefault(island, 0) < mostOfIsland;
        }

        /** At most once a second, so that a flood of names costs little. */
        private void sweep(long now) {
            if (now - nextSweep < 0) {
                return;
            }
            nextSweep = now + SWEEP_NANOS;
            callers.forEach((name, limit) -> {
                if (now - limit.used > IDLE_NANOS) {
                    callers.remove(name);
                    places.computeIfPresent(name.island, (island, taken) -> taken == 1 ? null : taken - 1);
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

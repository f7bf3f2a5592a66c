// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.endpoint;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.highway.sdk.dubbo.internal.config.IslandPolicy.Breaking;
import io.highway.sdk.dubbo.internal.endpoint.HealthState.Event;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The circuit breaker of one endpoint: closed, open once too many of the last calls failed or were slow, half-open
 * after five seconds or as soon as a health check is answered. Half-open it admits five calls, whose results decide. It
 * is the third column of {@link HealthState}; resilience4j counts the calls.
 *
 * <p>Two things differ from resilience4j's own. Time is that of the application's clock, so it does not depend on the wall
 * clock. And a call counts for the half-open period in which it was admitted: one that was admitted earlier neither
 * decides that period nor returns a permit it never took.
 *
 * <p>Thread-safe.
 */
final class EndpointBreaker {

    /** The size of the sliding window, and the minimum number of calls before the breaker can open. */
    static final int WINDOW = 100;

    static final int LEAST_CALLS = 20;
    static final int TRIAL_CALLS = 5;
    static final long OPEN_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Never half-open by resilience4j's clock, which is the wall clock. */
    private static final Duration NEVER = Duration.ofDays(36500);

    private final CircuitBreaker calls;
    private final boolean counts;
    private final long slowNanos;
    private final LongSupplier clock;

    /** The state that was recorded last. */
    private volatile HealthState seen = HealthState.CLOSED;

    private volatile long openedNanos;

    private volatile String lastFailure = "";
    private volatile String lastSlow = "";

    /** The number of the half-open period, which is the current one while half-open. */
    private volatile int period;

    /** With a monotonic clock in nanoseconds. */
    EndpointBreaker(String name, Breaking breaking, LongSupplier clock) {
        this.clock = clock;
        this.counts = breaking.failureRate() != 0;
        this.slowNanos = TimeUnit.MILLISECONDS.toNanos(breaking.slowCallMillis());
        int rate = counts ? breaking.failureRate() : 100;
        this.calls = CircuitBreaker.of(
                name,
                CircuitBreakerConfig.custom()
                        .slidingWindowType(SlidingWindowType.COUNT_BASED)
                        .slidingWindowSize(WINDOW)
                        .minimumNumberOfCalls(LEAST_CALLS)
                        .failureRateThreshold(rate)
                        .slowCallRateThreshold(rate)
                        .slowCallDurationThreshold(Duration.ofMillis(
                                breaking.slowCallMillis() == 0 ? Integer.MAX_VALUE : breaking.slowCallMillis()))
                        .permittedNumberOfCallsInHalfOpenState(TRIAL_CALLS)
                        .waitDurationInOpenState(NEVER)
                        .build());
    }

    boolean isClosed() {
        return state() == HealthState.CLOSED;
    }

    boolean isOpen() {
        return state() == HealthState.OPEN;
    }

    boolean isHalfOpen() {
        return state() == HealthState.HALF_OPEN;
    }

    HealthState state() {
        return switch (calls.getState()) {
            case CLOSED -> HealthState.CLOSED;
            case OPEN -> HealthState.OPEN;
            default -> HealthState.HALF_OPEN; // the others have to be set from outside
        };
    }

    /** Admits one call, if it may; the call reports its end with the {@link #period} in which it was admitted. */
    boolean tryEnter() {
        if (mayHalfOpen()) {
            halfOpen(Event.OPEN_EXPIRED);
        }
        return calls.tryAcquirePermission();
    }

    /** Whether {@link #tryEnter} may admit a call now; while half-open, it admits a few. Changes nothing. */
    boolean admits() {
        return !isOpen() || mayHalfOpen();
    }

    private boolean mayHalfOpen() {
        return seen == HealthState.OPEN && clock.getAsLong() - openedNanos >= OPEN_NANOS;
    }

    /** The half-open period of a call that was admitted just now; 0 if the breaker is not half-open. */
    int period() {
        return isHalfOpen() ? period : 0;
    }

    /** A call was answered. */
    void succeeded(int admitted, long nanos) {
        if (slowNanos != 0 && nanos >= slowNanos) {
            lastSlow = "; the last slow one took " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms";
        }
        if (counts && isCurrent(admitted)) {
            calls.onSuccess(nanos, TimeUnit.NANOSECONDS);
            look();
        }
    }

    /** A call failed in a way that counts; {@code what} describes it in words. */
    void failed(int admitted, long nanos, String what, Throwable failure) {
        lastFailure = "; the last that failed: " + what;
        if (counts && isCurrent(admitted)) {
            calls.onError(nanos, TimeUnit.NANOSECONDS, failure);
            look();
        }
    }

    /** Ends a call that counts neither as a success nor as a failure. */
    void released(int admitted) {
        if (admitted != 0 && isHalfOpen() && isCurrent(admitted)) {
            calls.releasePermission();
        }
    }

    /** A health check was answered. */
    void probed(long nanos) {
        if (isOpen()) {
            halfOpen(Event.CHECK_ANSWERED);
        } else if (isHalfOpen() && calls.tryAcquirePermission()) {
            calls.onSuccess(nanos, TimeUnit.NANOSECONDS);
            look();
        }
    }

    private boolean isCurrent(int admitted) {
        return admitted == period || !isHalfOpen();
    }

    /**
     * Records a change of state. The breaker's own events are not used: with a listener it creates one for every call.
     */
    private void look() {
        if (state() != seen) {
            noteChange();
        }
    }

    private synchronized void noteChange() {
        if (state() != seen) {
            openedNanos = clock.getAsLong();
            seen = seen.on(isOpen() ? Event.LIMIT_REACHED : Event.TRIAL_PASSED);
        }
    }

    private synchronized void halfOpen(Event event) {
        if (isOpen()) {
            period++;
            calls.transitionToHalfOpenState();
            seen = HealthState.OPEN.on(event);
        }
    }

    /** Why it is open, in words. */
    String why() {
        CircuitBreaker.Metrics metrics = calls.getMetrics();
        return metrics.getNumberOfFailedCalls() + " of the last " + metrics.getNumberOfBufferedCalls()
                + " calls failed and " + metrics.getNumberOfSlowCalls() + " were slow" + lastFailure + lastSlow;
    }
}

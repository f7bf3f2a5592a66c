// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.endpoint;

import io.highway.sdk.dubbo.TunnelKind;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Selects the tunnel that calls use where the policy allows several. A single call skips endpoints that are down or suspect
 * by itself; this selection applies to all calls and is slow on purpose:
 *
 * <ol>
 *   <li>the preferred tunnel, which the policy names first
 *   <li>the next of which an endpoint is healthy, once no endpoint of the one in use has been for half a second
 *   <li>an earlier one again, once an endpoint of it has been proven for two seconds without interruption; the time
 *       doubles after each return that did not last a minute, up to a minute; while it is being proven, none that the
 *       policy names after it is returned to
 *   <li>an earlier one again also once no endpoint of the one in use has been healthy for half a second and one of it is
 * </ol>
 *
 * Updated by one thread, read by all.
 */
final class TunnelSelector {

    private static final long LEAVE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long RETURN_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long LONGEST_RETURN_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long LASTS_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** A longer gap between updates means that this process was paused, which is not an outage of a tunnel. */
    private static final long LONGEST_UPDATE_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

    private final List<TunnelKind> tunnels;
    private volatile TunnelKind first;
    private long updatedNanos;
    /** The time counted by this selector; 0 before the first update. */
    private long lived;

    private long unhealthySince;
    private final Map<TunnelKind, Long> provenSince = new EnumMap<>(TunnelKind.class);
    private long returned;
    private long proofNanos = RETURN_NANOS;

    /** With at least one tunnel, in the order of preference. */
    TunnelSelector(List<TunnelKind> tunnels) {
        this.tunnels = tunnels;
        this.first = tunnels.get(0);
    }

    TunnelKind first() {
        return first;
    }

    /**
     * Updates the selection; returns whether the preferred tunnel has changed.
     *
     * @param healthy whether an endpoint of the tunnel is healthy
     * @param proven whether an endpoint of it has answered since its last problem
     */
    boolean update(Predicate<TunnelKind> healthy, Predicate<TunnelKind> proven, long nanoTime) {
        long now = lived(nanoTime);
        unhealthySince = since(healthy, first, false, unhealthySince, now);
        tunnels.forEach(kind ->
                provenSince.compute(kind, (any, known) -> since(proven, kind, true, known == null ? 0 : known, now)));
        TunnelKind next = next(healthy, now);
        if (next == first) {
            return false;
        }
        if (tunnels.indexOf(next) < tunnels.indexOf(first)) {
            returned = now;
        } else {
            boolean lasted = returned == 0 || now - returned > LASTS_NANOS;
            proofNanos = lasted ? RETURN_NANOS : Math.min(2 * proofNanos, LONGEST_RETURN_NANOS);
        }
        first = next;
        unhealthySince = 0;
        provenSince.clear();
        return true;
    }

    private TunnelKind next(Predicate<TunnelKind> healthy, long now) {
        boolean leaves = lasts(unhealthySince, LEAVE_NANOS, now);
        for (TunnelKind kind : tunnels) {
            if (kind == first && !leaves) {
                return first;
            }
            long proven = provenSince.getOrDefault(kind, 0L);
            if (kind != first && (lasts(proven, proofNanos, now) || (leaves && healthy.test(kind)))) {
                return kind;
            }
            if (proven != 0 && !leaves) { // then calls return once, not by way of a later tunnel that came back sooner
                return first;
            }
        }
        return first;
    }

    private long lived(long nanoTime) {
        lived += lived == 0 ? 1 : Math.min(nanoTime - updatedNanos, LONGEST_UPDATE_NANOS);
        updatedNanos = nanoTime;
        return lived;
    }

    /** Time since which {@code asked} has given the wanted answer; 0 if it does not. */
    private static long since(Predicate<TunnelKind> asked, TunnelKind kind, boolean wanted, long since, long now) {
        if (asked.test(kind) != wanted) {
            return 0;
        }
        return since == 0 ? now : since;
    }

    private static boolean lasts(long since, long nanos, long now) {
        return since != 0 && now - since >= nanos;
    }
}

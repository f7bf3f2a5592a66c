// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Receives events of the endpoints to islands, apart from calls. Called by several threads: it must be thread-safe and
 * must not block. Exceptions are logged and have no other effect. Applications create events in tests only.
 */
public interface NetworkListener {

    /**
     * The preferred tunnel of an island has changed.
     *
     * @param change what has changed
     */
    default void onTunnelChange(TunnelChange change) {}

    /**
     * A health check has ended; not one that the guard of another island answered.
     *
     * @param check the endpoint and the result
     */
    default void onHealthCheck(HealthCheck check) {}

    /**
     * A circuit breaker has opened or closed. Half-open states are not reported.
     *
     * @param change what has changed
     */
    default void onBreakerChange(BreakerChange change) {}

    /**
     * The preferred tunnel of an island has changed. Immutable.
     *
     * @param island the id of the island
     * @param from the tunnel before
     * @param to the tunnel now
     * @param cause the problem of the other tunnel, or that it works again; a text for people
     * @param trafficClass the class of calls that it concerns
     */
    record TunnelChange(String island, TunnelKind from, TunnelKind to, String cause, TrafficClass trafficClass) {

        /**
         * Creates one. Throws {@link NullPointerException}, with the name, if an argument is null that is not {@code @Nullable}.
         *
         * @param island the id of the island
         * @param from the tunnel before
         * @param to the tunnel now
         * @param cause the problem of the other tunnel, or that it works again
         * @param trafficClass the class of calls that it concerns
         */
        public TunnelChange {
            Objects.requireNonNull(island, "island");
            Objects.requireNonNull(from, "from");
            Objects.requireNonNull(to, "to");
            Objects.requireNonNull(cause, "cause");
            Objects.requireNonNull(trafficClass, "trafficClass");
        }

        /** {@return the event for logs} */
        @Override
        public String toString() {
            return island + ": tunnel " + to + " instead of " + from + " (" + cause + ")";
        }
    }

    /**
     * A health check of an endpoint has ended. Immutable.
     *
     * @param island the id of the island
     * @param gateway the address that the check was sent to
     * @param roundTrip the time to the answer, or null without an answer
     * @param trafficClass the class of calls that it concerns
     */
    record HealthCheck(String island, GatewayAddress gateway, @Nullable Duration roundTrip, TrafficClass trafficClass) {

        /**
         * Creates one. Throws {@link NullPointerException}, with the name, if an argument is null that is not {@code @Nullable}.
         *
         * @param island the id of the island
         * @param gateway the address that the check was sent to
         * @param roundTrip the time to the answer
         * @param trafficClass the class of calls that it concerns
         */
        public HealthCheck {
            Objects.requireNonNull(island, "island");
            Objects.requireNonNull(gateway, "gateway");
            Objects.requireNonNull(trafficClass, "trafficClass");
        }

        /** {@return whether the island has answered} */
        public boolean isAnswered() {
            return roundTrip != null;
        }

        /** {@return the event for logs} */
        @Override
        public String toString() {
            return island + " over " + gateway + ": "
                    + (roundTrip == null ? "no answer" : "answered after " + roundTrip.toMillis() + " ms");
        }
    }

    /**
     * The circuit breaker of an endpoint has opened or closed. Immutable.
     *
     * @param island the id of the island
     * @param gateway the address of the endpoint
     * @param isOpen whether calls to the island over this gateway are refused now
     * @param trafficClass the class of calls that it concerns
     */
    record BreakerChange(String island, GatewayAddress gateway, boolean isOpen, TrafficClass trafficClass) {

        /**
         * Creates one. Throws {@link NullPointerException}, with the name, if an argument is null that is not {@code @Nullable}.
         *
         * @param island the id of the island
         * @param gateway the address of the endpoint
         * @param isOpen whether calls to the island over this gateway are refused now
         * @param trafficClass the class of calls that it concerns
         */
        public BreakerChange {
            Objects.requireNonNull(island, "island");
            Objects.requireNonNull(gateway, "gateway");
            Objects.requireNonNull(trafficClass, "trafficClass");
        }

        /** {@return the event for logs} */
        @Override
        public String toString() {
            return island + " over " + gateway + ": circuit breaker " + (isOpen ? "open" : "closed");
        }
    }
}

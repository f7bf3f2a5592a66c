// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Receives events of the endpoints to islands, apart from calls. Called by several threads: it must be thread-safe and
 * must not block. Exceptions are logged and have no other effect.
 */
public interface NetworkListener {

    /**
     * The preferred tunnel of an island has changed.
     *
     * @param change what has changed
     */
    default void onTunnelChange(TunnelChange change) {}

    /**
     * A health check has ended.
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

    /** The preferred tunnel of an island has changed. Immutable. */
    final class TunnelChange {

        private final String island;
        private final TunnelKind from;
        private final TunnelKind to;
        private final String cause;
        private final TrafficClass trafficClass;

        private TunnelChange(String island, TunnelKind from, TunnelKind to, String cause, TrafficClass trafficClass) {
            this.trafficClass = Objects.requireNonNull(trafficClass, "trafficClass");
            this.island = Objects.requireNonNull(island, "island");
            this.from = Objects.requireNonNull(from, "from");
            this.to = Objects.requireNonNull(to, "to");
            this.cause = Objects.requireNonNull(cause, "cause");
        }

        /**
         * {@return an event; applications need it in tests only}
         *
         * @param island the id of the island
         * @param from the tunnel before
         * @param to the tunnel now
         * @param cause the problem of the other tunnel, or that it works again
         * @param trafficClass the class of calls that prefer it
         */
        public static TunnelChange of(
                String island, TunnelKind from, TunnelKind to, String cause, TrafficClass trafficClass) {
            return new TunnelChange(island, from, to, cause, trafficClass);
        }

        /** {@return the id of the island} */
        public String island() {
            return island;
        }

        /** {@return the tunnel before} */
        public TunnelKind from() {
            return from;
        }

        /** {@return the tunnel now} */
        public TunnelKind to() {
            return to;
        }

        /** {@return the problem of the other tunnel, or that it works again; a text for people} */
        public String cause() {
            return cause;
        }

        /** {@return the class of calls that it concerns} */
        public TrafficClass trafficClass() {
            return trafficClass;
        }

        /** {@return the event for logs} */
        @Override
        public String toString() {
            return island + ": tunnel " + to + " instead of " + from + " (" + cause + ")";
        }
    }

    /** A health check of an endpoint has ended. Immutable. */
    final class HealthCheck {

        private final String island;
        private final GatewayAddress gateway;
        private final @Nullable Duration roundTrip;
        private final TrafficClass trafficClass;

        private HealthCheck(
                String island, GatewayAddress gateway, @Nullable Duration roundTrip, TrafficClass trafficClass) {
            this.trafficClass = Objects.requireNonNull(trafficClass, "trafficClass");
            this.island = Objects.requireNonNull(island, "island");
            this.gateway = Objects.requireNonNull(gateway, "gateway");
            this.roundTrip = roundTrip;
        }

        /**
         * {@return an event; applications need it in tests only}
         *
         * @param island the id of the island
         * @param gateway the address that the check was sent to
         * @param roundTrip the time to the answer
         * @param trafficClass the class of calls that use the endpoint
         */
        public static HealthCheck answered(
                String island, GatewayAddress gateway, Duration roundTrip, TrafficClass trafficClass) {
            return new HealthCheck(island, gateway, Objects.requireNonNull(roundTrip, "roundTrip"), trafficClass);
        }

        /**
         * {@return an event; applications need it in tests only}
         *
         * @param island the id of the island
         * @param gateway the address that the check was sent to
         * @param trafficClass the class of calls that use the endpoint
         */
        public static HealthCheck missed(String island, GatewayAddress gateway, TrafficClass trafficClass) {
            return new HealthCheck(island, gateway, null, trafficClass);
        }

        /** {@return the id of the island} */
        public String island() {
            return island;
        }

        /** {@return the address that the check was sent to} */
        public GatewayAddress gateway() {
            return gateway;
        }

        /** {@return whether the island has answered} */
        public boolean isAnswered() {
            return roundTrip != null;
        }

        /** {@return the time to the answer, or null without an answer} */
        public @Nullable Duration roundTrip() {
            return roundTrip;
        }

        /** {@return the class of calls that it concerns} */
        public TrafficClass trafficClass() {
            return trafficClass;
        }

        /** {@return the event for logs} */
        @Override
        public String toString() {
            return island + " over " + gateway + ": "
                    + (roundTrip == null ? "no answer" : "answered after " + roundTrip.toMillis() + " ms");
        }
    }

    /** The circuit breaker of an endpoint has opened or closed. Immutable. */
    final class BreakerChange {

        private final String island;
        private final GatewayAddress gateway;
        private final boolean open;
        private final TrafficClass trafficClass;

        private BreakerChange(String island, GatewayAddress gateway, boolean open, TrafficClass trafficClass) {
            this.trafficClass = Objects.requireNonNull(trafficClass, "trafficClass");
            this.island = Objects.requireNonNull(island, "island");
            this.gateway = Objects.requireNonNull(gateway, "gateway");
            this.open = open;
        }

        /**
         * {@return an event; applications need it in tests only}
         *
         * @param island the id of the island
         * @param gateway the address of the endpoint
         * @param open whether the breaker refuses calls now
         * @param trafficClass the class of calls that use the endpoint
         */
        public static BreakerChange of(String island, GatewayAddress gateway, boolean open, TrafficClass trafficClass) {
            return new BreakerChange(island, gateway, open, trafficClass);
        }

        /** {@return the id of the island} */
        public String island() {
            return island;
        }

        /** {@return the address of the endpoint} */
        public GatewayAddress gateway() {
            return gateway;
        }

        /** {@return whether calls to the island over this gateway are refused now} */
        public boolean isOpen() {
            return open;
        }

        /** {@return the class of calls that it concerns} */
        public TrafficClass trafficClass() {
            return trafficClass;
        }

        /** {@return the event for logs} */
        @Override
        public String toString() {
            return island + " over " + gateway + ": circuit breaker " + (open ? "open" : "closed");
        }
    }
}

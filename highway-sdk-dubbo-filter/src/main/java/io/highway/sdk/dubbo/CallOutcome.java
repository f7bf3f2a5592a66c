// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of one island-bound call. Immutable. It references nothing of the request but names. {@link #builder} makes
 * one for tests; later versions may have more components.
 *
 * @param interfaceName the full name of the service interface
 * @param methodName the name of the method
 * @param intent which island the call asked for, and the source of that request
 * @param island the destination, or null if the call asked for an island that neither code nor configuration names
 * @param gateway the address of the last attempt, or null if there was none
 * @param outcome how the tunnelled call ended
 * @param reason why it was not delivered; null if it was, or if a filter of the application threw
 * @param servedAtHome whether home serves the call instead
 * @param duration the time from the decision to the end of the tunnelled call, without that of a fallback
 * @param policyVersion the version of the policy that the call was decided with: the label of the dynamic policy,
 *     {@code static} without one; null if no {@code highway.*} key is set
 * @param trafficClass the class of the call; interactive, if it was not decided
 */
public record CallOutcome(
        String interfaceName,
        String methodName,
        Intent intent,
        @Nullable String island,
        @Nullable GatewayAddress gateway,
        Outcome outcome,
        @Nullable Reason reason,
        boolean servedAtHome,
        Duration duration,
        @Nullable String policyVersion,
        TrafficClass trafficClass) {

    /**
     * {@return a builder, for tests of an {@link OutcomeListener}}
     *
     * @param interfaceName the full name of the service interface
     * @param methodName the name of the method
     * @param outcome how the tunnelled call ended
     */
    public static Builder builder(String interfaceName, String methodName, Outcome outcome) {
        return new Builder(interfaceName, methodName, outcome);
    }

    /** {@return the call as {@code interface#method}} */
    public String call() {
        return interfaceName + "#" + methodName;
    }

    /** {@return the tunnel of the last attempt, or null if there was none} */
    public @Nullable TunnelKind tunnel() {
        return gateway == null ? null : gateway.kind();
    }

    /** {@return the outcome for logs} */
    @Override
    public String toString() {
        return call() + " to " + (island == null ? "an unknown island" : island)
                + (gateway == null ? "" : " over " + gateway) + ": " + outcome
                + (reason == null ? "" : ", " + reason) + (servedAtHome ? ", served at home" : "") + ", "
                + duration.toMillis() + " ms";
    }

    /** Builds outcomes. Not thread-safe. */
    public static final class Builder {

        private final String interfaceName;
        private final String methodName;
        private final Outcome outcome;
        private Intent intent = Intent.NONE;
        private @Nullable String island;
        private @Nullable GatewayAddress gateway;
        private @Nullable Reason reason;
        private boolean servedAtHome;
        private Duration duration = Duration.ZERO;
        private @Nullable String policyVersion;
        private TrafficClass trafficClass = TrafficClass.INTERACTIVE;

        private Builder(String interfaceName, String methodName, Outcome outcome) {
            this.interfaceName = Objects.requireNonNull(interfaceName, "interfaceName");
            this.methodName = Objects.requireNonNull(methodName, "methodName");
            this.outcome = Objects.requireNonNull(outcome, "outcome");
        }

        /**
         * Sets which island the call asked for; {@link Intent#NONE} unless set.
         *
         * @param asked the intent
         * @return this builder
         */
        public Builder intent(Intent asked) {
            this.intent = Objects.requireNonNull(asked, "asked");
            return this;
        }

        /**
         * Sets the destination.
         *
         * @param id its id, or null for an unknown island
         * @return this builder
         */
        public Builder island(@Nullable String id) {
            this.island = id;
            return this;
        }

        /**
         * Sets the gateway of the last attempt.
         *
         * @param address its address, or null if there was no attempt
         * @return this builder
         */
        public Builder gateway(@Nullable GatewayAddress address) {
            this.gateway = address;
            return this;
        }

        /**
         * Sets why the call was not delivered.
         *
         * @param why the reason, or null
         * @return this builder
         */
        public Builder reason(@Nullable Reason why) {
            this.reason = why;
            return this;
        }

        /**
         * Sets whether home serves the call instead; false unless set.
         *
         * @param served whether it does
         * @return this builder
         */
        public Builder servedAtHome(boolean served) {
            this.servedAtHome = served;
            return this;
        }

        /**
         * Sets the duration of the tunnelled call; zero unless set.
         *
         * @param taken the time it took
         * @return this builder
         */
        public Builder duration(Duration taken) {
            this.duration = Objects.requireNonNull(taken, "taken");
            return this;
        }

        /**
         * Sets the version of the policy that the call was decided with.
         *
         * @param version its version, or null if there is none
         * @return this builder
         */
        public Builder policyVersion(@Nullable String version) {
            this.policyVersion = version;
            return this;
        }

        /**
         * Sets the class of the call; {@link TrafficClass#INTERACTIVE} unless set.
         *
         * @param ofCall the class
         * @return this builder
         */
        public Builder trafficClass(TrafficClass ofCall) {
            this.trafficClass = Objects.requireNonNull(ofCall, "ofCall");
            return this;
        }

        /** {@return the outcome} */
        public CallOutcome build() {
            return new CallOutcome(
                    interfaceName,
                    methodName,
                    intent,
                    island,
                    gateway,
                    outcome,
                    reason,
                    servedAtHome,
                    duration,
                    policyVersion,
                    trafficClass);
        }
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of one island-bound call. Immutable. It references nothing of the request but names. Applications
 * create one in tests of an {@link OutcomeListener} only; later versions may have more components.
 *
 * @param interfaceName the full name of the service interface
 * @param methodName the name of the method
 * @param intent which island the call asked for, and the source of that request
 * @param island the destination: the island that has answered the call, or was to; null if the call asked for an island
 *     that neither code nor configuration names
 * @param gateway the address of the last attempt, or null if there was none
 * @param outcome how the tunnelled call ended
 * @param reason why it was not delivered; null if it was, or if a filter of the application threw
 * @param servedAtHome whether home serves the call instead
 * @param duration the time from the decision to the end of the tunnelled call, without that of a fallback
 * @param policyVersion the version of the policy that the call was decided with: the label of the dynamic policy,
 *     {@code static} without one; null if no {@code highway.*} key is set
 * @param trafficClass the class of the call; interactive, if it was not decided
 * @param askedIsland the island that was asked for; not {@code island} if that one answers for it, by {@code served-by} or
 *     {@code fallback}; null as {@code island}
 * @param fallbackReason why the call went to home, or to another island, by {@code fallback}; null if it did not
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
        TrafficClass trafficClass,
        @Nullable String askedIsland,
        @Nullable Reason fallbackReason) {

    /**
     * Creates one. Throws {@link NullPointerException}, with the name, if an argument is null that is not {@code @Nullable}.
     *
     * @param interfaceName the full name of the service interface
     * @param methodName the name of the method
     * @param intent which island the call asked for, and the source of that request
     * @param island the destination
     * @param gateway the address of the last attempt
     * @param outcome how the tunnelled call ended
     * @param reason why it was not delivered
     * @param servedAtHome whether home serves the call instead
     * @param duration the time from the decision to the end of the tunnelled call, without that of a fallback
     * @param policyVersion the version of the policy that the call was decided with: the label of the dynamic policy, {@code static} without one
     * @param trafficClass the class of the call
     * @param askedIsland the island that was asked for
     * @param fallbackReason why the call went to home, or to another island, by {@code fallback}
     */
    public CallOutcome {
        Objects.requireNonNull(interfaceName, "interfaceName");
        Objects.requireNonNull(methodName, "methodName");
        Objects.requireNonNull(intent, "intent");
        Objects.requireNonNull(outcome, "outcome");
        Objects.requireNonNull(duration, "duration");
        Objects.requireNonNull(trafficClass, "trafficClass");
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
                + (Objects.equals(island, askedIsland) ? "" : " for " + askedIsland)
                + (gateway == null ? "" : " over " + gateway) + ": " + outcome
                + (reason == null ? "" : ", " + reason) + (servedAtHome ? ", served at home" : "") + ", "
                + duration.toMillis() + " ms";
    }
}

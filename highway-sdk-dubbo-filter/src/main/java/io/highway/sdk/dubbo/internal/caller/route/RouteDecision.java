// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.route;

import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The destination of a call, and why. Immutable. */
public sealed interface RouteDecision {

    /** The rule that decides. */
    Rule rule();

    /** The island that it is about; null for home, and for a request that names none which can be read. */
    default @Nullable String island() {
        return null;
    }

    /** The island that it is about, if configuration or code names it; null for home. */
    default @Nullable String namedIsland() {
        return null;
    }

    /** The call stays home; {@code why} is the reason in a few words. */
    record Home(Rule rule, String why) implements RouteDecision {}

    /**
     * The call goes through a gateway.
     *
     * @param tunnels the tunnels that may carry it, in the order to try
     * @param policy the policy of the destination
     * @param streaming whether the method streams in any direction
     * @param hops how many islands the chain of calls has crossed with this one
     * @param asked the policy of the island that the call asks for: another one, if the destination answers for it
     */
    record Tunnel(List<TunnelKind> tunnels, IslandPolicy policy, boolean streaming, int hops, IslandPolicy asked)
            implements RouteDecision {

        /** To the island that the call asks for. */
        public Tunnel(List<TunnelKind> tunnels, IslandPolicy policy, boolean streaming, int hops) {
            this(tunnels, policy, streaming, hops, policy);
        }

        @Override
        public String island() {
            return policy.island();
        }

        /** Who may serve a call of a method that certainly did not run: {@code home}, an island, or null. */
        public @Nullable String fallback(String interfaceName, String methodName) {
            String to = asked.calls().fallback().to();
            boolean isNone = to.equals(IslandPolicy.NONE)
                    || to.equals(island())
                    || (streaming && !to.equals(IslandPolicy.HOME))
                    || !asked.calls().fallback().methods().matches(interfaceName, methodName);
            return isNone ? null : to;
        }

        /** The island that the call asks for, if the destination is another one; otherwise null. */
        public @Nullable String standsInFor() {
            return asked.island().equals(island()) ? null : asked.island();
        }

        @Override
        public Rule rule() {
            return Rule.TUNNEL;
        }

        @Override
        public String namedIsland() {
            return island();
        }
    }

    /**
     * The call is refused; nothing is sent.
     *
     * @param rule the rule that refuses it
     * @param island the requested island, known or not, or null if the request names none that can be read
     * @param reason the reason, as one word
     * @param what the details, in a sentence without a full stop
     * @param advice what to change
     * @param isIslandNamed whether configuration or code names the island: meters and audit lines contain nothing that a
     *     caller invents
     */
    record Refusal(Rule rule, @Nullable String island, Reason reason, String what, String advice, boolean isIslandNamed)
            implements RouteDecision {

        /** Of a call to an island that the policy knows, or of one that names none. */
        Refusal(Rule rule, @Nullable String island, Reason reason, String what, String advice) {
            this(rule, island, reason, what, advice, true);
        }

        @Override
        public @Nullable String namedIsland() {
            return isIslandNamed ? island : null;
        }
    }
}

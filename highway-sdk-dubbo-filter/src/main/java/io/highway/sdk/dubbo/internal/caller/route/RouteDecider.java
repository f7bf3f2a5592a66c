// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.route;

import io.highway.sdk.Island;
import io.highway.sdk.IslandId;
import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.IntentSource;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.call.DubboCall;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecision.Home;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecision.Refusal;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecision.Tunnel;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.RuleDifferences;
import io.highway.sdk.dubbo.internal.policy.Suggestions;
import io.highway.sdk.dubbo.internal.policy.TrafficSplit;
import io.highway.sdk.internal.Texts;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Applies these rules in order; the first that applies decides ({@link Rule} has their words):
 *
 * <ol>
 *   <li>the call names no island: home, unless the service has {@code require-island}: refused
 *   <li>the call asks for home: home
 *   <li>the key cannot be read, or the requested value is not an island id: refused
 *   <li>the island is home: home
 *   <li>the island is unknown: refused
 *   <li>home comes first ({@code home-absent}) and has a provider: home
 *   <li>the method is denied, by the island or by the one that answers for it: refused
 *   <li>home answers for the island ({@code served-by}): home
 *   <li>the chain of calls is too long, or no tunnel can carry this kind of call: refused
 *   <li>a tunnel that policy, gateways and the method allow; if there is none: refused
 * </ol>
 *
 * A pure function of its arguments: no network, no clock, no state.
 */
public final class RouteDecider {

    private static final Home NOT_ASKED = new Home(Rule.NO_ISLAND, "the call names no island");
    private static final Home REQUESTED = new Home(Rule.HOME_REQUESTED, "the call asks for home");
    private static final Home ISLAND_IS_HOME = new Home(Rule.ISLAND_IS_HOME, "the island is home");
    private static final Home HOME_COMES_FIRST = new Home(Rule.HOME_FIRST, "home has a provider");

    /** Where an island is written in code or configuration, and none that a request brings. */
    private static final Set<IntentSource> DECLARED =
            EnumSet.of(IntentSource.METHOD, IntentSource.REFERENCE, IntentSource.INTERFACE, IntentSource.CONFIGURATION);

    private RouteDecider() {}

    /**
     * Decides where a call goes.
     *
     * @param hopsSoFar how many islands the request being served here has crossed
     * @param homeHasProviders whether home can serve the call; evaluated only if home comes first
     * @param random a random number from 0 to below its argument; evaluated only if several islands answer
     */
    public static RouteDecision decide(
            DubboCall call,
            Intent intent,
            Policy policy,
            int hopsSoFar,
            BooleanSupplier homeHasProviders,
            IntUnaryOperator random) {
        if (intent.isNone()) {
            return policy.requiresIsland(call.interfaceName()) ? islandRequired(call.interfaceName()) : NOT_ASKED;
        }
        String island = "";
        Refusal unresolved = null;
        try {
            island = island(intent, policy);
        } catch (RuntimeException e) {
            unresolved = notAnIsland(
                    Reason.BAD_KEY,
                    "the island resolver failed: " + e,
                    "Let it answer from memory, and return null if it does not know the key");
        }
        RouteDecision end = settledByTheIsland(intent, island, unresolved, policy);
        if (end != null) {
            return end;
        }
        if (intent.when() == Island.When.HOME_ABSENT && homeHasProviders.getAsBoolean()) {
            return HOME_COMES_FIRST;
        }
        IslandPolicy asked = Objects.requireNonNull(policy.forIsland(island));
        TrafficSplit servedBy = asked.servedBy();
        String member = servedBy == null ? island : servedBy.choose(random);
        if (servedBy == null || !isHome(member, policy)) { // an island's id may be home
            return island(call, member, asked, policy, hopsSoFar);
        }
        end = denied(call, asked);
        return end != null ? end : new Home(Rule.SERVED_BY, "calls for " + island + " are served by " + servedBy);
    }

    private static boolean isHome(String member, Policy policy) {
        return member.equals(IslandPolicy.HOME) || member.equals(policy.home());
    }

    /** Where a call goes that its island could not take: to the island of its {@code fallback}. Rules 7, 9 and 10. */
    public static RouteDecision fallback(DubboCall call, Tunnel before, Policy policy) {
        return island(call, before.asked().calls().fallback().to(), before.asked(), policy, before.hops() - 1);
    }

    private static RouteDecision island(
            DubboCall call, String island, IslandPolicy asked, Policy policy, int hopsSoFar) {
        IslandPolicy destination =
                Objects.requireNonNull(policy.forIsland(island)).of(call.interfaceName());
        boolean standsIn = !asked.island().equals(island);
        Refusal refusal = denied(call, asked);
        if (refusal == null && standsIn) {
            refusal = denied(call, destination);
        }
        if (refusal == null) {
            refusal = tooManyHops(island, policy, hopsSoFar + 1);
        }
        if (refusal == null) {
            refusal = notTunnellable(call, island);
        }
        return refusal != null
                ? refusal
                : tunnel(call, island, destination, hopsSoFar + 1, standsIn ? asked : destination);
    }

    /** Why a call or reference is refused where no {@code highway.*} key is set, or null if home serves it. */
    public static @Nullable Refusal unconfigured(Intent intent) {
        if (intent.problem() != null) {
            return unreadable(intent, intent.problem());
        }
        return intent.asked() == null
                ? null
                : unknown(
                        intent.asked(),
                        "no highway.* key is set, so no island is known",
                        "Write highway.island, highway.gateways.dubbo, .triple or .http, and"
                                + " highway.islands.<id>.tunnel=auto (is a profile missing?), or highway.enabled=false to let"
                                + " home serve such calls",
                        false);
    }

    /** Why no call of a reference can follow its intent, because no tunnel reaches the island; null if calls can. */
    public static @Nullable Refusal hopeless(Intent intent, String interfaceName, Policy policy) {
        String island = Objects.requireNonNullElse(intent.asked(), "");
        RouteDecision settled = settledByTheIsland(intent, island, null, policy);
        if (settled != null) {
            return settled instanceof Refusal refusal ? refusal : null;
        }
        IslandPolicy asked = Objects.requireNonNull(policy.forIsland(island));
        TrafficSplit servedBy = asked.servedBy();
        boolean isReached = servedBy == null
                ? hasTunnel(asked, interfaceName)
                : servedBy.members().stream()
                        .filter(member -> member.weight() > 0)
                        .anyMatch(member -> isHome(member.island(), policy)
                                || hasTunnel(policy.forIsland(member.island()), interfaceName));
        return isReached ? null : noGateway(island);
    }

    private static boolean hasTunnel(@Nullable IslandPolicy island, String interfaceName) {
        return island != null && !island.of(interfaceName).routes().usable().isEmpty();
    }

    private static Refusal islandRequired(String service) {
        return new Refusal(
                Rule.NO_ISLAND,
                null,
                Reason.ISLAND_REQUIRED,
                "highway.services." + service + ".require-island is true, and nothing names an island for this call",
                "Call a proxy of Highway.to(island).bind(..), or open the scope on the thread that starts the call"
                        + " (Highway.wrap carries it to another); for a call that stays home write Highway.home()");
    }

    /**
     * Rules 2 to 5; null if none of them applies.
     *
     * @param unresolved why the key could not be resolved, or null
     */
    private static @Nullable RouteDecision settledByTheIsland(
            Intent intent, String island, @Nullable Refusal unresolved, Policy policy) {
        if (intent.asked() == null && intent.problem() == null) {
            return REQUESTED;
        }
        Refusal refusal = unresolved != null ? unresolved : notAnIsland(intent, island, policy);
        if (refusal != null) {
            return refusal;
        }
        return island.equals(policy.home()) ? ISLAND_IS_HOME : unknown(intent, island, policy);
    }

    private static @Nullable Refusal notAnIsland(Intent intent, String island, Policy policy) {
        if (intent.problem() != null) {
            return unreadable(intent, intent.problem());
        }
        if (IslandId.isValid(island) || missingIslandOfKey(intent, island, policy) != null) {
            return null;
        }
        return notAnIsland(
                intent.source() == IntentSource.KEY ? Reason.BAD_KEY : Reason.BAD_ISLAND,
                Texts.islandProblem(intent.source().word(), island),
                "Write an island's id" + knownIslands(island, policy));
    }

    /** What a key means that the active rule leaves out, or null. */
    private static @Nullable String missingIslandOfKey(Intent intent, String key, Policy policy) {
        return intent.source() == IntentSource.KEY ? policy.missing().islandOfKey(key) : null;
    }

    private static @Nullable Refusal unknown(Intent intent, String island, Policy policy) {
        if (policy.forIsland(island) != null) {
            return null;
        }
        RuleDifferences missing = policy.missing();
        if (missing.hasIsland(island)) {
            return unknown(
                    island,
                    missing.rule() + " leaves out island \"" + island + "\", which the static configuration names",
                    "Publish a rule with islands." + island + ", or use-static: true",
                    missing.isNamed(island) || DECLARED.contains(intent.source()));
        }
        String ofKey = missingIslandOfKey(intent, island, policy);
        if (ofKey != null) {
            return unknown(
                    ofKey,
                    missing.rule() + " leaves out key \"" + island + "\", which means " + ofKey
                            + " in the static configuration",
                    "Publish a rule with islands." + ofKey + ".keys, or use-static: true",
                    true);
        }
        return unknown(
                island,
                "no configuration for island \"" + island + "\"",
                keyAdvice(intent, island) + "highway.islands." + island + ".tunnel=auto" + knownIslands(island, policy),
                missing.isNamed(island) || DECLARED.contains(intent.source()));
    }

    /** @param isNamed whether configuration or code names the island */
    private static Refusal unknown(@Nullable String island, String what, String advice, boolean isNamed) {
        return new Refusal(Rule.KNOWN_ISLAND, island, Reason.UNKNOWN_ISLAND, what, advice, isNamed);
    }

    private static Refusal notAnIsland(Reason reason, String what, String advice) {
        return new Refusal(Rule.ISLAND_ID, null, reason, what, advice);
    }

    private static Refusal unreadable(Intent intent, String problem) {
        if (intent.source() == IntentSource.ATTACHMENT) {
            return notAnIsland(
                    Reason.BAD_ISLAND,
                    problem,
                    "Write RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, island), or use"
                            + " Highway.to(island).call(..)");
        }
        return notAnIsland(
                Reason.BAD_KEY,
                problem,
                (intent.source() == IntentSource.METHOD
                                ? "Write the method and its types as the interface does"
                                : "Pass a value that names an island")
                        + ", or ask for one by attachment or scope");
    }

    /** An unmapped key is used as an island id, which is seldom intended. */
    private static String keyAdvice(Intent intent, String island) {
        boolean unmapped = intent.source() == IntentSource.KEY && island.equals(intent.asked());
        return unmapped
                ? "Add the key to highway.islands.<id>.keys of the island it means, or let an IslandResolver know it; where it"
                        + " is an island's id, write "
                : "Write ";
    }

    private static String island(Intent intent, Policy policy) {
        String asked = intent.asked();
        if (asked == null) {
            return "";
        }
        return intent.source() == IntentSource.KEY ? policy.islandOfKey(asked) : asked;
    }

    private static @Nullable Refusal denied(DubboCall call, IslandPolicy island) {
        String denied = island.calls().deny().match(call.interfaceName(), call.methodName());
        return denied.isEmpty()
                ? null
                : new Refusal(
                        Rule.DENY,
                        island.island(),
                        Reason.DENIED,
                        "highway.islands." + island.island() + ".deny contains \"" + denied + "\"",
                        "Wait until the switch-over is done, or remove the pattern");
    }

    private static @Nullable Refusal tooManyHops(String island, Policy policy, int hops) {
        return hops <= policy.local().maxHops()
                ? null
                : new Refusal(
                        Rule.MAX_HOPS,
                        island,
                        Reason.TOO_MANY_HOPS,
                        "the chain of calls would cross " + hops + " islands and highway.max-hops is "
                                + policy.local().maxHops(),
                        "Look for islands that send the call on to each other, or raise highway.max-hops");
    }

    private static @Nullable Refusal notTunnellable(DubboCall call, String island) {
        if (call.hasCallbackArgument()) {
            return notTunnellable(
                    island,
                    "an argument is a callback, and the provider has no connection to the consumer",
                    "Use a streaming method over triple instead");
        }
        String ambiguous = call.ambiguousServiceKey();
        if (ambiguous != null) {
            return notTunnellable(
                    island,
                    "the reference's " + ambiguous + " is a pattern, and a gateway needs one service",
                    "Give the reference one group and one version");
        }
        return call.isBroadcast()
                ? notTunnellable(
                        island,
                        "the reference's cluster is broadcast, which calls every provider, and a gateway forwards to one",
                        "Use a reference without cluster=broadcast for calls to islands")
                : null;
    }

    private static Refusal notTunnellable(String island, String what, String advice) {
        return new Refusal(Rule.TUNNELLABLE, island, Reason.NOT_TUNNELLABLE, what, advice);
    }

    private static RouteDecision tunnel(
            DubboCall call, String island, IslandPolicy destination, int hops, IslandPolicy asked) {
        boolean streaming = call.isStreaming();
        List<TunnelKind> tunnels = destination.tunnelsOf(streaming);
        if (!tunnels.isEmpty()) {
            return new Tunnel(tunnels, destination, streaming, hops, asked);
        }
        List<TunnelKind> others = destination.tunnelsOf(false);
        if (!others.isEmpty()) {
            return new Refusal(
                    Rule.TUNNEL,
                    island,
                    Reason.NEEDS_TRIPLE,
                    "the method streams, which triple alone carries, and island \"" + island + "\" is reached by "
                            + others.get(0),
                    "Write highway.islands." + island + ".tunnel=triple or auto, and highway.gateways.triple");
        }
        return noGateway(island);
    }

    private static Refusal noGateway(String island) {
        return new Refusal(
                Rule.TUNNEL,
                island,
                Reason.NO_GATEWAY,
                "no gateway is configured for island \"" + island + "\"",
                "Write highway.gateways.dubbo, highway.gateways.triple or highway.gateways.http");
    }

    private static String knownIslands(String island, Policy policy) {
        List<String> known = policy.knownIslands().stream().sorted().toList();
        return known.isEmpty() ? "" : "; known islands: " + String.join(", ", known) + Suggestions.hint(island, known);
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.report;

import io.highway.sdk.dubbo.HighwayExplain;
import io.highway.sdk.dubbo.HighwayExplain.Rule.Result;
import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.IntentSource;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.call.DubboCall;
import io.highway.sdk.dubbo.internal.caller.route.IntentResolver;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecider;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecision;
import io.highway.sdk.dubbo.internal.caller.route.Rule;
import io.highway.sdk.dubbo.internal.policy.Policy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A decision with everything that led to it: the stages of a call run with traces. Unlike in a call, sources after the
 * first answer are asked, too; the first answer still decides.
 */
final class TracedDecision {

    private final Map<IntentSource, Intent> said = new EnumMap<>(IntentSource.class);
    private final boolean argumentsKnown;
    private final @Nullable String key;
    private Intent intent = Intent.NONE;
    private @Nullable RouteDecision decision;

    private TracedDecision(boolean argumentsKnown, @Nullable String key) {
        this.argumentsKnown = argumentsKnown;
        this.key = key;
    }

    /**
     * Decides and records.
     *
     * @param argumentsKnown whether the call has its arguments
     * @param key the business key of the call, or null if its argument has it
     */
    static TracedDecision of(
            IntentResolver intents,
            DubboCall call,
            Policy policy,
            int hopsSoFar,
            BooleanSupplier homeHasProviders,
            boolean argumentsKnown,
            @Nullable String key) {
        TracedDecision traced = new TracedDecision(argumentsKnown, key);
        Intent none = intents.resolve(call.invocation(), policy, traced::heard);
        assert none.isNone(); // heard() never ends the search
        traced.decision =
                RouteDecider.decide(call, traced.intent, policy, hopsSoFar, homeHasProviders, TracedDecision::first);
        return traced;
    }

    private @Nullable Intent heard(IntentSource source, @Nullable Intent answer) {
        if (answer != null) {
            Intent known = source == IntentSource.KEY ? withKey(answer) : answer;
            said.put(source, known);
            intent = intent.isNone() ? known : intent;
        }
        return null;
    }

    private Intent withKey(Intent read) {
        if (key != null) {
            return Intent.of(IntentSource.KEY, key);
        }
        return argumentsKnown
                ? read
                : Intent.undetermined(IntentSource.KEY, "an argument is the key, and the call to explain has none");
    }

    /** What the call asks for: the first answer. */
    Intent intent() {
        return intent;
    }

    /** The decision. */
    RouteDecision decision() {
        return Objects.requireNonNull(decision);
    }

    /** Every source, in order of precedence. */
    List<HighwayExplain.Source> sources() {
        List<HighwayExplain.Source> sources = new ArrayList<>();
        for (IntentSource source : IntentSource.values()) {
            Intent answer = source == IntentSource.NONE ? Intent.NONE : said.get(source);
            sources.add(
                    answer == null
                            ? new HighwayExplain.Source(source, null, null, null, false)
                            : new HighwayExplain.Source(
                                    source,
                                    answer.problem() != null
                                            ? null
                                            : Objects.requireNonNullElse(answer.asked(), "home"),
                                    answer.when(),
                                    answer.problem(),
                                    source == intent.source()));
        }
        return List.copyOf(sources);
    }

    /** Every rule, in order: those before the one that decides have let the call pass. */
    List<HighwayExplain.Rule> rules() {
        RouteDecision end = decision();
        return Arrays.stream(Rule.values()).map(rule -> explained(rule, end)).toList();
    }

    private static HighwayExplain.Rule explained(Rule rule, RouteDecision end) {
        int order = rule.compareTo(end.rule());
        if (order == 0) {
            return new HighwayExplain.Rule(rule.number(), rule.word(), Result.STOP, why(end));
        }
        return order < 0
                ? new HighwayExplain.Rule(rule.number(), rule.word(), Result.PASS, rule.passed())
                : new HighwayExplain.Rule(rule.number(), rule.word(), Result.NOT_REACHED, null);
    }

    /** Of several islands that answer for one, the first: the words of the decision have all, with their shares. */
    private static int first(int bound) {
        return 0;
    }

    /** Why a decision is as it is, in words. */
    static String why(RouteDecision decision) {
        if (decision instanceof RouteDecision.Home home) {
            return home.why();
        }
        if (decision instanceof RouteDecision.Tunnel tunnel) {
            return "island " + tunnel.island() + " is reached by " + words(tunnel.tunnels())
                    + (tunnel.asked().servedBy() == null
                            ? ""
                            : "; calls for " + tunnel.asked().island() + " go to "
                                    + tunnel.asked().servedBy());
        }
        return ((RouteDecision.Refusal) decision).what();
    }

    /** The tunnels of a decision, for texts. */
    static String words(List<TunnelKind> tunnels) {
        return tunnels.stream().map(TunnelKind::word).collect(Collectors.joining(", "));
    }
}

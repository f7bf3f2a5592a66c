// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.report;

import io.highway.sdk.Highway;
import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.HighwayScope;
import io.highway.sdk.dubbo.HighwayExplain;
import io.highway.sdk.dubbo.HighwayExplain.Call;
import io.highway.sdk.dubbo.HighwayExplain.Decision;
import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.application.PolicySnapshot;
import io.highway.sdk.dubbo.internal.call.DubboCall;
import io.highway.sdk.dubbo.internal.caller.endpoint.Destination;
import io.highway.sdk.dubbo.internal.caller.endpoint.Destinations;
import io.highway.sdk.dubbo.internal.caller.endpoint.GatewayEndpoint;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecision;
import io.highway.sdk.dubbo.internal.network.connection.ConnectionStatus;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.signature.OutboundRouteHeaders;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcContextAttachment;
import org.jspecify.annotations.Nullable;

/** Explains calls: runs the stages of a call that decide, and sends nothing. */
final class CallExplainer {

    private final HighwayRuntime runtime;
    private final Policy policy;
    private final @Nullable Destinations destinations;
    private final Call call;

    private CallExplainer(HighwayRuntime runtime, Call call) {
        PolicySnapshot snapshot = runtime.snapshot(); // once, as a call does
        this.runtime = runtime;
        this.policy = snapshot.policy();
        this.destinations = snapshot.destinations();
        this.call = call;
    }

    /** The explanations of a call, one for each reference and overload that it may mean. */
    static List<HighwayExplain> of(HighwayRuntime runtime, Call call) {
        CallExplainer explanations = new CallExplainer(runtime, call);
        return ExplainableReference.of(call.service(), runtime).stream()
                .flatMap(reference ->
                        reference.calls(call).stream().map(invocation -> explanations.explain(reference, invocation)))
                .toList();
    }

    private HighwayExplain explain(ExplainableReference reference, ExplainableReference.Invoked invoked) {
        RpcContextAttachment attachments = RpcContext.getClientAttachment();
        Object before = attachments.getObjectAttachment(HighwayAttachments.ISLAND);
        HighwayScope scope = open(call.scope());
        try {
            if (call.attachment() != null) {
                attachments.setAttachment(HighwayAttachments.ISLAND, call.attachment());
            }
            TracedDecision traced = TracedDecision.of(
                    reference.intents(),
                    invoked.call(),
                    policy,
                    HighwayRuntime.hopsSoFar(),
                    reference.homeHasProviders(),
                    call.arguments() != null,
                    call.key());
            return explanation(reference, invoked, traced);
        } finally {
            if (scope != null) {
                scope.close();
            }
            if (before == null) {
                attachments.removeAttachment(HighwayAttachments.ISLAND);
            } else {
                attachments.setObjectAttachment(HighwayAttachments.ISLAND, before);
            }
        }
    }

    private static @Nullable HighwayScope open(@Nullable String scope) {
        if (scope == null) {
            return null;
        }
        return scope.equals("home") ? Highway.home().open() : Highway.to(scope).open();
    }

    private HighwayExplain explanation(
            ExplainableReference reference, ExplainableReference.Invoked invoked, TracedDecision traced) {
        RouteDecision decision = traced.decision();
        RouteDecision.Refusal refusal = decision instanceof RouteDecision.Refusal refused ? refused : null;
        RouteDecision.Tunnel tunnel = decision instanceof RouteDecision.Tunnel through ? through : null;
        List<HighwayReport.Endpoint> endpoints = new ArrayList<>();
        List<HighwayReport.Endpoint> skipped = new ArrayList<>();
        if (tunnel != null) {
            addEndpoints(tunnel, invoked.call(), endpoints, skipped);
        }
        return new HighwayExplain(
                reference.serviceKey(),
                invoked.method(),
                policy.version(),
                traced.sources(),
                traced.rules(),
                tunnel != null ? Decision.TUNNEL : refusal != null ? Decision.REFUSED : Decision.HOME,
                tunnel == null ? null : tunnel.island(),
                refusal == null ? null : refusal.reason(),
                TracedDecision.why(decision),
                refusal == null ? null : refusal.advice(),
                List.copyOf(endpoints),
                List.copyOf(skipped),
                tunnel == null ? Map.of() : headers(tunnel),
                tunnel == null ? null : limits(tunnel, invoked.call()),
                tunnel == null
                        ? Map.of()
                        : IslandView.settings(tunnel.island(), tunnel.policy().services(), policy));
    }

    /** The destination, or null if neither a call nor a key has named the island. */
    private @Nullable Destination destination(RouteDecision.Tunnel tunnel, DubboCall invoked) {
        Destination known = destinations == null ? null : destinations.of(tunnel.island());
        return known == null ? null : known.of(tunnel.policy()).of(trafficClass(tunnel, invoked));
    }

    /** Its size is not known. */
    private static TrafficClass trafficClass(RouteDecision.Tunnel tunnel, DubboCall invoked) {
        IslandPolicy.Bulk bulk = tunnel.policy().limits().bulk();
        return bulk != null && bulk.methods().matches(invoked.interfaceName(), invoked.methodName())
                ? TrafficClass.BULK
                : TrafficClass.INTERACTIVE;
    }

    private void addEndpoints(
            RouteDecision.Tunnel tunnel,
            DubboCall invoked,
            List<HighwayReport.Endpoint> tried,
            List<HighwayReport.Endpoint> skipped) {
        Destination destination = destination(tunnel, invoked);
        if (destination == null) {
            addUnused(tunnel, tried, skipped);
            return;
        }
        List<GatewayEndpoint> order = destination.order(tunnel.tunnels());
        order.forEach(endpoint -> tried.add(IslandView.endpoint(endpoint)));
        destination.endpoints().stream()
                .filter(endpoint -> tunnel.tunnels().contains(endpoint.address().kind()) && !order.contains(endpoint))
                .forEach(endpoint -> skipped.add(IslandView.endpoint(endpoint)));
    }

    /** The gateways of an island that no call has used yet. */
    private void addUnused(
            RouteDecision.Tunnel tunnel, List<HighwayReport.Endpoint> tried, List<HighwayReport.Endpoint> skipped) {
        tunnel.policy().routes().tunnels().stream()
                .filter(tunnel.tunnels()::contains)
                .flatMap(kind -> tunnel.policy().gateways(kind).stream())
                .forEach(gateway -> {
                    ConnectionStatus state = runtime.gatewayState(gateway);
                    (state.state() == HighwayReport.Gateway.State.DOWN ? skipped : tried).add(unused(state));
                });
    }

    private static HighwayReport.Endpoint unused(ConnectionStatus gateway) {
        return new HighwayReport.Endpoint(
                gateway.address().kind(),
                gateway.address().hostAndPort(),
                gateway.isUp() // for other islands
                        ? HighwayReport.Endpoint.State.UNKNOWN
                        : HighwayReport.Endpoint.State.valueOf(gateway.state().name()),
                gateway.problem(),
                null);
    }

    private Map<String, String> headers(RouteDecision.Tunnel tunnel) {
        OutboundRouteHeaders outgoing = runtime.headers(tunnel);
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put(HighwayAttachments.ISLAND, outgoing.island());
        headers.put(HighwayAttachments.FROM, outgoing.from());
        if (outgoing.signer() != null) {
            headers.put(HighwayAttachments.SIGN, "(key " + outgoing.signer().keyId() + "; new for each attempt)");
        }
        return headers;
    }

    private HighwayExplain.Limits limits(RouteDecision.Tunnel tunnel, DubboCall invoked) {
        IslandPolicy island = tunnel.policy();
        TrafficClass trafficClass = trafficClass(tunnel, invoked);
        Destination destination = destination(tunnel, invoked);
        boolean idempotent = island.calls().idempotent().matches(invoked.interfaceName(), invoked.methodName());
        Integer most = destination == null ? null : destination.bulkhead().maxConcurrent();
        String fallback = tunnel.fallback(invoked.interfaceName(), invoked.methodName());
        return new HighwayExplain.Limits(
                trafficClass,
                island.calls().timeoutMillis() > 0 ? island.calls().timeoutMillis() : invoked.timeoutMillis(),
                idempotent ? island.calls().retries() : 0,
                island.wire().maxRequestBytes(),
                tunnel.streaming() ? null : most,
                island.concurrency(trafficClass).maxWaitMillis(),
                IslandPolicy.HOME.equals(fallback),
                fallback);
    }
}

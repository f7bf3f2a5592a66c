// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.endpoint;

import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.call.GuardEchoReply;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecision;
import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.highway.sdk.dubbo.internal.evidence.CallResults;
import io.highway.sdk.dubbo.internal.evidence.Failure;
import io.highway.sdk.dubbo.internal.evidence.FailureClassifier;
import io.highway.sdk.dubbo.internal.network.connection.GatewayInvokers;
import io.highway.sdk.dubbo.internal.network.connection.ReconnectingLink;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy;
import io.highway.sdk.dubbo.internal.signature.OutboundRouteHeaders;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.dubbo.common.BaseServiceMetadata;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.config.AbstractConfig;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.AsyncRpcResult;
import org.apache.dubbo.rpc.InvokeMode;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.ConsumerModel;
import org.apache.dubbo.rpc.model.ModuleModel;
import org.apache.dubbo.rpc.model.ServiceDescriptor;
import org.apache.dubbo.rpc.service.EchoService;
import org.jspecify.annotations.Nullable;

/**
 * Sends Dubbo's {@code $echo}, which every provider answers for each of its services, over an endpoint like a call. The
 * application's filters do not see it. Thread-safe.
 */
final class EchoProbe {

    private static final String METHOD = "$echo";

    /** The prefix of QoS's parameters. */
    private static final String QOS = "qos.";

    private final ModuleModel module;
    private final Function<RouteDecision.Tunnel, OutboundRouteHeaders> headers;
    private final GatewayInvokers<Key, EchoService> invokers = new GatewayInvokers<>();

    private record Key(ReconnectingLink connection, String service, String serialization)
            implements GatewayInvokers.Key {}

    EchoProbe(ApplicationModel application, Function<RouteDecision.Tunnel, OutboundRouteHeaders> headers) {
        this.module = application.getInternalModule();
        this.headers = headers;
    }

    /** Sends one probe. */
    CompletableFuture<EchoOutcome> ask(
            GatewayEndpoint endpoint, String service, HealthCheckedDestination destination, int timeoutMillis) {
        AttemptEvidence evidence = null;
        try {
            Invoker<EchoService> invoker = invoker(endpoint, service, destination.policy());
            if (invoker == null) {
                return CompletableFuture.completedFuture(
                        EchoOutcome.failed(Failure.notRun(Reason.GATEWAY_DOWN, "not connected")));
            }
            RpcInvocation invocation = invocation(service, destination);
            invocation.setAttachment(CommonConstants.TIMEOUT_KEY, String.valueOf(timeoutMillis));
            AttemptEvidence collected = AttemptEvidence.begin(
                    invocation,
                    destination.island(),
                    BaseServiceMetadata.interfaceFromServiceKey(service),
                    METHOD,
                    destination.encodings().learning());
            evidence = collected;
            Result result = invoker.invoke(invocation);
            return ((AsyncRpcResult) result)
                    .getResponseFuture()
                    .handle((response, thrown) -> answer(response, thrown, collected));
        } catch (RuntimeException e) {
            return CompletableFuture.completedFuture(EchoOutcome.failed(FailureClassifier.thrown(e, evidence)));
        }
    }

    private static EchoOutcome answer(
            @Nullable AppResponse response, @Nullable Throwable thrown, AttemptEvidence evidence) {
        Throwable failure = thrown != null ? thrown : CallResults.failureIn(response);
        if (failure != null) {
            return EchoOutcome.failed(FailureClassifier.answered(failure, evidence));
        }
        String guard = response == null ? null : response.getAttachment(GuardEchoReply.NAME);
        return new EchoOutcome(null, GuardEchoReply.parse(guard));
    }

    private RpcInvocation invocation(String service, HealthCheckedDestination destination) {
        RpcInvocation invocation = new RpcInvocation(
                null,
                METHOD,
                BaseServiceMetadata.interfaceFromServiceKey(service),
                service,
                new Class<?>[] {Object.class},
                new Object[] {""});
        invocation.setInvokeMode(InvokeMode.ASYNC);
        IslandPolicy policy = destination.policy();
        headers.apply(new RouteDecision.Tunnel(policy.routes().tunnels(), policy, false, 1))
                .write(invocation);
        return invocation;
    }

    private @Nullable Invoker<EchoService> invoker(GatewayEndpoint endpoint, String service, IslandPolicy policy) {
        ReconnectingLink connection = endpoint.connection();
        return !connection.isUp()
                ? null
                : invokers.of(
                        new Key(connection, service, policy.wire().serialization()),
                        () -> create(endpoint, service, policy));
    }

    /** Dubbo starts QoS with the first invoker of a process, by the settings in its URL, which may be this one. */
    private Map<String, String> qosSettings() {
        Map<String, String> settings = new HashMap<>();
        module.getApplicationModel()
                .getApplicationConfigManager()
                .getApplication()
                .ifPresent(application -> AbstractConfig.appendParameters(settings, application));
        settings.keySet().removeIf(key -> !key.startsWith(QOS));
        return settings;
    }

    private Invoker<EchoService> create(GatewayEndpoint endpoint, String service, IslandPolicy policy) {
        ServiceDescriptor descriptor = module.getServiceRepository().registerService(EchoService.class);
        String name = BaseServiceMetadata.interfaceFromServiceKey(service);
        String group = BaseServiceMetadata.groupFromServiceKey(service);
        String version = BaseServiceMetadata.versionFromServiceKey(service);
        Map<String, String> parameters = new HashMap<>();
        parameters.put("interface", name);
        if (group != null) {
            parameters.put("group", group);
        }
        if (!CommonConstants.DEFAULT_VERSION.equals(version)) {
            parameters.put("version", version);
        }
        qosSettings().forEach(parameters::put);
        parameters.put("reference.filter", "-default");
        return GatewayInvokers.create(
                EchoService.class,
                endpoint.connection(),
                name,
                parameters,
                policy.wire().serialization(),
                module,
                new ConsumerModel(service, null, descriptor, module, null, null, EchoService.class.getClassLoader()));
    }
}

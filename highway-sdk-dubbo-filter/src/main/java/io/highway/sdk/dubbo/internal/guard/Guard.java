// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.guard;

import io.highway.sdk.Caller;
import io.highway.sdk.HighwayContext;
import io.highway.sdk.HighwayScope;
import io.highway.sdk.InternalContexts;
import io.highway.sdk.IslandId;
import io.highway.sdk.dubbo.GuardListener;
import io.highway.sdk.dubbo.GuardListener.GuardEvent;
import io.highway.sdk.dubbo.internal.config.GuardRule;
import io.highway.sdk.dubbo.internal.config.GuardWarnings;
import io.highway.sdk.dubbo.internal.config.Policy;
import io.highway.sdk.dubbo.internal.connection.triple.HeadersCheck;
import io.highway.sdk.dubbo.internal.connection.triple.RefusedCall;
import io.highway.sdk.dubbo.internal.connection.triple.TripleServerCompatibility;
import io.highway.sdk.dubbo.internal.evidence.Statements;
import io.highway.sdk.dubbo.internal.intent.Arrival;
import io.highway.sdk.dubbo.internal.intent.CallState;
import io.highway.sdk.dubbo.internal.intent.CalledMethod;
import io.highway.sdk.dubbo.internal.route.GuardAnswer;
import io.highway.sdk.dubbo.internal.route.RouteHeaders;
import io.highway.sdk.dubbo.internal.runtime.HighwayRuntime;
import io.highway.sdk.internal.Texts;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.AsyncRpcResult;
import org.apache.dubbo.rpc.Constants;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/**
 * Receives calls from other islands: runs the checks of {@link GuardCheck}, records the caller, and removes every
 * {@code highway-*} key, so that none reaches the next call. Calls from home are unchanged; a service that runs on its
 * caller's thread (injvm) does not see the caller's scope.
 *
 * <p>Exceptions of the service are answered in a form that callers without the SDK can read, see
 * {@link PlainExceptions}, and {@code highway-*} attachments of its answers are removed, see {@link ResponseHeaders};
 * both apply to calls from home, too.
 *
 * <p>One per application. All filters are inside it, so it sees the call as it arrived and the final answer. Nothing that
 * Dubbo's {@code ContextFilter} sets is known here.
 */
public final class Guard implements GuardedHeaders.Checks {

    /** Begins the names of the services by which consumers at home find those of an application. */
    private static final String METADATA = "org.apache.dubbo.metadata.MetadataService";

    private static final String UNGUARDED = "a call with route headers arrived, and calls for any island are served"
            + " unchecked, because highway.island is not set, or highway.enabled is false; write highway.island";

    private final HighwayRuntime runtime;
    private final GuardState state;
    private final List<GuardCheck> checks;
    private final List<GuardCheck> checksOfHeaders;
    private final List<GuardCheck> checksOfOtherHeaders;
    private final GuardedHeaders headers = new GuardedHeaders(this);

    /** The services that it guards. */
    private final Set<Invoker<?>> services = ConcurrentHashMap.newKeySet();

    private Guard(ApplicationModel application) {
        this.runtime = HighwayRuntime.of(application);
        this.state = GuardState.of(application);
        this.checks = GuardCheck.all(state);
        this.checksOfHeaders = GuardCheck.ofHeaders(state, true);
        this.checksOfOtherHeaders = GuardCheck.ofHeaders(state, false);
        TripleServerCompatibility.of(application.getFrameworkModel()).check(application, headers);
        Policy policy = runtime.policyIfRead();
        if (policy != null) {
            GatewayNames unused = state.names(policy.guard()); // resolved before the first call, if it is late enough
        }
    }

    /** The guard of an application. */
    public static Guard of(ApplicationModel application) {
        return application.getBeanFactory().getOrRegisterBean(Guard.class, type -> new Guard(application));
    }

    /** A service is exported. */
    void exported(Invoker<?> service) {
        URL url = service.getUrl();
        headers.exported(service);
        if (url.getServiceInterface().startsWith(METADATA)) {
            Policy policy = runtime.policyIfEnabled();
            List<String> warnings = policy == null ? List.of() : GuardWarnings.ofMetadata(policy.guard());
            warnings.forEach(runtime.warnings()::once);
        }
        services.add(service);
    }

    /** A service is no longer exported. */
    void unexported(Invoker<?> service) {
        headers.unexported(service);
        services.remove(service);
    }

    /** The protocols on which other processes reach each exported service, by {@code [group/]interface[:version]}. */
    public Map<String, Set<String>> services() {
        Map<String, Set<String>> protocols = new TreeMap<>();
        for (Invoker<?> service : services) {
            URL url = service.getUrl();
            if (!url.getProtocol().equals(Constants.LOCAL_PROTOCOL)) {
                protocols
                        .computeIfAbsent(url.getServiceKey(), any -> new TreeSet<>())
                        .add(url.getProtocol());
            }
        }
        return protocols;
    }

    /** Serves a call, unless a check refuses it. */
    Result serve(Invoker<?> service, Invocation invocation) {
        Arrival http = CallState.get(invocation, Arrival.class);
        Policy policy = runtime.policyIfEnabled();
        if (http != null && http.problem() != null) {
            return refuseProblem(policy, service, invocation, http.problem());
        }
        RouteHeaders headers = RouteHeaders.read(invocation);
        if (headers != null) {
            return serveRouted(policy, headers, service, invocation);
        }
        return policy != null && policy.guard().restrictsIngress()
                ? serveFromHome(policy, service, invocation)
                : serve(HighwayContext.empty(), service, invocation);
    }

    private Result serveRouted(
            @Nullable Policy policy, RouteHeaders headers, Invoker<?> service, Invocation invocation) {
        RouteHeaders.strip(invocation.getObjectAttachments());
        RouteHeaders.strip(RpcContext.getServerAttachment().getObjectAttachments());
        Origin origin = Origin.parse(headers.from(), invocation.getAttachment(CommonConstants.REMOTE_APPLICATION_KEY));
        Caller caller = origin.caller();
        if (policy != null) {
            GuardedCall call = new GuardedCall(
                    service,
                    invocation,
                    headers,
                    origin,
                    policy,
                    runtime.signatures().verifier());
            GuardRefusal refusal = firstRefusal(call);
            if (refusal != null) {
                return refuse(call, refusal);
            }
            if (call.isEcho()) {
                GuardAnswer.mark(invocation, policy.home());
            }
            caller = call.caller();
        } else { // without a policy nothing else is checked
            runtime.warnings().once(UNGUARDED);
            GuardRefusal refusal = GuardCheck.repeated(invocation, headers, false, state);
            if (refusal != null) {
                return refused(refusal, invocation);
            }
        }
        HighwayContext context = InternalContexts.servedFor(caller, origin.hops());
        CallState.put(invocation, HighwayContext.class, context);
        return serve(context, service, invocation);
    }

    /**
     * Why a Triple request is refused before its body is read, or null.
     *
     * @param invocation has the request's headers
     * @param isMethodKnown whether it has the types of the method
     */
    @Override
    public HeadersCheck.@Nullable Refusal refusalByHeaders(
            Invoker<?> service, Invocation invocation, boolean isMethodKnown) {
        RouteHeaders read = RouteHeaders.read(invocation);
        Policy policy = runtime.policyIfEnabled();
        if (policy == null) {
            return null;
        }
        Origin origin = read == null
                ? null
                : Origin.parse(read.from(), invocation.getAttachment(CommonConstants.REMOTE_APPLICATION_KEY));
        if (read == null || origin == null) {
            GuardRefusal refusal = Ingress.refusalOf(service, policy, state);
            if (refusal == null || refusal.isShadow()) {
                return null;
            }
            report(policy, service, invocation, refusal);
            return new HeadersCheck.Refusal(Statements.REFUSED_MESSAGE + refusal.message(), null);
        }
        GuardedCall call = new GuardedCall(
                service, invocation, read, origin, policy, runtime.signatures().verifier());
        for (GuardCheck check : isMethodKnown ? checksOfHeaders : checksOfOtherHeaders) {
            GuardRefusal refusal = check.refusal(call);
            if (refusal != null && !refusal.isShadow()) {
                report(call, refusal);
                GuardAudit.refused(runtime.audit(), call, refusal);
                return new HeadersCheck.Refusal(
                        Statements.REFUSED_MESSAGE + refusal.message(), statement(call, refusal));
            }
        }
        return null;
    }

    /** Not audited: the call may come again, to another provider. */
    @Override
    public HeadersCheck.@Nullable Refusal withoutThread(
            String service, String method, RouteHeaders request, @Nullable String sender) {
        String called = services.stream()
                .map(Invoker::getUrl)
                .filter(url -> url.getPath().equals(service))
                .map(URL::getServiceInterface)
                .findFirst()
                .orElse(null);
        if (called == null) {
            return null;
        }
        Origin origin = Origin.parse(request.from(), sender);
        report(
                GuardEvent.builder(
                                GuardListener.Result.REFUSED, Statements.BUSY, called, ServiceMethods.printable(method))
                        .caller(origin.caller())
                        .island(Texts.printable(request.island())),
                Statements.NO_THREAD);
        boolean isProof = IslandId.isValid(request.island()) && !origin.isPassedOn();
        return new HeadersCheck.Refusal(
                Statements.REFUSED_MESSAGE + Statements.NO_THREAD,
                isProof
                        ? RefusedCall.statementOf(
                                request.island(), Statements.NO_THREAD, Statements.call(called, method))
                        : null);
    }

    @Override
    public void ended(RouteHeaders request, boolean isServedLater) {
        if (isServedLater) {
            state.abandoned(request); // verified again, it would be a replay
        } else {
            state.verified().remove(request);
        }
    }

    /** How many islands a call has crossed; 0 if it comes from home, or if the guard has not seen it. */
    static int hops(Invocation invocation) {
        HighwayContext context = CallState.get(invocation, HighwayContext.class);
        return context == null ? 0 : InternalContexts.hops(context);
    }

    /** Without proof that nothing ran. */
    private static Result refused(GuardRefusal refusal, Invocation invocation) {
        Arrival http = CallState.get(invocation, Arrival.class);
        if (http != null && refusal.isRepeat()) {
            http.refuse().accept(refusal.reason()); // what is returned reaches nobody then
        }
        return AsyncRpcResult.newDefaultAsyncResult(Statements.refusal(refusal.message()), invocation);
    }

    /** The first refusal that is in force; others are only reported. */
    private @Nullable GuardRefusal firstRefusal(GuardedCall call) {
        GuardRefusal shadow = null;
        for (GuardCheck check : checks) {
            GuardRefusal refusal = check.refusal(call);
            if (refusal != null) {
                report(call, refusal);
                if (!refusal.isShadow()) {
                    return refusal;
                }
                shadow = shadow == null ? refusal : shadow;
            }
        }
        GuardRefusal unaudited = GuardAudit.begin(runtime.audit(), call, shadow);
        if (unaudited != null) {
            report(call, unaudited);
            return unaudited;
        }
        GuardRule audit = call.authorize().audit();
        if (audit != null) {
            report(event(GuardListener.Result.AUDITED, "audit", call).rule(audit.name()), null);
        }
        return null;
    }

    /** Serves or refuses a call without route headers. */
    private Result serveFromHome(Policy policy, Invoker<?> invoker, Invocation invocation) {
        GuardRefusal refusal = Ingress.refusalOf(invoker, policy, state);
        if (refusal != null) {
            report(policy, invoker, invocation, refusal);
            if (refusal.isShadow()) {
                refusal = GuardAudit.begin(runtime.audit(), policy, invoker, invocation, refusal);
                if (refusal != null) {
                    report(policy, invoker, invocation, refusal);
                }
            }
            if (refusal != null) {
                return refused(refusal, invocation);
            }
        }
        return serve(HighwayContext.empty(), invoker, invocation);
    }

    /**
     * Refuses what came over HTTP and contradicts itself, without proof that nothing ran: another copy of it may be intact.
     * What it says of its caller is not reported.
     */
    private Result refuseProblem(
            @Nullable Policy policy, Invoker<?> service, Invocation invocation, Arrival.Problem problem) {
        GuardRefusal refusal = GuardRefusal.of(problem.reason(), problem.detail());
        if (policy != null) {
            report(policy, service, invocation, refusal);
        }
        return refused(refusal, invocation);
    }

    /** Of a call without route headers that can be relied on. */
    private void report(Policy policy, Invoker<?> invoker, Invocation invocation, GuardRefusal refusal) {
        GuardListener.Result result = refusal.isShadow() ? GuardListener.Result.SHADOW : GuardListener.Result.REFUSED;
        String service = invoker.getUrl().getServiceInterface();
        String method = ServiceMethods.printable(CalledMethod.nameOf(invocation));
        report(GuardEvent.builder(result, refusal.reason(), service, method), refusal.message());
        if (!refusal.isShadow()) {
            GuardAudit.refused(runtime.audit(), policy, invoker, invocation, refusal);
        }
    }

    private void report(GuardedCall call, GuardRefusal refusal) {
        GuardListener.Result result = refusal.isShadow() ? GuardListener.Result.SHADOW : GuardListener.Result.REFUSED;
        report(event(result, refusal.reason(), call).rule(refusal.rule()), refusal.message());
    }

    private static GuardEvent.Builder event(GuardListener.Result result, String reason, GuardedCall call) {
        return GuardEvent.builder(result, reason, call.service(), call.printableMethod())
                .caller(call.caller())
                .island(Texts.printable(call.headers().island()));
    }

    private void report(GuardEvent.Builder event, @Nullable String message) {
        InetAddress peer = Peers.current();
        state.reports()
                .report(
                        event.peer(peer == null ? null : peer.getHostAddress()).build(),
                        message,
                        runtime.guardListeners());
    }

    /**
     * {@link RefusedCall} proves to the caller that nothing ran, if the call names its destination; the text is for
     * people. A caller that forwards the headers of a call which it serves gets the text only: it would return the
     * statement to its own caller, as one about the call that it serves.
     */
    private Result refuse(GuardedCall call, GuardRefusal refusal) {
        GuardAudit.refused(runtime.audit(), call, refusal);
        Result answer = refused(refusal, call.invocation());
        String statement = statement(call, refusal);
        if (statement != null) {
            RefusedCall.mark(call.invocation(), statement);
            ResponseHeaders.add(answer, call.invocation());
        }
        return answer;
    }

    /** What proves to the caller that nothing ran, or null. */
    private static @Nullable String statement(GuardedCall call, GuardRefusal refusal) {
        String island = call.headers().island();
        return IslandId.isValid(island) && !call.origin().isPassedOn() && !refusal.mayHaveRun()
                ? RefusedCall.statementOf(
                        island,
                        refusal.message(),
                        Statements.call(call.service(), CalledMethod.nameOf(call.invocation())))
                : null;
    }

    /**
     * Serves the call in its own context: with injvm the caller's scope is open on this thread and must not apply to
     * the service.
     */
    private Result serve(HighwayContext context, Invoker<?> service, Invocation invocation) {
        boolean isCurrent = context.isEmpty() && HighwayContext.capture().isEmpty();
        HighwayScope scope = isCurrent ? null : context.open();
        try {
            Result result = service.invoke(invocation);
            if (isRouted(invocation) && result instanceof AsyncRpcResult later) {
                later.setResponseFuture(later.getResponseFuture()
                        .exceptionally(failure -> new AppResponse(plain(failure, service, invocation))));
            }
            return result.whenCompleteWithContext((answer, failure) -> answered(service, invocation, answer, failure));
        } catch (Throwable e) { // of a filter
            GuardAudit.returned(runtime.audit(), invocation, e);
            return failed(e, service, invocation);
        } finally {
            if (scope != null) {
                scope.close();
            }
        }
    }

    /**
     * Ends a call whose filter threw an exception. Not with a class name that means something else: Dubbo's server writes
     * the class name of an exception into an error frame, as it does with its own {@code RemotingException} for a missing
     * service, so a filter that throws one, undeclared, would claim that the call has not run.
     */
    private Result failed(Throwable thrown, Invoker<?> service, Invocation invocation) {
        if (thrown instanceof RuntimeException failure) {
            throw (RuntimeException) plain(failure, service, invocation);
        }
        if (isRouted(invocation)) {
            return AsyncRpcResult.newDefaultAsyncResult(plain(thrown, service, invocation), invocation);
        }
        if (thrown instanceof Error error) {
            throw error;
        }
        throw new RpcException(thrown.getMessage(), thrown);
    }

    private static boolean isRouted(Invocation invocation) {
        return CallState.get(invocation, HighwayContext.class) != null;
    }

    private static Throwable plain(Throwable thrown, Invoker<?> service, Invocation invocation) {
        return isRouted(invocation)
                ? PlainExceptions.toAnotherIsland(thrown, invocation, service.getUrl())
                : PlainExceptions.of(thrown);
    }

    private void answered(
            Invoker<?> service, Invocation invocation, @Nullable Result answer, @Nullable Throwable failure) {
        Throwable thrown = answer == null ? failure : answer.getException();
        GuardAudit.returned(runtime.audit(), invocation, thrown);
        if (answer == null) {
            return;
        }
        HighwayContext context = CallState.get(invocation, HighwayContext.class);
        if (thrown != null) {
            Throwable plain = plain(thrown, service, invocation);
            if (plain != thrown) {
                answer.setException(plain);
            }
        } else if (answer.getValue() instanceof StreamObserver<?> observer && context != null) {
            answer.setValue(new ServedStream<>(context, observer));
        }
        ResponseHeaders.remove(answer);
        ResponseHeaders.add(answer, invocation);
    }
}

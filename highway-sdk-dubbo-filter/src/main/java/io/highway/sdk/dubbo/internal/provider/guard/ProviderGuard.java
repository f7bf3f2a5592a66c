// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import io.highway.sdk.Caller;
import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.HighwayContext;
import io.highway.sdk.HighwayScope;
import io.highway.sdk.InternalContexts;
import io.highway.sdk.IslandId;
import io.highway.sdk.dubbo.GuardListener;
import io.highway.sdk.dubbo.GuardListener.GuardEvent;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.call.CallAttributes;
import io.highway.sdk.dubbo.internal.call.CanonicalMethod;
import io.highway.sdk.dubbo.internal.call.GuardEchoReply;
import io.highway.sdk.dubbo.internal.call.InboundHttpTunnelCall;
import io.highway.sdk.dubbo.internal.call.InboundRouteHeaders;
import io.highway.sdk.dubbo.internal.evidence.NotSentStatements;
import io.highway.sdk.dubbo.internal.operate.audit.InboundCallAudit;
import io.highway.sdk.dubbo.internal.policy.GuardRule;
import io.highway.sdk.dubbo.internal.policy.GuardWarnings;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.Subnet;
import io.highway.sdk.dubbo.internal.provider.server.PreDecodeCheck.Refusal;
import io.highway.sdk.dubbo.internal.provider.server.RefusalStatement;
import io.highway.sdk.internal.Texts;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.AsyncRpcResult;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.ServiceModel;
import org.jspecify.annotations.Nullable;

/**
 * Receives calls from other islands: runs the checks of {@link GuardStep}, once, records the caller, and removes every
 * {@code highway-*} key, so that none reaches the next call. A call of a peer that is not known as home is checked before
 * anything of it is decoded, see {@link Guards}, and what is decoded then must be what was checked ({@link AdmittedRequest}). Calls from home are unchanged; a service that runs on its
 * caller's thread (injvm) does not see the caller's scope.
 *
 * <p>Exceptions of the service are answered in a form that callers without the SDK can read, see
 * {@link ExceptionConverter}, and {@code highway-*} attachments of its answers are removed, see {@link ResponseHeaders};
 * both apply to calls from home, too.
 *
 * <p>One per application. All filters are inside it, so it sees the call as it arrived and the final answer. Nothing that
 * Dubbo's {@code ContextFilter} sets is known here.
 */
final class ProviderGuard {

    /** The reason of a request that cannot be read, or contradicts itself. */
    static final String MALFORMED = "malformed";

    /** Begins the names of the services by which consumers at home find those of an application. */
    private static final String METADATA = "org.apache.dubbo.metadata.MetadataService";

    private static final String UNGUARDED = "a call with route headers arrived, and calls for any island are served"
            + " unchecked, because highway.island is not set, or highway.enabled is false; write highway.island";

    /** Counts the attempts of an Envoy, if its virtual host says {@code include_request_attempt_count}, as Istio's do. */
    private static final String ATTEMPTS = "x-envoy-attempt-count";

    private static final List<String> HEADERS = List.of(
            HighwayAttachments.ISLAND,
            HighwayAttachments.FROM,
            HighwayAttachments.SIGN,
            CommonConstants.REMOTE_APPLICATION_KEY,
            "traceparent");

    private final HighwayRuntime runtime;
    private final GuardContext state;
    private final List<GuardStep> checks;
    private final List<GuardStep> checksOfHeaders;
    private final List<GuardStep> checksOfHome;
    private final AtomicBoolean warnedOfAttempts = new AtomicBoolean();

    private ProviderGuard(ApplicationModel application) {
        this.runtime = HighwayRuntime.of(application);
        this.state = GuardContext.of(application);
        this.checks = GuardStep.all(state);
        this.checksOfHeaders = GuardStep.ofHeaders(state);
        this.checksOfHome = GuardStep.ofHome(state);
        Policy policy = runtime.policyIfRead();
        if (policy != null) {
            ResolvedGateways unused =
                    state.names(policy.guard()); // resolved before the first call, if it is late enough
        }
    }

    /** The guard of an application. */
    static ProviderGuard of(ApplicationModel application) {
        return application
                .getBeanFactory()
                .getOrRegisterBean(ProviderGuard.class, type -> new ProviderGuard(application));
    }

    /** A service is exported. */
    void exported(Invoker<?> service) {
        if (service.getUrl().getServiceInterface().startsWith(METADATA)) {
            Policy policy = runtime.policyIfEnabled();
            List<String> warnings = policy == null ? List.of() : GuardWarnings.ofMetadata(policy.guard());
            warnings.forEach(runtime.warnings()::once);
        }
    }

    /** Whether requests of this peer are checked before anything of them is decoded; of an unknown one, too. */
    boolean isClosedTo(@Nullable InetSocketAddress peer) {
        Policy policy = runtime.policyIfEnabled();
        return policy != null
                && (policy.guard().restrictsIngress()
                        || policy.guard().home() != null
                        || policy.signing().isDemanded())
                && !PeerClassifier.isFromHome(policy, addressOf(peer), state.names(policy.guard()));
    }

    /** Serves a call if it is admitted, or was when nothing of it was decoded. */
    Result serve(Invoker<?> service, Invocation invocation) {
        CalledService target = CalledService.of(service);
        AdmittedRequest admission = CallAttributes.get(invocation, AdmittedRequest.class);
        Refusal refusal = admission == null
                ? admitDecoded(target, invocation)
                : refusalOf(admission, target, (RpcInvocation) invocation);
        InboundRouteHeaders.strip(invocation.getObjectAttachments());
        InboundRouteHeaders.strip(RpcContext.getServerAttachment().getObjectAttachments());
        if (refusal != null) {
            return refused(refusal, invocation);
        }
        return serve(
                Objects.requireNonNull(CallAttributes.get(invocation, AdmittedRequest.class))
                        .context(),
                service,
                invocation);
    }

    private void warnOfAttempts(@Nullable InetSocketAddress peer, Invocation call) {
        String attempts = call.getAttachment(ATTEMPTS);
        if (attempts != null && attempts.matches("[2-9]|\\d{2,4}") && warnedOfAttempts.compareAndSet(false, true)) {
            runtime.warnings()
                    .once("the gateway " + Objects.requireNonNullElse(text(addressOf(peer)), "?")
                            + " sends calls again, and one may run twice (" + ATTEMPTS + " is " + attempts
                            + "); set no retry_policy in Envoy, retries: {attempts: 0} in Istio");
        }
    }

    /** Why an admitted call does not run, or null. One whose caller has left is no attack, and not reported. */
    private @Nullable Refusal refusalOf(AdmittedRequest admission, CalledService target, RpcInvocation decoded) {
        String difference = admission.differenceFrom(target, decoded);
        if (difference != null) {
            admission.abandon(decoded);
            return malformed(
                    peer(), MALFORMED, "what was decoded has another " + difference + " than what was checked");
        }
        return admission.use() ? null : refusal(GuardRefusal.of(NotSentStatements.NOT_RUN, "its caller has left"));
    }

    /**
     * Of a peer to which the guard is closed a call comes here without admission only if its parameters are Protocol
     * Buffers, which Dubbo 3.2 decodes without asking header filters and which no class is looked up for, or if somebody
     * has switched our filter off.
     */
    private @Nullable Refusal admitDecoded(CalledService target, Invocation invocation) {
        InetSocketAddress peer = peer();
        List<String> types = CanonicalMethod.of(invocation).types();
        boolean isClosed = !target.isLocal() && peer != null && isClosedTo(peer);
        if (isClosed && (types == null || !types.isEmpty())) {
            return malformed(
                    peer,
                    "unchecked",
                    "its arguments were decoded before the guard was asked; remove -highway-guard and -default from"
                            + " header.filter of the service");
        }
        return admit(peer, target, invocation);
    }

    /** The peer of the connection over which the current thread received its call, or null if Dubbo does not tell. */
    private static @Nullable InetSocketAddress peer() {
        return RpcContext.getServiceContext().getRemoteAddress();
    }

    /** The address of a peer, or null if Dubbo's server does not tell, or it has a name only. */
    private static @Nullable InetAddress addressOf(@Nullable InetSocketAddress peer) {
        if (peer == null) {
            return null;
        }
        return peer.isUnresolved() ? Subnet.literal(peer.getHostString()) : peer.getAddress();
    }

    /** Checks a call, decoded or not; the admission is kept with it. */
    @Nullable
    Refusal admit(@Nullable InetSocketAddress peer, CalledService target, Invocation call) {
        GuardRefusal problem = GuardStep.problem(call);
        InboundRouteHeaders headers =
                problem == null ? InboundRouteHeaders.read(call) : null; // what it says of its caller is not reported
        Policy policy = runtime.policyIfEnabled();
        if (policy == null) {
            return problem == null ? admitUnguarded(peer, target, call, headers) : refusal(problem);
        }
        GuardedCall guarded = guarded(peer, target, call, headers, policy);
        GuardRefusal refusal = firstRefusal(guarded);
        if (refusal == null || NotSentStatements.isRepeat(refusal.reason())) {
            warnOfAttempts(peer, call);
        }
        if (refusal != null) {
            GuardAudit.refused(runtime.audit(), guarded, refusal);
            return refusal(guarded, refusal);
        }
        if (headers == null) {
            return admitted(target, call, HighwayContext.empty());
        }
        if (guarded.isEcho()) {
            GuardEchoReply.mark(call, guarded.asked());
        }
        return admitted(target, call, guarded.caller(), guarded.origin().hops());
    }

    /** Without a policy nothing is checked, except that no copy of a request has run. */
    private @Nullable Refusal admitUnguarded(
            @Nullable InetSocketAddress peer,
            CalledService target,
            Invocation call,
            @Nullable InboundRouteHeaders headers) {
        if (headers == null) {
            return admitted(target, call, HighwayContext.empty());
        }
        runtime.warnings().once(UNGUARDED);
        GuardRefusal refusal = GuardStep.repeated(call, headers, addressOf(peer), state);
        ClaimedOrigin origin = ClaimedOrigin.of(headers, call);
        return refusal == null ? admitted(target, call, origin.caller(), origin.hops()) : refusal(refusal);
    }

    private static @Nullable Refusal admitted(
            CalledService target, Invocation call, @Nullable Caller caller, int hops) {
        HighwayContext context = InternalContexts.servedFor(caller, hops);
        CallAttributes.put(call, HighwayContext.class, context);
        return admitted(target, call, context);
    }

    private static @Nullable Refusal admitted(CalledService target, Invocation call, HighwayContext context) {
        AdmittedRequest.put(target, call, context);
        return null;
    }

    private GuardedCall guarded(
            @Nullable InetSocketAddress peer,
            CalledService target,
            Invocation call,
            @Nullable InboundRouteHeaders headers,
            Policy policy) {
        return new GuardedCall(
                target,
                call,
                addressOf(peer),
                headers,
                policy,
                runtime.signatures().verifier());
    }

    /** A call of which its headers are known only; null without a policy. */
    private @Nullable GuardedCall undecoded(
            @Nullable InetSocketAddress peer,
            CalledService target,
            String method,
            UnaryOperator<@Nullable String> values) {
        Policy policy = runtime.policyIfEnabled();
        RpcInvocation call = new RpcInvocation((ServiceModel) null, method, "", "", new Class<?>[0], new Object[0]);
        HEADERS.forEach(header -> call.setAttachment(header, values.apply(header)));
        return policy == null ? null : guarded(peer, target, call, InboundRouteHeaders.read(call), policy);
    }

    /** Why a request is refused before its body is read, or null. */
    @Nullable
    Refusal refusalByHeaders(
            InetSocketAddress peer, CalledService target, String method, UnaryOperator<@Nullable String> values) {
        GuardedCall call = undecoded(peer, target, method, values);
        if (call == null) {
            return null;
        }
        for (GuardStep check : call.isRouted() ? checksOfHeaders : checksOfHome) {
            GuardRefusal refusal = check.refusal(call);
            if (refusal != null && !refusal.isShadow()) {
                report(call, refusal);
                GuardAudit.refused(runtime.audit(), call, refusal);
                return refusal(call, refusal);
            }
        }
        return null;
    }

    /**
     * Refuses a request for which no thread was free, or returns null if it has no route headers. Not audited: the call may
     * come again, to another provider.
     */
    @Nullable
    Refusal withoutThread(
            InetSocketAddress peer, CalledService target, String method, UnaryOperator<@Nullable String> values) {
        GuardedCall call = undecoded(peer, target, method, values);
        if (call == null || !call.isRouted()) {
            return null;
        }
        GuardRefusal refusal = GuardRefusal.of(NotSentStatements.BUSY, NotSentStatements.THREAD_POOL);
        report(call, refusal);
        return refusal(call, refusal);
    }

    /** Reports a request that cannot be served by whatever policy. Nothing of it has run: it names no caller to rely on. */
    Refusal malformed(@Nullable InetSocketAddress peer, String reason, String detail) {
        Policy policy = runtime.policyIfEnabled();
        String message = reason + "; " + detail;
        GuardEvent event =
                new GuardEvent(GuardListener.Result.REFUSED, reason, "?", "?", null, null, text(addressOf(peer)), null);
        state.reports().report(event, message, runtime.guardListeners());
        return new Refusal(reason, message, policy == null ? null : policy.home() + ";" + message);
    }

    /** How many islands a call has crossed; 0 if it comes from home, or if the guard has not seen it. */
    static int hops(Invocation invocation) {
        HighwayContext context = CallAttributes.get(invocation, HighwayContext.class);
        return context == null ? 0 : InternalContexts.hops(context);
    }

    /** The answer to a call that is refused here. */
    private static Result refused(Refusal refusal, Invocation invocation) {
        InboundHttpTunnelCall http = CallAttributes.get(invocation, InboundHttpTunnelCall.class);
        if (http != null && NotSentStatements.isRepeat(refusal.reason())) {
            http.refuse().accept(refusal.reason()); // what is returned is not sent then
        }
        Result answer = AsyncRpcResult.newDefaultAsyncResult(NotSentStatements.refusal(refusal.message()), invocation);
        if (refusal.statement() != null) {
            RefusalStatement.mark(invocation, refusal.statement());
            ResponseHeaders.add(answer, invocation);
        }
        return answer;
    }

    /** The first refusal that is enforced; others are only reported. */
    private @Nullable GuardRefusal firstRefusal(GuardedCall call) {
        GuardRefusal shadow = null;
        for (GuardStep check : call.isRouted() ? checks : checksOfHome) {
            GuardRefusal refusal = check.refusal(call);
            if (refusal != null) {
                report(call, refusal);
                if (!refusal.isShadow()) {
                    return refusal;
                }
                shadow = shadow == null ? refusal : shadow;
            }
        }
        if (shadow == null && !call.isRouted()) {
            return null; // a call from home
        }
        GuardRefusal unaudited = GuardAudit.begin(runtime.audit(), call, shadow);
        if (unaudited != null) {
            report(call, unaudited);
            return unaudited;
        }
        GuardRule audit = call.isRouted() ? call.authorize().audit() : null;
        if (audit != null) {
            report(GuardListener.Result.AUDITED, "audit", audit.name(), call, null);
        }
        return null;
    }

    private void report(GuardedCall call, GuardRefusal refusal) {
        GuardListener.Result result = refusal.isShadow() ? GuardListener.Result.SHADOW : GuardListener.Result.REFUSED;
        report(result, refusal.reason(), refusal.rule(), call, refusal.message());
    }

    private void report(
            GuardListener.Result result,
            String reason,
            @Nullable String rule,
            GuardedCall call,
            @Nullable String message) {
        String island = call.island();
        GuardEvent event = new GuardEvent(
                result,
                reason,
                call.service(),
                call.printableMethod(),
                rule,
                call.caller(),
                text(call.peer()),
                island == null ? null : Texts.printable(island));
        state.reports().report(event, message, runtime.guardListeners());
    }

    private static @Nullable String text(@Nullable InetAddress peer) {
        return peer == null ? null : peer.getHostAddress();
    }

    /** Without proof that nothing ran. */
    private static Refusal refusal(GuardRefusal refusal) {
        return new Refusal(refusal.reason(), refusal.message(), null);
    }

    /**
     * The statement proves to the caller that nothing ran, if the call names its destination; the text is for people. A
     * caller that forwards the headers of a call which it serves gets the text only: it would return the statement to its
     * own caller, as one about the call that it serves.
     */
    private static Refusal refusal(GuardedCall call, GuardRefusal refusal) {
        return new Refusal(refusal.reason(), refusal.message(), statement(call, refusal));
    }

    /** What proves to the caller that nothing ran, or null. */
    private static @Nullable String statement(GuardedCall call, GuardRefusal refusal) {
        String island = call.island();
        return island != null && IslandId.isValid(island) && !call.origin().isPassedOn() && !refusal.mayHaveRun()
                ? RefusalStatement.statementOf(
                        island,
                        refusal.message(),
                        NotSentStatements.call(call.service(), CanonicalMethod.nameOf(call.invocation())))
                : null;
    }

    /**
     * Serves the call in its own context: with injvm the caller's scope is open on this thread and must not apply to
     * the service.
     */
    private Result serve(HighwayContext context, Invoker<?> service, Invocation invocation) {
        InboundCallAudit.running((RpcInvocation) invocation);
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
            InboundCallAudit.returned(invocation, e);
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
        return CallAttributes.get(invocation, HighwayContext.class) != null;
    }

    private static Throwable plain(Throwable thrown, Invoker<?> service, Invocation invocation) {
        return isRouted(invocation)
                ? ExceptionConverter.toAnotherIsland(thrown, invocation, service.getUrl())
                : ExceptionConverter.of(thrown);
    }

    private void answered(
            Invoker<?> service, Invocation invocation, @Nullable Result answer, @Nullable Throwable failure) {
        Throwable thrown = answer == null ? failure : answer.getException();
        InboundCallAudit.returned(invocation, thrown);
        if (answer == null) {
            return;
        }
        HighwayContext context = CallAttributes.get(invocation, HighwayContext.class);
        if (thrown != null) {
            Throwable plain = plain(thrown, service, invocation);
            if (plain != thrown) {
                answer.setException(plain);
            }
        } else if (answer.getValue() instanceof StreamObserver<?> observer && context != null) {
            answer.setValue(new ContextRestoringObserver<>(context, observer));
        }
        ResponseHeaders.remove(answer);
        ResponseHeaders.add(answer, invocation);
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.failover;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.InternalHighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.call.CallAttributes;
import io.highway.sdk.dubbo.internal.call.DubboCall;
import io.highway.sdk.dubbo.internal.caller.endpoint.GatewayEndpoint;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecision;
import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.highway.sdk.dubbo.internal.evidence.CallResults;
import io.highway.sdk.dubbo.internal.evidence.Failure;
import io.highway.sdk.dubbo.internal.evidence.FailureClassifier;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.dubbo.rpc.AsyncRpcResult;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.protocol.tri.observer.ClientCallToObserverAdapter;
import org.apache.dubbo.rpc.support.RpcUtils;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a call over one endpoint, which has admitted it. It reports its end to the endpoint; a failure becomes
 * an exception that names what was asked and decided.
 *
 * <p>It is also the function that does so for an answer, which saves an object for every call.
 */
final class Attempt implements Function<Throwable, HighwayException> {

    private final DubboCall call;
    private final TunnelledCall tunnelled;
    private final RouteDecision.Tunnel decision;
    private final GatewayEndpoint endpoint;
    private final AttemptEvidence evidence;
    private final int trial;
    private final long begun;

    /**
     * Begins an attempt.
     *
     * @param trial the endpoint's when it admitted the call
     */
    Attempt(TunnelledCall tunnelled, GatewayEndpoint endpoint, int trial) {
        this.call = tunnelled.call();
        this.tunnelled = tunnelled;
        this.decision = tunnelled.decision();
        this.endpoint = endpoint;
        this.trial = trial;
        this.begun = tunnelled.now();
        tunnelled.destination().used(call.serviceKey(), false);
        this.evidence = AttemptEvidence.begin(
                call.invocation(),
                decision.island(),
                call.interfaceName(),
                call.methodName(),
                tunnelled.destination().encodings().learning());
    }

    /**
     * Sends the call.
     *
     * @param invoke as Dubbo's cluster invokers invoke
     * @param arguments as the caller passed them: an earlier attempt may have wrapped a stream's observer
     * @throws HighwayException if the attempt fails before this method returns
     */
    <T> Result run(
            Invoker<T> invoker, BiFunction<Invoker<T>, Invocation, Result> invoke, @Nullable Object[] arguments) {
        RpcInvocation invocation = (RpcInvocation) call.invocation();
        if (decision.streaming()) {
            invocation.setArguments(FailureExplainingObserver.in(
                    arguments,
                    answer -> explained(certain(FailureClassifier.answered(answer, evidence)), answer),
                    tunnelled.routed(),
                    call.isBidirectional()));
        }
        Result result = CallResults.settle(send(invoker, invoke), invocation, this);
        if (decision.streaming() && result.getValue() instanceof ClientCallToObserverAdapter<?> requests) {
            result.setValue(new CancellableRequestObserver<>(requests, tunnelled.routed()));
        }
        reportDelivery(result);
        return result;
    }

    private <T> Result send(Invoker<T> invoker, BiFunction<Invoker<T>, Invocation, Result> invoke) {
        Invocation outer = CallAttributes.passing(call.invocation());
        try {
            tunnelled.routed().attempting(endpoint.address(), evidence);
            return invoke.apply(invoker, call.invocation());
        } catch (RpcException e) {
            if (e.getCause() instanceof InterruptedException) {
                Thread.currentThread().interrupt(); // Dubbo has cleared the mark
            }
            throw failed(
                    evidence.isSent() ? FailureClassifier.afterwards(e) : FailureClassifier.thrown(e, evidence), e);
        } catch (Throwable e) { // of a filter, which may be checked; or the caller no longer waits
            endpoint.released(trial);
            throw e;
        } finally {
            CallAttributes.passed(outer);
        }
    }

    /** The answer is a failure. */
    @Override
    public HighwayException apply(Throwable answer) {
        return failed(FailureClassifier.answered(answer, evidence), answer);
    }

    /** What prevented the last request says nothing about one that a filter has sent before. */
    private Failure certain(Failure failure) {
        return failure.mayHaveRun() || !evidence.mayHaveRunBefore()
                ? failure
                : Failure.maybeRun(
                        Reason.REMOTE_FAILURE, "a consumer filter sent the call more than once: " + failure.what());
    }

    private HighwayException failed(Failure last, Throwable thrown) {
        Failure failure = certain(last);
        HighwayException explained = explained(failure, thrown);
        boolean isOfAFilter = failure.reason() == Reason.TIMEOUT && !evidence.hasPassedFilters();
        if (isOfAFilter) { // of another call that it has made
            endpoint.released(trial);
        } else {
            endpoint.failed(trial, begun, call.name(), failure);
        }
        tunnelled.routed().attemptFailed(explained);
        return explained;
    }

    private HighwayException explained(Failure failure, Throwable thrown) {
        return thrown instanceof HighwayException known
                        && InternalHighwayException.isFromHere(known)
                        && known.mayHaveRun() == failure.mayHaveRun()
                        && known.reason() == failure.reason()
                ? known
                : tunnelled
                        .routed()
                        .exception(
                                call,
                                failure.reason(),
                                failure.mayHaveRun(),
                                endpoint.address().kind() + " tunnel to " + decision.island() + " through "
                                        + endpoint.address().hostAndPort(),
                                failure.what(),
                                FailureAdvice.on(failure, decision, thrown),
                                thrown);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it only listens
    private void reportDelivery(Result result) {
        if (decision.streaming()) {
            endpoint.released(trial);
        } else if (!(result instanceof AsyncRpcResult async)) {
            delivered();
        } else if (!async.getResponseFuture().isDone()) {
            async.getResponseFuture().thenRun(this::delivered);
        } else if (!async.getResponseFuture().isCompletedExceptionally()) {
            delivered();
        }
    }

    /** Not by a filter, nor a one-way call by its having been written; over Triple that ends with an answer. */
    private boolean isAnswered() {
        return evidence.hasPassedFilters()
                && (endpoint.address().kind().isHttp2() || !RpcUtils.isOneway(call.consumerUrl(), call.invocation()));
    }

    private void delivered() {
        if (!isAnswered()) {
            endpoint.released(trial);
            return;
        }
        endpoint.delivered(trial, begun);
        tunnelled.destination().used(call.serviceKey(), true);
    }
}

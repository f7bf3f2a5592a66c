// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.tunnel;

import com.netflix.concurrency.limits.Limiter;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.InternalHighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.connection.SharedInvokers;
import io.highway.sdk.dubbo.connection.channel.AttemptEvidence;
import io.highway.sdk.dubbo.endpoint.Bulkhead;
import io.highway.sdk.dubbo.endpoint.Destination;
import io.highway.sdk.dubbo.endpoint.GatewayEndpoint;
import io.highway.sdk.dubbo.intent.DubboCall;
import io.highway.sdk.dubbo.outcome.CallObservation;
import io.highway.sdk.dubbo.outcome.ExplainingObserver;
import io.highway.sdk.dubbo.outcome.Failure;
import io.highway.sdk.dubbo.outcome.FailureClassifier;
import io.highway.sdk.dubbo.outcome.Remedies;
import io.highway.sdk.dubbo.outcome.ResultSupport;
import io.highway.sdk.dubbo.route.RouteDecision;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.AsyncRpcResult;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.InvokeMode;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.support.RpcUtils;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of one call, synchronous or asynchronous, within one deadline:
 *
 * <ol>
 *   <li>no permit of {@code max-concurrent} is free: refused
 *   <li>each endpoint is tried once, until one has accepted the call; if no connected endpoint accepts calls: refused
 *   <li>certainly not sent: the next endpoint
 *   <li>it may have run: ended, unless the method is declared idempotent and {@code retries} remain; then the next
 *       endpoint, or the same again if there is no other
 * </ol>
 *
 * Not thread-safe: one thread at a time uses it.
 */
final class Failover<T> {

    /** Reasons that concern one endpoint only: another one may carry the call. */
    private static final Set<Reason> NOT_HERE =
            EnumSet.of(Reason.GATEWAY_DOWN, Reason.NOT_FORWARDED, Reason.NO_SUCH_SERVICE, Reason.BUSY);

    private final DubboCall call;
    private final RpcInvocation invocation;
    private final Intent intent;
    private final RouteDecision.Tunnel decision;
    private final Destination destination;
    private final ReferenceInvokers<T> invokers;
    private final BiFunction<Invoker<T>, Invocation, Result> invoke;
    private final CallObservation watch;
    private final @Nullable Object[] arguments;
    private final boolean streaming;
    private final String service;
    private final TimeBudget budget;
    private final int position;
    private long tried;
    private boolean hasWaited;
    private int retries;

    /** The first attempt that may have run: whatever the results of later ones, the call may have run. */
    private @Nullable HighwayException mayHaveRun;

    /** The context at the end of the first attempt; a later one may start on another thread. */
    private RpcContext.@Nullable RestoreContext context;

    Failover(
            DubboCall call,
            CallObservation watch,
            Intent intent,
            RouteDecision.Tunnel decision,
            Destination destination,
            ReferenceInvokers<T> invokers,
            BiFunction<Invoker<T>, Invocation, Result> invoke) {
        this.call = call;
        this.invocation = (RpcInvocation) call.invocation();
        this.intent = intent;
        this.decision = decision;
        this.destination = destination;
        this.invokers = invokers;
        this.invoke = invoke;
        this.watch = watch;
        this.arguments = invocation.getArguments();
        this.streaming = decision.streaming();
        this.service = call.serviceKey();
        this.budget = new TimeBudget(call);
        this.position = destination.nextPosition();
        this.retries = decision.policy().retries();
    }

    /**
     * Makes the call. An asynchronous call blocks no thread while it waits for a permit or a connection.
     *
     * @throws HighwayException if the call ended without an answer before this method returns
     */
    Result make() {
        if (budget.isUsedUp(invocation)) {
            throw ended(Reason.NO_TIME_LEFT, "the time for the call is used up");
        }
        Bulkhead bulkhead = destination.bulkhead();
        if (streaming || bulkhead.isUnlimited()) { // a stream may last for days, so it needs no permit
            return first();
        }
        if (bulkhead.waits() && isAsynchronous()) {
            CompletableFuture<Limiter.@Nullable Listener> permit = bulkhead.enterLater(budget.left(invocation));
            return permit.isDone() ? inside(permit.join()) : later(permit, () -> inside(permit.join()));
        }
        return inside(bulkhead.enter(bulkhead.waits() ? budget.left(invocation) : 0));
    }

    private Result inside(Limiter.@Nullable Listener permit) {
        Bulkhead bulkhead = destination.bulkhead();
        if (permit == null) {
            throw ended(Reason.BUSY, "the limit of calls in flight, " + bulkhead.limit() + ", is reached");
        }
        try {
            if (bulkhead.waits() && !budget.leaveRest(invocation)) {
                throw ended(Reason.NO_TIME_LEFT, "the time for the call was used up by waiting for a permit");
            }
            Result result = first();
            if (result instanceof AsyncRpcResult async) {
                leaveWhenDone(permit, async.getResponseFuture());
            } else {
                permit.onSuccess();
            }
            return result;
        } catch (HighwayException e) {
            leave(permit, e);
            throw e;
        } catch (RuntimeException | Error e) {
            permit.onIgnore();
            throw e;
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it only listens
    private static void leaveWhenDone(Limiter.Listener permit, CompletableFuture<AppResponse> response) {
        response.whenComplete((value, thrown) -> {
            Throwable failure = thrown == null ? ResultSupport.failureIn(value) : ResultSupport.unwrapped(thrown);
            if (failure == null) {
                permit.onSuccess();
            } else {
                leave(permit, failure);
            }
        });
    }

    /** Only a timeout indicates that the connection is overloaded; any other failure does not. */
    private static void leave(Limiter.Listener permit, Throwable failure) {
        if (failure instanceof HighwayException ended && ended.reason() == Reason.TIMEOUT) {
            permit.onDropped();
        } else {
            permit.onIgnore();
        }
    }

    private Result first() {
        Result result = next(null);
        if (result instanceof AsyncRpcResult async && invocation.getInvokeMode() != InvokeMode.SYNC && !streaming) {
            context = new RpcContext.RestoreContext();
            ResultSupport.replace(async, orNext(async.getResponseFuture()));
        }
        return result;
    }

    /** Continues with the next attempt if the future failed in a way that allows one. */
    @SuppressWarnings("FutureReturnValueIgnored") // the inner future is composed at once
    private CompletableFuture<AppResponse> orNext(CompletableFuture<AppResponse> response) {
        return response.handle((value, thrown) -> {
                    Throwable failure = thrown == null ? null : ResultSupport.unwrapped(thrown);
                    if (failure instanceof HighwayException ended) {
                        return mayGoOn(ended) ? later(ended) : CompletableFuture.<AppResponse>failedFuture(all(ended));
                    }
                    return failure == null
                            ? CompletableFuture.completedFuture(value)
                            : CompletableFuture.<AppResponse>failedFuture(failure);
                })
                .thenCompose(whole -> whole);
    }

    private CompletableFuture<AppResponse> later(HighwayException ended) {
        RpcContext.RestoreContext own = new RpcContext.RestoreContext();
        try {
            if (context != null) {
                context.restore();
            }
            return orNext(((AsyncRpcResult) next(ended)).getResponseFuture());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        } finally {
            own.restore();
        }
    }

    /** What a call waits for, in this order, if no endpoint accepts it. */
    private enum Awaited {
        CONNECTION,
        ANSWER,
        NOTHING;

        Awaited next() {
            return this == CONNECTION ? ANSWER : NOTHING;
        }
    }

    /**
     * Tries endpoints until one has accepted the call. If none is left, it waits once: for a reconnect, or for the
     * health check of an endpoint that is not answering.
     *
     * @param ended how the previous attempt ended, or null if there was none
     */
    private Result next(@Nullable HighwayException ended) {
        return next(ended, hasWaited ? Awaited.NOTHING : Awaited.CONNECTION);
    }

    private Result next(@Nullable HighwayException ended, Awaited first) {
        Awaited awaited = first;
        HighwayException last = ended;
        while (true) {
            GatewayEndpoint endpoint = destination.enterNext(decision.tunnels(), position, tried);
            while (endpoint == null && awaited != Awaited.NOTHING && (awaited != first || isAboutConnections(last))) {
                CompletableFuture<?> wait = awaited == Awaited.CONNECTION
                        ? destination.connected(decision.tunnels())
                        : destination.answer(decision.tunnels());
                long millis = awaited == Awaited.CONNECTION
                        ? Math.min(destination.connectMillis(), connectMillis())
                        : answerMillis();
                awaited = awaited.next();
                hasWaited = true;
                tried = 0;
                if (wait != null && isAsynchronous()) {
                    return later(wait, millis, last, awaited);
                }
                await(wait, millis);
                leaveRest(last);
                endpoint = destination.enterNext(decision.tunnels(), position, tried);
            }
            if (endpoint == null) {
                throw last != null ? all(last) : nowhere();
            }
            tried |= 1L << endpoint.index();
            try {
                Result result = over(endpoint);
                if (result != null) {
                    return result;
                }
            } catch (HighwayException e) {
                if (!mayGoOn(e)) {
                    throw all(e);
                }
                last = e;
            }
        }
    }

    /**
     * An unresponsive gateway may accept a connection and not answer on it, so half of the time is kept for the
     * fallback.
     */
    private long connectMillis() {
        long left = budget.left(invocation);
        return destination.isUnresponsive(decision.tunnels()) ? left / 2 : left;
    }

    private boolean isAsynchronous() {
        return !streaming && RpcUtils.getInvokeMode(call.consumerUrl(), invocation) != InvokeMode.SYNC;
    }

    /**
     * A call waits for a health check for at most half of its remaining time; the rest is kept for the fallback or the
     * next attempt.
     */
    private long answerMillis() {
        return Math.min(destination.answerMillis(decision.tunnels()), budget.left(invocation) / 2);
    }

    private static void await(@Nullable CompletableFuture<?> wait, long millis) {
        if (wait == null) {
            return;
        }
        try {
            Object unused = wait.get(millis, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // the caller looks at the endpoints again
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void leaveRest(@Nullable HighwayException last) {
        if (!budget.leaveRest(invocation)) {
            HighwayException late =
                    ended(Reason.NO_TIME_LEFT, "the time for the call was used up by waiting for a connection");
            throw last == null ? late : all(last);
        }
    }

    /** Waits without blocking a thread, then continues. */
    private Result later(CompletableFuture<?> wait, long millis, @Nullable HighwayException last, Awaited rest) {
        CompletableFuture<?> bounded = wait.copy().orTimeout(millis, TimeUnit.MILLISECONDS);
        return later(bounded, () -> {
            leaveRest(last);
            return next(last, rest);
        });
    }

    /**
     * The result of {@code go}, which runs once the future has ended, on neither the caller's nor the future's thread.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the inner future is composed at once
    private Result later(CompletableFuture<?> wait, Supplier<Result> go) {
        RpcContext.RestoreContext caller = new RpcContext.RestoreContext();
        invocation.setInvokeMode(RpcUtils.getInvokeMode(call.consumerUrl(), invocation));
        CompletableFuture<AppResponse> response = wait.handleAsync(
                        (value, thrown) -> resume(caller, go), destination::resume)
                .thenCompose(whole -> whole);
        return ResultSupport.show(new AsyncRpcResult(response, invocation));
    }

    private static CompletableFuture<AppResponse> resume(RpcContext.RestoreContext caller, Supplier<Result> go) {
        RpcContext.RestoreContext own = new RpcContext.RestoreContext();
        try {
            caller.restore();
            return ((AsyncRpcResult) go.get()).getResponseFuture();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        } finally {
            own.restore();
        }
    }

    /** A draining gateway does not forward calls that were sent before its GOAWAY arrived. */
    private boolean isAboutConnections(@Nullable HighwayException last) {
        return last == null
                || last.mayHaveRun()
                || last.reason() == Reason.GATEWAY_DOWN
                || (last.reason() == Reason.NOT_FORWARDED && destination.isReconnecting(decision.tunnels()));
    }

    /** Whether a call that ended like this is tried again, and has time left for it. */
    private boolean mayGoOn(HighwayException ended) {
        if (ended.mayHaveRun()) {
            if (retries == 0 || !decision.policy().idempotent().matches(call.interfaceName(), call.methodName())) {
                return false;
            }
            retries--;
            mayHaveRun = mayHaveRun == null ? ended : mayHaveRun;
            if (destination.isEveryTried(decision.tunnels(), tried)) {
                tried = 0;
            }
        } else if (!NOT_HERE.contains(ended.reason())) {
            return false;
        }
        return budget.leaveRest(invocation);
    }

    /** How the call ended, considering all attempts. */
    private HighwayException all(HighwayException last) {
        HighwayException known = mayHaveRun;
        if (known == null || known == last || last.mayHaveRun()) {
            return last;
        }
        known.addSuppressed(last);
        return known;
    }

    /** Sends the call over one endpoint; null if its connection was closed meanwhile. */
    private @Nullable Result over(GatewayEndpoint endpoint) {
        int period = endpoint.period();
        Invoker<T> invoker = invokerOver(endpoint, period);
        if (invoker == null) {
            return null;
        }
        watch.attempting(endpoint.address());
        destination.used(service, false);
        AttemptEvidence evidence = AttemptEvidence.begin(
                invocation,
                endpoint.connection().transport(),
                decision.island(),
                call.interfaceName(),
                call.methodName());
        if (streaming) {
            invocation.setArguments(
                    ExplainingObserver.in(arguments, answer -> explain(endpoint, answer, evidence), watch));
        }
        long begun = System.nanoTime();
        Result result = ResultSupport.settle(
                send(endpoint, invoker, period, begun, evidence),
                invocation,
                answer -> failed(endpoint, period, begun, FailureClassifier.answered(answer, evidence), answer));
        tellWhenDelivered(endpoint, result, period, begun);
        return result;
    }

    private @Nullable Invoker<T> invokerOver(GatewayEndpoint endpoint, int period) {
        Invoker<T> invoker = null;
        try {
            SharedInvokers connection = endpoint.connection().lastInvokers();
            invoker = connection == null ? null : invokers.over(endpoint.connection(), connection, decision.policy());
            return invoker;
        } finally {
            if (invoker == null) {
                endpoint.released(period);
            }
        }
    }

    private Result send(
            GatewayEndpoint endpoint, Invoker<T> invoker, int period, long begun, AttemptEvidence evidence) {
        try {
            return invoke.apply(invoker, invocation);
        } catch (RpcException e) {
            Failure failure = watch.isSent() ? FailureClassifier.afterwards(e) : thrown(e, endpoint, evidence);
            throw failed(endpoint, period, begun, failure, e);
        } catch (RuntimeException | Error e) { // a filter of the application
            endpoint.released(period);
            throw e;
        }
    }

    private static Failure thrown(RpcException e, GatewayEndpoint endpoint, AttemptEvidence evidence) {
        SharedInvokers connection = endpoint.connection().lastInvokers();
        boolean replaced = connection == null || connection.isClosed();
        return replaced && e.getCause() == null && !evidence.hasPassedFilters() // by Dubbo's outermost wrapper
                ? Failure.notRun(Reason.GATEWAY_DOWN, "the connection was being replaced")
                : FailureClassifier.thrown(e, evidence);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it only listens
    private void tellWhenDelivered(GatewayEndpoint endpoint, Result result, int period, long begun) {
        if (streaming) {
            endpoint.released(period);
        } else if (result instanceof AsyncRpcResult async
                && !async.getResponseFuture().isDone()) {
            async.getResponseFuture().thenRun(() -> delivered(endpoint, period, begun));
        } else if (!(result instanceof AsyncRpcResult async)
                || !async.getResponseFuture().isCompletedExceptionally()) {
            delivered(endpoint, period, begun);
        }
    }

    private void delivered(GatewayEndpoint endpoint, int period, long begun) {
        endpoint.delivered(period, begun);
        destination.used(service, true);
    }

    private HighwayException failed(
            GatewayEndpoint endpoint, int period, long begun, Failure failure, Throwable thrown) {
        HighwayException ended = explain(endpoint, failure, thrown);
        endpoint.failed(period, begun, ended.reason(), call.name(), failure.what(), ended);
        return ended;
    }

    private HighwayException explain(GatewayEndpoint endpoint, Throwable answer, AttemptEvidence evidence) {
        return explain(endpoint, FailureClassifier.answered(answer, evidence), answer);
    }

    private HighwayException explain(GatewayEndpoint endpoint, Failure failure, Throwable thrown) {
        if (thrown instanceof HighwayException explained && InternalHighwayException.isFromHere(explained)) {
            return explained;
        }
        return InternalHighwayException.create(
                call.name(),
                failure.reason(),
                intent,
                decision.island(),
                failure.mayHaveRun(),
                endpoint.address().kind() + " tunnel to " + decision.island() + " through "
                        + endpoint.address().hostAndPort(),
                failure.what(),
                Remedies.on(failure, decision.island()),
                thrown);
    }

    /** No endpoint has accepted the call. */
    private HighwayException nowhere() {
        boolean refusing = destination.isRefusing(decision.tunnels());
        return ended(
                refusing ? Reason.BREAKER_OPEN : Reason.GATEWAY_DOWN,
                (refusing ? "no gateway takes calls (" : "no gateway is connected (")
                        + destination.problems(decision.tunnels()) + ")");
    }

    private HighwayException ended(Reason reason, String what) {
        budget.leaveRest(invocation); // for the fallback
        return InternalHighwayException.create(
                call.name(),
                reason,
                intent,
                decision.island(),
                false,
                "tunnel to " + decision.island(),
                what,
                Remedies.on(reason, decision.island()),
                null);
    }
}

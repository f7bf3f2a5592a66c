// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.tunnel;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.connection.SharedInvokers;
import io.highway.sdk.dubbo.internal.endpoint.Destination;
import io.highway.sdk.dubbo.internal.endpoint.GatewayEndpoint;
import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.highway.sdk.dubbo.internal.intent.DubboCall;
import io.highway.sdk.dubbo.internal.limits.Bulkhead;
import io.highway.sdk.dubbo.internal.outcome.CallObservation;
import io.highway.sdk.dubbo.internal.outcome.ResultSupport;
import io.highway.sdk.dubbo.internal.route.RouteDecision;
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
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.support.RpcUtils;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of one call, synchronous or asynchronous, within one deadline:
 *
 * <ol>
 *   <li>each endpoint is tried once, until one has accepted the call; if no connected endpoint accepts calls: refused
 *   <li>certainly not sent: the next endpoint
 *   <li>certainly not run, since a provider does not read zstd, which {@code compression: auto} tried, or does not have
 *       the dictionary: sent again, without it
 *   <li>it may have run: ended, unless the method is declared idempotent and {@code retries} remain; then the next
 *       endpoint, or the same again if there is no other
 * </ol>
 *
 * Not thread-safe: one thread at a time uses it.
 */
final class Failover<T> implements ConcurrencyLimit.Limited {

    /** Reasons that concern one endpoint only: another one may carry the call. */
    private static final Set<Reason> NOT_HERE =
            EnumSet.of(Reason.GATEWAY_DOWN, Reason.NOT_FORWARDED, Reason.NO_SUCH_SERVICE, Reason.BUSY);

    /** Reasons of calls that the next connection to the same gateway may carry. */
    private static final Set<Reason> ABOUT_CONNECTIONS = EnumSet.of(Reason.GATEWAY_DOWN, Reason.NOT_FORWARDED);

    /** Attempts that end as gateway-down though the gateway is connected: of several connections, others may be lost, too. */
    private static final int MOST_WHILE_CONNECTED = 3;

    private final DubboCall call;
    private final RpcInvocation invocation;
    private final CallObservation observation;
    private final RouteDecision.Tunnel decision;
    private final Destination destination;
    private final ReferenceInvokers<T> invokers;
    private final BiFunction<Invoker<T>, Invocation, Result> invoke;
    private final @Nullable Object[] arguments;
    private final TimeBudget budget;
    private final int position;
    private long tried;
    private boolean hasWaited;

    /** Whether a provider could not read the encoding of an attempt: further ones have another. */
    private boolean refusedEncoding;

    private int retries;
    private int whileConnected;

    /** Completes when the connection of the last attempt has been replaced; null if it was not up for good. */
    private @Nullable CompletableFuture<?> replaced;

    /** The first attempt that may have run: whatever the results of later ones, the call may have run. */
    private @Nullable HighwayException mayHaveRun;

    /** The context at the end of the first attempt; a later one may start on another thread. */
    private RpcContext.@Nullable RestoreContext context;

    Failover(
            DubboCall call,
            CallObservation observation,
            RouteDecision.Tunnel decision,
            Destination destination,
            ReferenceInvokers<T> invokers,
            BiFunction<Invoker<T>, Invocation, Result> invoke) {
        this.call = call;
        this.invocation = (RpcInvocation) call.invocation();
        this.observation = observation;
        this.decision = decision;
        this.destination = destination;
        this.invokers = invokers;
        this.invoke = invoke;
        this.arguments = invocation.getArguments();
        this.budget = new TimeBudget(call);
        this.position = destination.nextPosition();
        this.retries = decision.policy().retries();
    }

    /**
     * Makes the call, within the concurrency limit of its destination. An asynchronous call blocks no thread while it
     * waits for a permit or a connection.
     *
     * @throws HighwayException if the call ended without an answer before this method returns
     */
    Result run() {
        if (budget.isUsedUp()) {
            throw notSent(Reason.NO_TIME_LEFT, "the time for the call is used up");
        }
        Bulkhead bulkhead = destination.bulkhead();
        return decision.streaming() || bulkhead.isUnlimited() // a stream may last for days, so it needs no permit
                ? firstAttempt()
                : ConcurrencyLimit.within(bulkhead, this);
    }

    /** Starts the attempts; further ones follow by themselves. */
    @Override
    public Result firstAttempt() {
        Result result = nextAttempt(null);
        if (result instanceof AsyncRpcResult async
                && invocation.getInvokeMode() != InvokeMode.SYNC
                && !decision.streaming()) {
            context = new RpcContext.RestoreContext();
            ResultSupport.replace(async, orNextAttempt(async.getResponseFuture()));
        }
        return result;
    }

    /** Continues with the next attempt if the future failed in a way that allows one. */
    @SuppressWarnings("FutureReturnValueIgnored") // the inner future is composed at once
    private CompletableFuture<AppResponse> orNextAttempt(CompletableFuture<AppResponse> response) {
        return response.handle((value, thrown) -> {
                    Throwable failure = thrown == null ? null : ResultSupport.unwrapped(thrown);
                    if (failure instanceof HighwayException ended) {
                        return mayGoOn(ended)
                                ? nextAttemptAsync(ended)
                                : CompletableFuture.<AppResponse>failedFuture(overall(ended));
                    }
                    return failure == null
                            ? CompletableFuture.completedFuture(value)
                            : CompletableFuture.<AppResponse>failedFuture(failure);
                })
                .thenCompose(whole -> whole);
    }

    private CompletableFuture<AppResponse> nextAttemptAsync(HighwayException ended) {
        RpcContext.RestoreContext own = new RpcContext.RestoreContext();
        try {
            if (context != null) {
                context.restore();
            }
            return orNextAttempt(((AsyncRpcResult) nextAttempt(ended)).getResponseFuture());
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
     * health check of an endpoint that is not answering. A request that a draining gateway has not processed waits again.
     *
     * @param ended how the previous attempt ended, or null if there was none
     */
    private Result nextAttempt(@Nullable HighwayException ended) {
        return nextAttempt(ended, hasWaited ? Awaited.NOTHING : Awaited.CONNECTION);
    }

    private Result nextAttempt(@Nullable HighwayException ended, Awaited begin) {
        Awaited first = begin;
        Awaited awaited = begin;
        HighwayException last = ended;
        while (true) {
            GatewayEndpoint endpoint = destination.enterNext(decision.tunnels(), position, tried);
            while (endpoint == null && awaited != Awaited.NOTHING && (awaited != first || isAboutConnections(last))) {
                boolean isForConnection = awaited == Awaited.CONNECTION;
                CompletableFuture<?> wait = isForConnection
                        ? destination.connected(decision.tunnels(), tried)
                        : destination.answer(decision.tunnels());
                long millis = isForConnection ? connectMillis() : answerMillis();
                awaited = awaited.next();
                hasWaited = true;
                if (isForConnection || wait != null) {
                    tried = 0; // another connection, or an answer since
                }
                if (wait != null && isAsynchronous()) {
                    return nextAttemptAfter(wait, millis, last, awaited);
                }
                await(wait, millis);
                awaited = afterWait(wait, awaited);
                leaveRest("a connection", last);
                endpoint = destination.enterNext(decision.tunnels(), position, tried);
            }
            if (endpoint == null) {
                throw last != null ? overall(last) : noEndpoint();
            }
            tried |= destination.bit(endpoint);
            try {
                Result result = attempt(endpoint);
                if (result != null) {
                    return result;
                }
            } catch (HighwayException e) {
                if (!mayGoOn(e)) {
                    throw overall(e);
                }
                last = e;
                if (!hasWaited) {
                    first = Awaited.CONNECTION;
                    awaited = first;
                }
            }
        }
    }

    /** Waits without blocking a thread, then continues. */
    private Result nextAttemptAfter(
            CompletableFuture<?> wait, long millis, @Nullable HighwayException last, Awaited rest) {
        CompletableFuture<?> bounded = wait.copy().orTimeout(millis, TimeUnit.MILLISECONDS);
        return resumeAfter(bounded, () -> {
            leaveRest("a connection", last);
            return nextAttempt(last, afterWait(wait, rest));
        });
    }

    /** The next connection may have been drained before this call could use it. */
    private Awaited afterWait(@Nullable CompletableFuture<?> wait, Awaited rest) {
        boolean isDrainedAgain = rest == Awaited.ANSWER
                && wait != null
                && wait.isDone()
                && destination.isConnecting(decision.tunnels(), 0);
        return isDrainedAgain ? Awaited.CONNECTION : rest;
    }

    /** Sends the call over one endpoint; null if its connection was closed meanwhile. */
    private @Nullable Result attempt(GatewayEndpoint endpoint) {
        int period = endpoint.period();
        CompletableFuture<?> next = endpoint.connection().attempt();
        replaced = next.isDone() ? null : next;
        Invoker<T> invoker = invoker(endpoint, period);
        return invoker == null
                ? null
                : new Attempt(call, observation, decision, destination, endpoint, period)
                        .run(invoker, invoke, arguments);
    }

    private @Nullable Invoker<T> invoker(GatewayEndpoint endpoint, int period) {
        Invoker<T> invoker = null;
        try {
            SharedInvokers connection = endpoint.connection().lastInvokers();
            invoker = connection == null
                    ? null
                    : invokers.over(endpoint.connection(), connection, decision.policy(), encoding(endpoint));
            return invoker;
        } finally {
            if (invoker == null) {
                endpoint.released(period);
            }
        }
    }

    /**
     * A draining gateway does not forward calls that were sent before its GOAWAY arrived. The next connection may be
     * there when it says so.
     */
    private boolean isAboutConnections(@Nullable HighwayException last) {
        return last == null
                || last.mayHaveRun()
                || last.reason() == Reason.GATEWAY_DOWN
                || (last.reason() == Reason.NOT_FORWARDED && isConnectionGone());
    }

    /** Whether a connection was lost or drains, or that of the last attempt has been replaced since. */
    private boolean isConnectionGone() {
        CompletableFuture<?> next = replaced;
        return destination.isConnecting(decision.tunnels(), 0) || (next != null && next.isDone());
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
        } else if (statedKind() == AttemptEvidence.Kind.NO_SUCH_ENCODING) {
            if (refusedEncoding || destination.encodings().afterRefusal() == null) {
                return false;
            }
            refusedEncoding = true;
            tried = 0;
        } else if (!NOT_HERE.contains(ended.reason()) || statedKind() == AttemptEvidence.Kind.BUSY) {
            return false; // after a rate of the destination: other endpoints lead to the same rate
        } else if (destination.isConnecting(decision.tunnels(), tried)
                || (ABOUT_CONNECTIONS.contains(ended.reason()) && isConnectionGone())
                || (ended.reason() == Reason.GATEWAY_DOWN && ++whileConnected < MOST_WHILE_CONNECTED)) {
            hasWaited = false; // the next connection may take it
        }
        return budget.leaveRest();
    }

    /** What a gateway or the destination stated about the last attempt, or null. */
    private AttemptEvidence.@Nullable Kind statedKind() {
        AttemptEvidence evidence = AttemptEvidence.of(invocation);
        AttemptEvidence.Statement statement = evidence == null ? null : evidence.statement();
        return statement == null ? null : statement.kind();
    }

    /** The encoding of the next attempt's messages. */
    private @Nullable String encoding(GatewayEndpoint endpoint) {
        return endpoint.address().kind().isHttp2()
                ? destination.encodings().choose(call.interfaceName(), decision.streaming(), refusedEncoding)
                : null;
    }

    /** How the call ended, considering all attempts. */
    private HighwayException overall(HighwayException last) {
        HighwayException known = mayHaveRun;
        if (known == null || known == last || last.mayHaveRun()) {
            return last;
        }
        known.addSuppressed(last);
        return known;
    }

    /**
     * An unresponsive gateway may accept a connection and not answer on it, so half of the time is kept for the
     * fallback.
     */
    private long connectMillis() {
        long left = budget.left();
        return destination.isUnresponsive(decision.tunnels()) ? left / 2 : left;
    }

    /**
     * A call waits for a health check for at most half of its remaining time; the rest is kept for the fallback or the
     * next attempt.
     */
    private long answerMillis() {
        return Math.min(destination.answerMillis(decision.tunnels()), budget.left() / 2);
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

    /** Whether the call must not block its thread. */
    @Override
    public boolean isAsynchronous() {
        return !decision.streaming() && RpcUtils.getInvokeMode(call.consumerUrl(), invocation) != InvokeMode.SYNC;
    }

    /** The size of the request of the last attempt; 0 or less if it is unknown. */
    @Override
    public long requestBytes() {
        return AttemptEvidence.bytesOf(invocation);
    }

    /** The remaining time of the call. */
    @Override
    public long millisLeft() {
        return budget.left();
    }

    /**
     * Sets the remaining time for what follows a wait.
     *
     * @param awaited what the call has waited for, in words
     * @param last how the last attempt ended, or null if there was none
     * @throws HighwayException if no time is left
     */
    @Override
    public void leaveRest(String awaited, @Nullable HighwayException last) {
        if (!budget.leaveRest()) {
            HighwayException late =
                    notSent(Reason.NO_TIME_LEFT, "the time for the call was used up by waiting for " + awaited);
            throw last == null ? late : overall(last);
        }
    }

    /**
     * The result of {@code go}, which runs once the future has ended, on neither the caller's nor the future's thread.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the inner future is composed at once
    @Override
    public Result resumeAfter(CompletableFuture<?> wait, Supplier<Result> go) {
        observation.awaiting(wait);
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

    private HighwayException noEndpoint() {
        leaveRestForFallback();
        return TunnelFailures.noEndpoint(call, observation.routed(), decision, destination);
    }

    /** The exception of a call that ends before an attempt, or between two. */
    HighwayException notSent(Reason reason, String what) {
        leaveRestForFallback();
        return TunnelFailures.notSent(call, observation.routed(), decision, reason, what);
    }

    /** The exception of a call that the limit of its class does not admit. */
    @Override
    public HighwayException refusedByLimit() {
        leaveRestForFallback();
        return TunnelFailures.refusedByLimit(call, observation.routed(), decision, destination.bulkhead());
    }

    private void leaveRestForFallback() {
        boolean unused = budget.leaveRest();
    }
}

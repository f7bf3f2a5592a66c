// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.failover;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.caller.endpoint.Destination;
import io.highway.sdk.dubbo.internal.caller.endpoint.GatewayEndpoint;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecision;
import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.highway.sdk.dubbo.internal.evidence.CallResults;
import io.highway.sdk.dubbo.internal.limits.Bulkhead;
import io.highway.sdk.dubbo.internal.limits.TimeBudget;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.AsyncRpcResult;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.InvokeMode;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcInvocation;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of one call, synchronous or asynchronous, within one deadline:
 *
 * <ol>
 *   <li>each endpoint is tried once, until one has accepted the call; if no connected endpoint accepts calls: refused
 *   <li>certainly not sent, or refused by the guard of another island, where the gateway leads to: the next endpoint
 *   <li>certainly not run, since a provider does not read zstd, which {@code compression: auto} tried, or does not have
 *       the dictionary: sent again, without it
 *   <li>certainly not run, since the provider had no free thread: the next endpoint, once
 *   <li>it may have run: ended, unless the method is declared idempotent and {@code retries} remain; then the next
 *       endpoint, or the same again if there is no other
 *   <li>none begins once the thread that waits for the call is interrupted
 * </ol>
 *
 * Not thread-safe: one thread at a time uses it.
 */
final class Failover<T> {

    /** Reasons that concern one endpoint only: another one may carry the call. */
    private static final Set<Reason> NOT_HERE =
            EnumSet.of(Reason.GATEWAY_DOWN, Reason.NOT_FORWARDED, Reason.NO_SUCH_SERVICE, Reason.BUSY);

    /** Reasons of calls that the next connection to the same gateway may carry. */
    private static final Set<Reason> ABOUT_CONNECTIONS = EnumSet.of(Reason.GATEWAY_DOWN, Reason.NOT_FORWARDED);

    /** Attempts that end as gateway-down though the gateway is connected: of several connections, others may be lost, too. */
    private static final int MOST_WHILE_CONNECTED = 3;

    private final TunnelledCall call;
    private final RpcInvocation invocation;
    private final RouteDecision.Tunnel decision;
    private final Destination destination;
    private final ReferenceInvokers<T> invokers;
    private final BiFunction<Invoker<T>, Invocation, Result> invoke;
    private final @Nullable Object[] arguments;
    private final int position;
    private long tried;
    private boolean hasWaited;

    /** What the call waits for next, and what it was after the last attempt. */
    private Awaited awaited = Awaited.CONNECTION;

    private Awaited awaitedFirst = Awaited.CONNECTION;

    /** Whether a provider could not read the encoding of an attempt: further ones have another. */
    private boolean refusedEncoding;

    /** Whether a provider had no thread for an attempt: the next endpoint may lead to another one, and is the last. */
    private boolean wasWithoutThread;

    private int retries;
    private int whileConnected;

    /** Completes when the connection of the last attempt has been replaced; null if it was not up for good. */
    private @Nullable CompletableFuture<?> replaced;

    /** The first attempt that may have run: whatever the results of later ones, the call may have run. */
    private @Nullable HighwayException mayHaveRun;

    /** The context at the end of the first attempt; a later one may start on another thread. */
    private RpcContext.@Nullable RestoreContext context;

    Failover(TunnelledCall call, ReferenceInvokers<T> invokers, BiFunction<Invoker<T>, Invocation, Result> invoke) {
        this.call = call;
        this.invocation = call.invocation();
        this.decision = call.decision();
        this.destination = call.destination();
        this.invokers = invokers;
        this.invoke = invoke;
        this.arguments = invocation.getArguments();
        this.position = destination.nextPosition();
        this.retries = decision.policy().calls().retries();
    }

    /**
     * Makes the call, within the concurrency limit of its destination. An asynchronous call blocks no thread while it
     * waits for a permit or a connection.
     *
     * @throws HighwayException if the call ended without an answer before this method returns
     */
    Result run() {
        if (call.isTimeUsedUp()) {
            throw call.notSent(Reason.NO_TIME_LEFT, "the time for the call is used up");
        }
        Bulkhead bulkhead = destination.bulkhead();
        return decision.streaming() || bulkhead.isUnlimited() // a stream may last for days, so it needs no permit
                ? firstAttempt()
                : BulkheadPermit.within(bulkhead, call, this::firstAttempt);
    }

    /** Starts the attempts; further ones follow by themselves. */
    private Result firstAttempt() {
        Result result = nextAttempt(null);
        if (result instanceof AsyncRpcResult async
                && invocation.getInvokeMode() != InvokeMode.SYNC
                && !decision.streaming()) {
            context = new RpcContext.RestoreContext();
            CallResults.replace(async, orNextAttempt(async.getResponseFuture()));
        }
        return result;
    }

    /** Continues with the next attempt if the future failed in a way that allows one. */
    private CompletableFuture<AppResponse> orNextAttempt(CompletableFuture<AppResponse> response) {
        return response.exceptionallyCompose(thrown -> {
            Throwable failure = CallResults.unwrapped(thrown);
            return failure instanceof HighwayException ended && mayGoOn(ended)
                    ? nextAttemptAsync(ended)
                    : CompletableFuture.failedFuture(
                            failure instanceof HighwayException ended ? overall(ended) : failure);
        });
    }

    private CompletableFuture<AppResponse> nextAttemptAsync(HighwayException ended) {
        return TunnelledCall.within(
                Objects.requireNonNull(context),
                () -> orNextAttempt(((AsyncRpcResult) nextAttempt(ended)).getResponseFuture()));
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
        beginWaits(hasWaited ? Awaited.NOTHING : Awaited.CONNECTION);
        return attempts(ended);
    }

    private void beginWaits(Awaited first) {
        awaited = first;
        awaitedFirst = first;
    }

    private Result attempts(@Nullable HighwayException ended) {
        HighwayException last = ended;
        while (true) {
            requireWaiting(last);
            GatewayEndpoint endpoint = destination.enterNext(decision.tunnels(), position, tried);
            while (endpoint == null && mayWait(last)) {
                Wait wait = nextWait();
                if (wait.end != null && call.isAsynchronous()) {
                    return attemptsAfter(wait, last);
                }
                wait.await();
                waited(wait, last);
                requireWaiting(last);
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
                    beginWaits(Awaited.CONNECTION);
                }
            }
        }
    }

    private HighwayException noEndpoint() {
        return invokers.isClosed() ? call.routed().stopped(call.call()) : call.noEndpoint();
    }

    /**
     * Makes no attempt for a thread that would not wait for its answer.
     *
     * @throws HighwayException if the calling thread is interrupted
     */
    private void requireWaiting(@Nullable HighwayException last) {
        if (call.isAwaitedByItsThread() && Thread.currentThread().isInterrupted()) {
            if (last != null && (last.mayHaveRun() || mayHaveRun != null)) {
                throw overall(last);
            }
            HighwayException interrupted = call.interrupted(hasWaited ? "a connection" : "an attempt");
            if (last != null) {
                interrupted.addSuppressed(last);
            }
            throw interrupted; // home would serve some of those that were not sent
        }
    }

    private boolean mayWait(@Nullable HighwayException last) {
        return awaited != Awaited.NOTHING && (awaited != awaitedFirst || isAboutConnections(last));
    }

    /**
     * One wait of the call.
     *
     * @param end completes when it ends, or null if it has ended
     */
    private record Wait(@Nullable CompletableFuture<?> end, long millis) {

        void await() {
            if (end == null) {
                return;
            }
            try {
                Object unused = end.get(millis, TimeUnit.MILLISECONDS);
            } catch (ExecutionException | TimeoutException e) {
                // the caller looks at the endpoints again
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Wait nextWait() {
        boolean isForConnection = awaited == Awaited.CONNECTION;
        Wait wait = isForConnection
                ? new Wait(destination.connected(decision.tunnels(), tried), connectMillis())
                : new Wait(destination.answer(decision.tunnels()), answerMillis());
        awaited = awaited.next();
        hasWaited = true;
        if (isForConnection || wait.end != null) {
            tried = 0; // another connection, or an answer since
        }
        return wait;
    }

    /** Waits without blocking a thread, then continues. */
    private Result attemptsAfter(Wait wait, @Nullable HighwayException last) {
        CompletableFuture<?> bounded =
                Objects.requireNonNull(wait.end).copy().orTimeout(wait.millis, TimeUnit.MILLISECONDS);
        return call.resumeAfter(bounded, () -> {
            waited(wait, last);
            beginWaits(awaited);
            return attempts(last);
        });
    }

    /**
     * A wait has ended. The next connection may have been drained before this call could use it.
     *
     * @throws HighwayException if no time is left
     */
    private void waited(Wait wait, @Nullable HighwayException last) {
        if (!call.leaveRest()) {
            throw last == null ? call.notConnectedInTime() : overall(last);
        }
        boolean isDrainedAgain = awaited == Awaited.ANSWER
                && wait.end != null
                && wait.end.isDone()
                && destination.isConnecting(decision.tunnels(), 0);
        if (isDrainedAgain) {
            awaited = Awaited.CONNECTION;
        }
    }

    /** Sends the call over one endpoint; null if its connection was closed meanwhile. */
    private @Nullable Result attempt(GatewayEndpoint endpoint) {
        int trial = endpoint.trial();
        CompletableFuture<?> next = endpoint.connection().attempt();
        replaced = next.isDone() ? null : next;
        Invoker<T> invoker = invoker(endpoint, trial);
        return invoker == null ? null : new Attempt(call, endpoint, trial).run(invoker, invoke, arguments);
    }

    private @Nullable Invoker<T> invoker(GatewayEndpoint endpoint, int trial) {
        Invoker<T> invoker = null;
        try {
            invoker = invokers.over(endpoint.connection(), decision.policy(), encoding(endpoint));
            return invoker;
        } finally {
            if (invoker == null) {
                endpoint.released(trial);
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
                || (last.reason() == Reason.NOT_FORWARDED && isConnectionGone())
                || (statedKind() == AttemptEvidence.Kind.MISROUTED
                        && destination.isConnecting(decision.tunnels(), tried));
    }

    /** Whether a connection was lost or drains, or that of the last attempt has been replaced since. */
    private boolean isConnectionGone() {
        CompletableFuture<?> next = replaced;
        return destination.isConnecting(decision.tunnels(), 0) || (next != null && next.isDone());
    }

    /** Whether a call that ended like this is tried again, and has time left for it. */
    private boolean mayGoOn(HighwayException ended) {
        boolean isTimeLeft = call.leaveRest(); // for another attempt, or for home
        if (ended.mayHaveRun()) {
            if (retries == 0
                    || !decision.policy()
                            .calls()
                            .idempotent()
                            .matches(call.call().interfaceName(), call.call().methodName())) {
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
        } else if (statedKind() == AttemptEvidence.Kind.NO_THREAD) {
            if (wasWithoutThread || destination.isEveryTried(decision.tunnels(), tried)) {
                return false;
            }
            wasWithoutThread = true;
        } else if (statedKind() == AttemptEvidence.Kind.MISROUTED) {
            if (destination.isEveryTried(decision.tunnels(), tried)) {
                return false;
            }
            if (destination.isConnecting(decision.tunnels(), tried)) {
                hasWaited = false; // that one may lead to the island
            }
        } else if (!NOT_HERE.contains(ended.reason()) || statedKind() == AttemptEvidence.Kind.BUSY) {
            return false; // after a rate of the destination: other endpoints lead to the same rate
        } else if (destination.isConnecting(decision.tunnels(), tried)
                || (ABOUT_CONNECTIONS.contains(ended.reason()) && isConnectionGone())
                || (ended.reason() == Reason.GATEWAY_DOWN && ++whileConnected < MOST_WHILE_CONNECTED)) {
            hasWaited = false; // the next connection may take it
        }
        return isTimeLeft;
    }

    /** What a gateway or the destination stated about the last attempt, or null. */
    private AttemptEvidence.@Nullable Kind statedKind() {
        AttemptEvidence evidence = AttemptEvidence.of(invocation);
        AttemptEvidence.Statement statement = evidence == null ? null : evidence.statement();
        return statement == null ? null : statement.kind();
    }

    /** The encoding of the next attempt's messages. */
    private @Nullable String encoding(GatewayEndpoint endpoint) {
        return endpoint.address().kind().isHttp()
                ? destination.encodings().choose(call.call().interfaceName(), decision.streaming(), refusedEncoding)
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
     * A connection attempt may have no end, and an unresponsive gateway may accept a connection and not answer on it: half
     * of the time is kept for the fallback.
     */
    private long connectMillis() {
        TimeBudget time = call.time();
        boolean isFallenBackFrom =
                decision.fallback(call.call().interfaceName(), call.call().methodName()) != null;
        return isFallenBackFrom || destination.isUnresponsive(decision.tunnels())
                ? time.leftForOneOfTwo()
                : time.left();
    }

    /**
     * A call waits for a health check for at most half of its remaining time; the rest is kept for the fallback or the
     * next attempt.
     */
    private long answerMillis() {
        return Math.min(
                destination.answerMillis(decision.tunnels()), call.time().leftForOneOfTwo());
    }
}

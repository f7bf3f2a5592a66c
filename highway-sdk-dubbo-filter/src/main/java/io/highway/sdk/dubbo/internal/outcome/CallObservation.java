// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.outcome;

import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.InternalOutcomes;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.OutcomeListener;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.internal.audit.LeavingCall;
import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.highway.sdk.dubbo.internal.intent.CallState;
import io.highway.sdk.dubbo.internal.intent.DubboCall;
import io.highway.sdk.dubbo.internal.limits.Listeners;
import io.highway.sdk.dubbo.internal.route.RouteDecision;
import io.highway.sdk.dubbo.internal.route.Routed;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
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
 * Observes one call and publishes its outcome to the listeners once. The call may end on any thread; one thread at a
 * time records attempts.
 */
public final class CallObservation {

    /** Reasons for which home may serve a call that was not sent. */
    private static final Set<Reason> SERVED_AT_HOME = EnumSet.of(
            Reason.GATEWAY_DOWN, Reason.NOT_FORWARDED, Reason.NO_SUCH_SERVICE, Reason.BREAKER_OPEN, Reason.BUSY);

    private final Listeners<OutcomeListener> listeners;
    private final DubboCall call;
    private final BooleanSupplier homeHasProviders;
    private final Runnable onEnd;
    private final @Nullable LeavingCall audited;
    private final Routed routed;
    private final LongSupplier clock;
    private final long begun;
    private final AtomicReference<@Nullable CallOutcome> ended = new AtomicReference<>();

    // handed over between threads with the call
    private @Nullable GatewayAddress gateway;
    private boolean sent;

    /** The last attempt, until it has failed. */
    private volatile @Nullable AttemptEvidence attempt;

    /** Whether an attempt failed that may have run. */
    private volatile boolean mayHaveRun;

    private volatile boolean abandoned;

    /** What the call waits for before it can be sent. */
    private volatile @Nullable Future<?> awaited;

    private boolean streaming;
    private volatile boolean hasStreamBegun;
    private TrafficClass trafficClass = TrafficClass.INTERACTIVE;
    private @Nullable LongAdder calls;
    private @Nullable BiConsumer<GatewayAddress, Reason> onFailedAttempt;

    private CallObservation(
            Listeners<OutcomeListener> listeners,
            DubboCall call,
            LongSupplier clock,
            BooleanSupplier homeHasProviders,
            Runnable onEnd,
            @Nullable LeavingCall audited) {
        this.listeners = listeners;
        this.clock = clock;
        this.begun = clock.getAsLong();
        this.call = call;
        this.homeHasProviders = homeHasProviders;
        this.onEnd = onEnd;
        this.audited = audited;
        this.routed = Objects.requireNonNull(Routed.of(call.invocation()));
    }

    /**
     * Starts to observe a routed call.
     *
     * @param clock the application's
     * @param onEnd runs once, when the call has ended
     * @param audited the audit of this call, or null if it is not audited
     */
    public static CallObservation begin(
            Listeners<OutcomeListener> listeners,
            DubboCall call,
            LongSupplier clock,
            BooleanSupplier homeHasProviders,
            Runnable onEnd,
            @Nullable LeavingCall audited) {
        CallObservation observation = new CallObservation(listeners, call, clock, homeHasProviders, onEnd, audited);
        observation.keepIn(call.invocation());
        return observation;
    }

    /** Makes this the observation of a call, whose attributes may have been replaced. */
    public void keepIn(Invocation invocation) {
        CallState.put(invocation, CallObservation.class, this);
    }

    /** Records a call without an attempt, because no gateway of its destination is connected: home serves it. */
    public static void notTried(
            Listeners<OutcomeListener> listeners, DubboCall call, LongSupplier clock, @Nullable LeavingCall audited) {
        // listeners look for them; home's filters would add them next
        ((RpcInvocation) call.invocation())
                .addObjectAttachmentsIfAbsent(RpcContext.getClientAttachment().getObjectAttachments());
        CallObservation observation = new CallObservation(listeners, call, clock, () -> true, () -> {}, audited);
        observation.keepIn(call.invocation());
        observation.record(observation.outcome(Outcome.NOT_SENT, Reason.GATEWAY_DOWN, true));
        observation.publishLast();
    }

    /** The observation of a call, or null if it is not routed. */
    public static @Nullable CallObservation of(Invocation invocation) {
        return CallState.get(invocation, CallObservation.class);
    }

    /** Its intent and decision. */
    public Routed routed() {
        return routed;
    }

    /** Whether the call must not be sent, because there is no place for its audit lines. */
    public boolean isRefusedByAudit() {
        return audited != null && audited.isRefused();
    }

    /** Records the class of the call. */
    public void classified(TrafficClass ofCall) {
        trafficClass = ofCall;
    }

    /** Counts the call until it has ended. */
    public void countIn(LongAdder counter) {
        counter.increment();
        calls = counter;
    }

    /** Sets what receives the gateway and the reason of each attempt that fails; it throws nothing. */
    public void onFailedAttempt(BiConsumer<GatewayAddress, Reason> listener) {
        onFailedAttempt = listener;
    }

    /** Records that the current attempt has failed. */
    public void attemptFailed(HighwayException failure) {
        if (failure.mayHaveRun()) {
            mayHaveRun = true;
        }
        attempt = null;
        BiConsumer<GatewayAddress, Reason> listener = onFailedAttempt;
        GatewayAddress failed = gateway;
        if (listener != null && failed != null) {
            listener.accept(failed, failure.reason());
        }
    }

    /**
     * Records the address of the attempt that starts now.
     *
     * @throws CancellationException if the caller no longer waits for the call
     */
    public void attempting(GatewayAddress address, AttemptEvidence evidence) {
        gateway = address;
        sent = false;
        attempt = evidence;
        if (abandoned) { // otherwise its end finds the evidence
            throw new CancellationException("the caller no longer waits for the call");
        }
    }

    /** Whether an attempt has begun. */
    public boolean isAttempted() {
        return gateway != null;
    }

    /** Waits for something before an attempt; the wait is cancelled if the caller no longer waits for the call. */
    public void awaiting(Future<?> wait) {
        awaited = wait;
        if (abandoned) {
            wait.cancel(false);
        }
    }

    /** The caller's future is done, by any thread: what has not been written of the call is not sent. */
    public void abandon() {
        if (ended.get() == null) {
            end(new CancellationException());
        }
    }

    /** Whether the call has ended otherwise than by what the tunnel returned. */
    public boolean isAbandoned() {
        return abandoned;
    }

    /** Records that the current attempt has been sent; exceptions of filters after that do not change it. */
    public void sent() {
        sent = true;
    }

    /** Whether the last attempt has been sent, whatever happened to its answer since. */
    public boolean isSent() {
        return sent;
    }

    /** Whether the call is a stream that has begun. */
    public boolean isStreaming() {
        return streaming;
    }

    /** Marks the call as a stream: it ends with its observer, not when the method returns. */
    public void streams() {
        streaming = true;
    }

    /**
     * Runs the call and records its outcome, now or when it completes.
     *
     * @param tunnel carries or refuses the call
     */
    public Result run(Invoker<?> tunnel) {
        try {
            Result result = tunnel.invoke(call.invocation());
            endWith(result);
            return result;
        } catch (Throwable e) { // filters can throw undeclared checked exceptions
            end(e);
            throw e;
        } finally {
            publishLast();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // only observes
    private void endWith(Result result) {
        AttemptEvidence current = attempt;
        if (streaming && (current == null || current.hasPassedFilters())) { // else a filter has answered it
            return;
        }
        if (result instanceof AsyncRpcResult async && !async.getResponseFuture().isDone()) {
            async.getResponseFuture()
                    .whenComplete(
                            (response, thrown) -> end(thrown != null ? thrown : ResultSupport.failureIn(response)));
        } else {
            end(ResultSupport.failureOf(result));
        }
    }

    /** Ends the call; {@code thrown} is null if it was delivered. */
    public void end(@Nullable Throwable thrown) {
        if (thrown != null && !(ResultSupport.unwrapped(thrown) instanceof HighwayException)) {
            abandoned = true;
        }
        record(outcomeOf(thrown));
        Future<?> wait = awaited;
        if (abandoned && wait != null) {
            wait.cancel(false);
        }
    }

    /** A message of the caller's stream is sent. */
    public void streamBegins() {
        hasStreamBegun = true;
    }

    /** Whether there was a message: Dubbo sends nothing before. */
    public boolean hasStreamBegun() {
        return hasStreamBegun;
    }

    /** Ends a stream whose observer gets this failure: home does not serve it. */
    public void streamFailed(HighwayException failure) {
        record(outcome(failure.outcome(), failure.reason(), false));
    }

    /** The outcome of the call if it ended like this; {@code thrown} is null if it was delivered. */
    public CallOutcome outcomeOf(@Nullable Throwable thrown) {
        Throwable failure = thrown == null ? null : ResultSupport.unwrapped(thrown);
        if (failure == null) {
            return outcome(Outcome.DELIVERED, null, false);
        }
        return failure instanceof HighwayException explained
                ? outcome(explained.outcome(), explained.reason(), isServedAtHome(explained))
                // the caller, or a filter of the application
                : outcome(isNotSent() ? Outcome.NOT_SENT : Outcome.SENT_UNKNOWN, null, false);
    }

    private boolean isNotSent() {
        AttemptEvidence current = attempt;
        return !mayHaveRun && (current == null || current.abandon());
    }

    /** The outcome, or null until the call has ended. */
    public @Nullable CallOutcome ended() {
        return ended.get();
    }

    /** Whether home may serve a call that ended like this, if the policy allows it. */
    public static boolean mayBeServedAtHome(HighwayException ended) {
        return !ended.mayHaveRun() && SERVED_AT_HOME.contains(ended.reason());
    }

    private boolean isServedAtHome(HighwayException failure) {
        return routed.decision() instanceof RouteDecision.Tunnel tunnel
                && tunnel.policy().fallbackHome()
                && mayBeServedAtHome(failure)
                && homeHasProviders.getAsBoolean();
    }

    private CallOutcome outcome(Outcome outcome, @Nullable Reason reason, boolean servedAtHome) {
        return CallOutcome.builder(call.interfaceName(), call.methodName(), outcome)
                .intent(routed.intent())
                .island(routed.decision().namedIsland())
                .policyVersion(routed.policy())
                .gateway(gateway)
                .reason(reason)
                .servedAtHome(servedAtHome)
                .trafficClass(trafficClass)
                .duration(Duration.ofNanos(clock.getAsLong() - begun))
                .build();
    }

    private void record(CallOutcome end) {
        if (!ended.compareAndSet(null, end)) {
            return;
        }
        LongAdder counted = calls;
        if (counted != null) {
            counted.decrement();
        }
        try {
            if (audited != null) {
                audited.ended(end, AttemptEvidence.bytesOf(call.invocation()));
            }
            listeners.forEach(listener -> listener.onOutcome(end, call.invocation()));
        } finally {
            onEnd.run();
        }
    }

    /** Makes the outcome of a synchronous call available to its caller; clears that of an earlier call otherwise. */
    private void publishLast() {
        InvokeMode mode = RpcUtils.getInvokeMode(call.consumerUrl(), call.invocation());
        InternalOutcomes.publishLast(mode == InvokeMode.SYNC ? ended.get() : null);
    }
}

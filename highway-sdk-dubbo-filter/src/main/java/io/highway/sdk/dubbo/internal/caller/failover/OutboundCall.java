// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.failover;

import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.InternalHighwayException;
import io.highway.sdk.dubbo.InternalOutcomes;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.application.PolicySnapshot;
import io.highway.sdk.dubbo.internal.call.CallAttributes;
import io.highway.sdk.dubbo.internal.call.DubboCall;
import io.highway.sdk.dubbo.internal.caller.endpoint.Destination;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecider;
import io.highway.sdk.dubbo.internal.caller.route.RouteDecision;
import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.highway.sdk.dubbo.internal.evidence.CallResults;
import io.highway.sdk.dubbo.internal.operate.audit.AuditLog;
import io.highway.sdk.dubbo.internal.operate.audit.OutboundCallAudit;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.apache.dubbo.rpc.AsyncRpcResult;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.InvokeMode;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.support.RpcUtils;
import org.jspecify.annotations.Nullable;

/**
 * The state of one call that leaves home or is refused, from its decision to its outcome, which the listeners receive
 * once. It is kept with the invocation, also with one by which a filter replaces it. The call may end on any thread; one
 * thread at a time records attempts.
 */
public final class OutboundCall {

    /** Reasons for which home may serve a call that was not sent. */
    private static final Set<Reason> SERVED_AT_HOME = EnumSet.of(
            Reason.GATEWAY_DOWN, Reason.NOT_FORWARDED, Reason.NO_SUCH_SERVICE, Reason.BREAKER_OPEN, Reason.BUSY);

    /** Reasons for which another island may: not a limit, which would then hold for neither. */
    private static final Set<Reason> SERVED_ELSEWHERE =
            EnumSet.of(Reason.GATEWAY_DOWN, Reason.NOT_FORWARDED, Reason.NO_SUCH_SERVICE, Reason.BREAKER_OPEN);

    /** The call has failed in the first island, and goes to another one. */
    private record Elsewhere(HighwayException before, RouteDecision.Tunnel tunnel) {}

    private static final AtomicReferenceFieldUpdater<OutboundCall, @Nullable CallOutcome> ENDED =
            AtomicReferenceFieldUpdater.newUpdater(OutboundCall.class, CallOutcome.class, "ended");

    private static final AtomicReferenceFieldUpdater<OutboundCall, @Nullable LongAdder> COUNTED =
            AtomicReferenceFieldUpdater.newUpdater(OutboundCall.class, LongAdder.class, "calls");

    private final HighwayRuntime runtime;
    private final DubboCall call;
    private final Intent intent;
    private final RouteDecision decision;
    private final @Nullable PolicySnapshot snapshot;
    private final BooleanSupplier homeHasProviders;
    private final InFlightCounter inFlight;
    private final @Nullable OutboundCallAudit audited;
    private final long begun;

    private volatile @Nullable CallOutcome ended;

    /** Null while it is for the island that it was for at first. */
    private volatile @Nullable Elsewhere elsewhere;

    // handed over between threads with the call
    private @Nullable GatewayAddress gateway;

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

    /** Where it is counted until its end. */
    @SuppressWarnings("UnusedVariable") // read by COUNTED
    private volatile @Nullable LongAdder calls;

    private @Nullable BiConsumer<GatewayAddress, Reason> onFailedAttempt;

    /**
     * Begins the call, and keeps it with its invocation.
     *
     * @param snapshot what decided; null if no {@code highway.*} key is set
     * @param inFlight counts it until it has ended
     */
    OutboundCall(
            HighwayRuntime runtime,
            DubboCall call,
            Intent intent,
            RouteDecision decision,
            @Nullable PolicySnapshot snapshot,
            BooleanSupplier homeHasProviders,
            InFlightCounter inFlight) {
        this.runtime = runtime;
        this.call = call;
        this.intent = intent;
        this.decision = decision;
        this.snapshot = snapshot;
        this.homeHasProviders = homeHasProviders;
        this.inFlight = inFlight;
        this.begun = runtime.clock().getAsLong();
        AuditLog audit = runtime.audit();
        this.audited = audit == null || snapshot == null
                ? null
                : OutboundCallAudit.begin(audit, call, decision, snapshot.policy());
        CallAttributes.put(call.invocation(), OutboundCall.class, this);
        inFlight.began();
    }

    /** The state of a call, or null if it is not routed. */
    public static @Nullable OutboundCall of(Invocation invocation) {
        return CallAttributes.get(invocation, OutboundCall.class);
    }

    /** As its caller made it. */
    public RpcInvocation invocation() {
        return (RpcInvocation) call.invocation();
    }

    /** What it asks for. */
    public Intent intent() {
        return intent;
    }

    /** The tunnel that carries it, or the refusal. */
    public RouteDecision decision() {
        Elsewhere other = elsewhere;
        return other == null ? decision : other.tunnel;
    }

    /** Whether home may serve it if it was not sent. */
    public boolean hasFallback() {
        return decision instanceof RouteDecision.Tunnel out
                && IslandPolicy.HOME.equals(out.fallback(call.interfaceName(), call.methodName()));
    }

    /** Whether any gateway for its tunnel is connected, or its first connection attempt has not ended. */
    public boolean isUp() {
        return decision instanceof RouteDecision.Tunnel out && destination(out).mayBeConnected(out.tunnels());
    }

    private Destination destination(RouteDecision.Tunnel tunnel) {
        return Objects.requireNonNull(snapshot).destination(tunnel);
    }

    /** Records that there is no attempt, because no gateway of its destination is connected: home serves it. */
    public void notTried() {
        // listeners look for them; home's filters would add them next
        invocation()
                .addObjectAttachmentsIfAbsent(RpcContext.getClientAttachment().getObjectAttachments());
        record(outcome(Outcome.NOT_SENT, Reason.GATEWAY_DOWN, true));
        publishLast();
    }

    /** Whether the call must not be sent, because there is no place for its audit lines. */
    boolean isRefusedByAudit() {
        return audited != null && audited.isRefused();
    }

    /** The class of the call is known: returns the endpoints of its class. A call that is no stream counts until its end. */
    Destination classified(TrafficClass ofCall, RouteDecision.Tunnel tunnel) {
        trafficClass = ofCall;
        Destination ofClass = destination(tunnel).of(ofCall);
        if (!tunnel.streaming()) {
            ofClass.calls().increment();
            count(ofClass.calls());
            if (ended != null) { // by another thread
                count(null);
            }
        }
        return ofClass;
    }

    /** Counts no more where the call was counted before. */
    private void count(@Nullable LongAdder where) {
        LongAdder before = COUNTED.getAndSet(this, where);
        if (before != null) {
            before.decrement();
        }
    }

    /**
     * Lets another island take the call, if policy names one for its method and proof is given that no attempt has run. It
     * does so once.
     *
     * @param sent the call as its last filter left it
     * @param failure how its attempts have ended; what prevents the other island is added to it
     * @return the tunnel to that island, or null if there is none
     */
    RouteDecision.@Nullable Tunnel fallBack(DubboCall sent, RouteDecision.Tunnel from, HighwayException failure) {
        boolean mayRun = mayHaveRun || failure.mayHaveRun() || attempt != null; // a filter sends it twice at a time
        if (mayRun || abandoned || !SERVED_ELSEWHERE.contains(failure.reason())) {
            return null;
        }
        RouteDecision other = RouteDecider.fallback(
                sent, from, Objects.requireNonNull(snapshot).policy());
        if (!(other instanceof RouteDecision.Tunnel tunnel)) {
            failure.addSuppressed(refused(sent, (RouteDecision.Refusal) other));
            return null;
        }
        gateway = null;
        elsewhere = new Elsewhere(failure, tunnel);
        return tunnel;
    }

    /** Sets what receives the gateway and the reason of each attempt that fails; it throws nothing. */
    public void onFailedAttempt(BiConsumer<GatewayAddress, Reason> listener) {
        onFailedAttempt = listener;
    }

    /** Records that the current attempt has failed. */
    void attemptFailed(HighwayException failure) {
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
    void attempting(GatewayAddress address, AttemptEvidence evidence) {
        gateway = address;
        attempt = evidence;
        if (abandoned) { // otherwise its end finds the evidence
            throw new CancellationException("the caller no longer waits for the call");
        }
    }

    /** Whether an attempt has begun. */
    boolean isAttempted() {
        return gateway != null;
    }

    /** Waits for something before an attempt; the wait is cancelled if the caller no longer waits for the call. */
    void awaiting(Future<?> wait) {
        awaited = wait;
        if (abandoned) {
            wait.cancel(false);
        }
    }

    /** The caller's future is done, by any thread: what has not been written of the call is not sent. */
    public void abandon() {
        if (ended == null) {
            end(new CancellationException());
        }
    }

    /** Whether the call has ended otherwise than by what the tunnel returned. */
    public boolean isAbandoned() {
        return abandoned;
    }

    /** Whether the call is a stream that has begun. */
    public boolean isStreaming() {
        return streaming;
    }

    /** Marks the call as a stream: it ends with its observer, not when the method returns. */
    void streams() {
        streaming = true;
    }

    /** Records the outcome of a result, now or when it completes. */
    @SuppressWarnings("FutureReturnValueIgnored") // only observes
    void endWith(Result result) {
        AttemptEvidence current = attempt;
        if (streaming && (current == null || current.hasPassedFilters())) { // else a filter has answered it
            return;
        }
        if (result instanceof AsyncRpcResult async && !async.getResponseFuture().isDone()) {
            async.getResponseFuture()
                    .whenComplete((response, thrown) -> end(thrown != null ? thrown : CallResults.failureIn(response)));
        } else {
            end(CallResults.failureOf(result));
        }
    }

    /** Ends the call; {@code thrown} is null if it was delivered. */
    public void end(@Nullable Throwable thrown) {
        if (thrown != null && !(CallResults.unwrapped(thrown) instanceof HighwayException)) {
            abandoned = true;
        }
        record(outcomeOf(thrown));
        Future<?> wait = awaited;
        if (abandoned && wait != null) {
            wait.cancel(false);
        }
    }

    /** A message of the caller's stream is sent. */
    void streamBegins() {
        hasStreamBegun = true;
    }

    /** Whether there was a message: Dubbo sends nothing before. */
    boolean hasStreamBegun() {
        return hasStreamBegun;
    }

    /** Ends a stream whose observer gets this failure: home does not serve it. */
    void streamFailed(HighwayException failure) {
        record(outcome(failure.outcome(), failure.reason(), false));
    }

    /** The outcome of the call if it ended like this; {@code thrown} is null if it was delivered. */
    public CallOutcome outcomeOf(@Nullable Throwable thrown) {
        Throwable failure = thrown == null ? null : CallResults.unwrapped(thrown);
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
        return ended;
    }

    /** Whether home serves the call if it ended like this. */
    public boolean isServedAtHome(HighwayException failure) {
        return hasFallback()
                && !failure.mayHaveRun()
                && SERVED_AT_HOME.contains(failure.reason())
                && homeHasProviders.getAsBoolean();
    }

    /** The exception of a refused call. */
    HighwayException refused(DubboCall sent) {
        return refused(sent, (RouteDecision.Refusal) decision);
    }

    private HighwayException refused(DubboCall sent, RouteDecision.Refusal refusal) {
        return exception(sent, refusal.reason(), false, "refused", refusal.what(), refusal.advice(), null);
    }

    /** The exception of a call whose reference is destroyed, and that by which home would serve it. */
    HighwayException stopped(DubboCall sent) {
        return notSent(
                sent,
                Reason.NO_TIME_LEFT,
                "the application is stopping: the reference is destroyed",
                "Stop what makes calls before the application stops: Spring stops Dubbo before other beans.");
    }

    /** The exception of a call that was not sent, for a reason that concerns no single gateway. */
    HighwayException notSent(DubboCall sent, Reason reason, String what) {
        return notSent(sent, reason, what, FailureAdvice.on(reason, (RouteDecision.Tunnel) decision()));
    }

    /** As the other method, with other advice. */
    HighwayException notSent(DubboCall sent, Reason reason, String what, String advice) {
        return exception(sent, reason, false, "tunnel to " + decision().island(), what, advice, null);
    }

    /**
     * What was asked, what was decided, why the call ended, and what to do.
     *
     * @param sent the call as its last filter left it
     */
    HighwayException exception(
            DubboCall sent,
            Reason reason,
            boolean mayRun,
            String decided,
            String what,
            String advice,
            @Nullable Throwable thrown) {
        String policy = policyVersion();
        HighwayException explained = InternalHighwayException.create(
                sent.name(),
                reason,
                intent,
                decision().island(),
                mayRun,
                policy == null ? decided : decided + " (policy " + policy + ")",
                what,
                advice,
                thrown);
        Elsewhere other = elsewhere;
        if (other != null) {
            explained.addSuppressed(other.before);
        }
        return explained;
    }

    private CallOutcome outcome(Outcome outcome, @Nullable Reason reason, boolean servedAtHome) {
        Elsewhere other = elsewhere;
        RouteDecision last = other == null ? decision : other.tunnel;
        return new CallOutcome(
                call.interfaceName(),
                call.methodName(),
                intent,
                last.namedIsland(),
                gateway,
                outcome,
                reason,
                servedAtHome,
                Duration.ofNanos(runtime.clock().getAsLong() - begun),
                policyVersion(),
                trafficClass,
                last instanceof RouteDecision.Tunnel out && out.standsInFor() != null
                        ? out.standsInFor()
                        : last.namedIsland(),
                servedAtHome ? reason : other == null ? null : other.before.reason());
    }

    private @Nullable String policyVersion() {
        return snapshot == null ? null : snapshot.policy().version();
    }

    private void record(CallOutcome end) {
        if (!ENDED.compareAndSet(this, null, end)) {
            return;
        }
        count(null);
        try {
            if (audited != null) {
                audited.ended(end, AttemptEvidence.bytesOf(call.invocation()));
            }
            runtime.listeners().forEach(listener -> listener.onOutcome(end, call.invocation()));
        } finally {
            inFlight.ended();
        }
    }

    /** Makes the outcome of a synchronous call available to its caller; clears that of an earlier call otherwise. */
    void publishLast() {
        InvokeMode mode = RpcUtils.getInvokeMode(call.consumerUrl(), call.invocation());
        InternalOutcomes.publishLast(mode == InvokeMode.SYNC ? ended : null);
    }
}

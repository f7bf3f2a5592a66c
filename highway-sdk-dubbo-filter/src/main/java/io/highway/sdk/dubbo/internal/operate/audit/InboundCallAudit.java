// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.audit;

import io.highway.sdk.Caller;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.call.CallAttributes;
import io.highway.sdk.dubbo.internal.call.CanonicalMethod;
import io.highway.sdk.dubbo.internal.call.InboundHttpTunnelCall;
import io.highway.sdk.dubbo.internal.evidence.NotSentStatements;
import io.highway.sdk.dubbo.internal.operate.audit.AuditEntry.Crossing;
import io.highway.sdk.dubbo.internal.operate.audit.AuditEntry.Direction;
import io.highway.sdk.dubbo.internal.operate.audit.AuditEntry.End;
import io.highway.sdk.dubbo.internal.operate.audit.AuditEntry.From;
import io.highway.sdk.dubbo.internal.operate.audit.AuditEntry.To;
import io.highway.sdk.dubbo.internal.policy.AuditPolicy;
import io.highway.sdk.dubbo.internal.policy.Policy;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.CancellationContext;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.support.RpcUtils;
import org.jspecify.annotations.Nullable;

/** The audit of one call at its destination: its lines are reserved before it runs. Thread-safe. */
public final class InboundCallAudit implements AuditLog.Unfinished {

    private static final String CANCELLED = "cancelled";
    private static final String UNKNOWN = "unknown";

    /** The caller of refused calls in the shares of the buffer: what they claim to be proves nothing. */
    private static final String REFUSED = "";

    /** Of a call that states none, and whose service states none. */
    private static final long DEFAULT_TIMEOUT_MILLIS = 60_000;

    private static final long LONGEST_TIMEOUT_MILLIS = TimeUnit.DAYS.toMillis(1);

    /** How long after its timeout a call is awaited: its answer may be late. */
    private static final long MARGIN_MILLIS = 5_000;

    /** How long a call holds its place, whose caller may have left. */
    private static final long MOST_HELD_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final long NOT_MEASURED = -1;

    private final AuditLog log;
    private final Crossing crossing;
    private final @Nullable String shadow;
    private final AuditLog.@Nullable Reservation reservation;
    private final @Nullable String trace;
    private final String tunnel;
    private final @Nullable String peer;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final long begun = System.nanoTime();
    private final long mostNanos;
    private boolean streaming;

    private InboundCallAudit(
            AuditLog log,
            String decision,
            Verdict verdict,
            int lines,
            String share,
            boolean losable,
            Invoker<?> invoker,
            Invocation invocation) {
        this.log = log;
        this.crossing = crossing(decision, invoker, invocation, verdict);
        this.shadow = verdict.shadow;
        this.trace = TraceIdFinder.of(invocation);
        this.tunnel = tunnel(invoker.getUrl(), invocation);
        this.peer = verdict.peer;
        this.mostNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis(invoker.getUrl(), invocation) + MARGIN_MILLIS);
        this.reservation = log.reserve(lines, share, losable); // last: a place without an owner is lost for ever
    }

    private static String tunnel(URL service, Invocation invocation) {
        if (CallAttributes.get(invocation, InboundHttpTunnelCall.class) != null) {
            return TunnelKind.HTTP.word();
        }
        return service.getProtocol().equals(TunnelKind.DUBBO.dubboProtocol())
                ? TunnelKind.DUBBO.word()
                : TunnelKind.TRIPLE.word();
    }

    private static long timeoutMillis(URL service, Invocation invocation) {
        Object stated = invocation.get(CommonConstants.TIMEOUT_KEY); // Triple
        if (stated == null) {
            stated = invocation.getObjectAttachment(CommonConstants.TIMEOUT_KEY);
        }
        long millis = stated instanceof String || stated instanceof Number // toString() of others may do anything
                ? RpcUtils.convertToNumber(stated, DEFAULT_TIMEOUT_MILLIS)
                : service.getMethodParameter( // caches no name, unlike getMethodPositiveParameter
                        invocation.getMethodName(), CommonConstants.TIMEOUT_KEY, DEFAULT_TIMEOUT_MILLIS);
        return Math.min(Math.max(millis, 0), LONGEST_TIMEOUT_MILLIS);
    }

    /**
     * Who calls, and what the guard decided.
     *
     * @param caller the caller, or null if it is unknown
     * @param island the island that serves the call, or that it names as its destination
     * @param asked the island that the call asked for, if this one stands in for it; otherwise null
     * @param peer the address of the connection's peer, or null if it is unknown
     * @param rule the name of the rule that decided, or null
     * @param shadow why the call would be refused if the guard were not in shadow mode, or null
     * @param policy the active policy
     */
    public record Verdict(
            @Nullable Caller caller,
            String island,
            @Nullable String asked,
            @Nullable String peer,
            @Nullable String rule,
            @Nullable String shadow,
            Policy policy) {}

    /**
     * Reserves the lines of a call that the guard lets pass; writes the first one if the policy asks for it.
     *
     * @return null if there is no place for them, and the call must be refused
     */
    public static @Nullable InboundCallAudit begin(
            AuditLog log, Invoker<?> invoker, Invocation invocation, Verdict verdict) {
        AuditPolicy policy = verdict.policy.audit();
        InboundCallAudit served = new InboundCallAudit(
                log,
                verdict.shadow == null ? "serve" : "shadow",
                verdict,
                policy.start() ? 2 : 1,
                share(verdict.caller),
                !policy.refusesOnOverflow(), // else the refusal has its own line
                invoker,
                invocation);
        AuditLog.Reservation reservation = served.reservation;
        if (reservation == null && policy.refusesOnOverflow()) {
            return null;
        }
        CallAttributes.put(invocation, InboundCallAudit.class, served);
        if (reservation != null) {
            if (policy.start()) {
                reservation.writeNow(served.line(null));
            }
            log.opened(served); // before its end, which a stream that was reset has at once
        }
        return served;
    }

    /** An admitted call is decoded, and runs. */
    public static void running(RpcInvocation invocation) {
        InboundCallAudit served = of(invocation);
        if (served != null) {
            served.observeStream(invocation);
            if (served.reservation != null && served.streaming) {
                served.reservation.idle();
            }
        }
    }

    /** An admitted call does not run: it cannot be decoded, or its caller has left. */
    public void notRun() {
        end(Outcome.REFUSED, NotSentStatements.NOT_RUN, null);
    }

    /** Who takes a share of the buffer: the caller as far as a signature proves it, else the island that it names. */
    private static String share(@Nullable Caller caller) {
        if (caller == null) {
            return UNKNOWN;
        }
        if (caller.isApplicationVerified()) {
            return caller.toString();
        }
        return caller.isIslandVerified()
                ? caller.island()
                : Objects.requireNonNullElse(caller.keyId(), caller.island());
    }

    /** Writes the line of a call that the guard refuses, for this reason. */
    public static void refused(
            AuditLog log, Invoker<?> invoker, Invocation invocation, Verdict verdict, String reason) {
        new InboundCallAudit(log, "refuse", verdict, 1, REFUSED, true, invoker, invocation)
                .end(Outcome.REFUSED, reason, null);
    }

    /** The audit of a call that is being served, or null. */
    public static @Nullable InboundCallAudit of(Invocation invocation) {
        return CallAttributes.get(invocation, InboundCallAudit.class);
    }

    private static Crossing crossing(String decision, Invoker<?> invoker, Invocation invocation, Verdict verdict) {
        URL service = invoker.getUrl();
        return new Crossing(
                Direction.IN,
                from(verdict.caller, verdict.policy),
                new To(
                        AuditEntry.cut(verdict.island),
                        verdict.asked,
                        service.getServiceInterface(),
                        AuditEntry.cut(CanonicalMethod.nameOf(invocation)),
                        service.getGroup(),
                        service.getVersion()),
                decision,
                verdict.rule,
                verdict.policy.version());
    }

    private static From from(@Nullable Caller caller, Policy policy) {
        return caller == null
                ? From.UNKNOWN
                : new From(
                        caller.island(),
                        caller.application(),
                        verified(caller),
                        caller.keyId(),
                        policy.ownerOf(caller));
    }

    private static @Nullable String verified(Caller caller) {
        if (caller.isApplicationVerified()) {
            return "application";
        }
        return caller.isIslandVerified() ? "island" : null;
    }

    /** A stream ends with its observer, or with its cancellation. */
    private void observeStream(RpcInvocation invocation) {
        Object[] arguments = invocation.getArguments();
        for (int i = 0; arguments != null && i < arguments.length; i++) {
            if (arguments[i] instanceof StreamObserver<?> observer) {
                if (!streaming) {
                    streaming = true;
                    arguments = arguments.clone();
                    invocation.setArguments(arguments);
                    observeCancellation();
                }
                arguments[i] = StreamEndObserver.of(observer, this::answered);
            }
        }
    }

    /**
     * Dubbo cancels the context of the thread whenever a call over Triple that was made there has ended. So the calls of the
     * service get another one, which ends with that of the stream.
     */
    private void observeCancellation() {
        CancellationContext ofStream = RpcContext.getCancellationContext();
        CancellationContext ofCalls = new CancellationContext();
        ofStream.addListener(context -> {
            cancelled();
            ofCalls.cancel(ofStream.getCancellationCause());
        });
        RpcContext.restoreCancellationContext(ofCalls);
    }

    /**
     * The service's method has returned, or its future has completed. A stream goes on.
     *
     * @param thrown what it answered with, or null
     */
    public static void returned(Invocation invocation, @Nullable Throwable thrown) {
        InboundCallAudit served = of(invocation);
        if (served != null && (!served.streaming || thrown != null)) {
            served.answered(thrown);
        }
    }

    /** The service has completed its answer; {@code thrown} is null if it did so without an exception. */
    void answered(@Nullable Throwable thrown) {
        end(Outcome.DELIVERED, shadow, thrown == null ? null : thrown.getClass().getName());
    }

    private void cancelled() {
        end(Outcome.SENT_UNKNOWN, CANCELLED, null);
    }

    @Override
    public void endIfOverdue(long nanos) {
        if (!streaming && nanos - begun > mostNanos) {
            endAsUnknown();
        } else if (reservation != null && nanos - begun > MOST_HELD_NANOS) {
            reservation.idle();
        }
    }

    @Override
    public void endAsUnknown() {
        end(Outcome.SENT_UNKNOWN, UNKNOWN, null);
    }

    private void end(Outcome outcome, @Nullable String reason, @Nullable String exception) {
        if (ended.compareAndSet(false, true) && reservation != null) {
            log.closed(this);
            reservation.write(line(new End(
                    outcome.word(),
                    reason,
                    outcome != Outcome.REFUSED,
                    null,
                    exception,
                    NOT_MEASURED,
                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun))));
        }
    }

    private AuditEntry line(@Nullable End end) {
        return new AuditEntry(crossing, System.currentTimeMillis(), trace, tunnel, peer, end);
    }
}

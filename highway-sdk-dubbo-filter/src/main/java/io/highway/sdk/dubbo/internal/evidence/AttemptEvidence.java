// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.evidence;

import io.highway.sdk.dubbo.internal.compression.PeerEncodings;
import io.highway.sdk.dubbo.internal.intent.CallState;
import io.highway.sdk.dubbo.internal.limits.ConnectionBusyException;
import io.netty.util.concurrent.Future;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.apache.dubbo.rpc.Invocation;
import org.jspecify.annotations.Nullable;

/**
 * What this process has observed on the connection during one attempt of one call: the proof for "not sent". The
 * connection's own handlers record it; text that a peer can write is never part of it. Thread-safe.
 *
 * <ul>
 *   <li>{@link #neverLeft}: the request did not reach the connection
 *   <li>{@link #unwritten}: the request reached the connection, which could not write it or may not have processed it:
 *       a stream over the peer's {@code MAX_CONCURRENT_STREAMS} that Netty refuses locally, a closed connection, a
 *       stream above GOAWAY's last id. The cause is the exception of the failed write
 *   <li>{@link #statement}: a gateway, the destination's SDK or its server states that it did not run the call
 * </ul>
 */
public final class AttemptEvidence {

    /**
     * The attachment by which the handlers of an HTTP/2 connection find the evidence of a request. They remove it: it
     * never leaves this process.
     */
    public static final String ATTACHMENT = "highway-attempt";

    private static final long NOT_MEASURED = -1;

    private final Connection connection;
    private final String island;
    private final String service;

    /** The called method, and that on the wire: a guard that has not read the body of a generic call knows the latter. */
    private final List<String> methods;

    private final @Nullable PeerEncodings encodings;
    private volatile @Nullable String encoding;
    private volatile @Nullable Throwable unwritten;
    private volatile @Nullable Statement statement;
    private volatile boolean passedFilters;
    private volatile boolean sent;

    /** Whether a filter has sent the request more than once, and one before the last may have run: nothing is proof then. */
    private volatile boolean mayHaveRunBefore;

    private volatile boolean watched;
    private volatile long bytes = NOT_MEASURED;
    private volatile @Nullable String name;

    /** The last request, if it knows itself whether it was written. */
    private volatile @Nullable Sending sending;

    /** HTTP/2: the write of the request's headers, which can be cancelled while the call waits for a stream. */
    private @Nullable Future<?> write;

    /** HTTP/2: ends the stream of the request. */
    private volatile @Nullable Runnable reset;

    /** The caller no longer waits, and a filter may not send another request; the phase is that of one request. */
    private boolean hasCallerLeft;

    private Phase phase = Phase.WAITING;

    private enum Phase {
        WAITING,
        LEFT,
        ABANDONED
    }

    /** The connection that an attempt is made over. */
    public interface Connection {

        /** Whether it is open, with handlers that record evidence. */
        boolean isInUse();

        /** The attempts that have not reached it yet. */
        WaitingAttempts<AttemptEvidence> waiting();
    }

    /** A request that knows itself whether it was written. */
    public interface Sending {

        /** A request that is not written yet is not written any more; returns whether nothing of it was written, or will be. */
        boolean abandon();
    }

    /** The kinds of statement that a call was not run. */
    public enum Kind {
        /** A gateway did not forward it. */
        NOT_FORWARDED,
        /** The SDK at the destination refused it. */
        REFUSED,
        /** The SDK at the destination refused it, because a limit there is reached. */
        BUSY,
        /** The SDK at the destination refused it, because no thread of the provider was free. */
        NO_THREAD,
        /** The SDK of another island refused it. */
        MISROUTED,
        /** The destination's server has no such service. */
        NO_SUCH_SERVICE,
        /** The destination has the service, in a version without the method. */
        NO_SUCH_METHOD,
        /**
         * The destination's server cannot tell what is missing: the service, or its method with these parameter types.
         */
        NO_SUCH_SERVICE_OR_METHOD,
        /** The destination's SDK cannot read messages in the encoding of the request. */
        NO_SUCH_ENCODING,
        /** The destination's server could not read the request. */
        UNREADABLE
    }

    /**
     * A statement about this call that counts as proof.
     *
     * @param reason in the words of the peer
     */
    public record Statement(Kind kind, String reason) {}

    private AttemptEvidence(
            Connection connection,
            String island,
            String service,
            List<String> methods,
            @Nullable PeerEncodings encodings) {
        this.connection = connection;
        this.island = island;
        this.service = service;
        this.methods = methods;
        this.encodings = encodings;
    }

    /**
     * Starts the evidence of an attempt; it replaces that of an earlier attempt.
     *
     * @param connection to the gateway address that is tried
     * @param island the call's destination, which a statement must name
     * @param encodings learns from the answer what the island reads, unless it is null
     */
    public static AttemptEvidence begin(
            Invocation invocation,
            Connection connection,
            String island,
            String service,
            String method,
            @Nullable PeerEncodings encodings) {
        AttemptEvidence evidence = new AttemptEvidence(
                connection, island, service, List.of(method, invocation.getMethodName()), encodings);
        CallState.put(invocation, AttemptEvidence.class, evidence);
        return evidence;
    }

    /** The evidence of the attempt in flight, or null: a filter may have replaced the invocation. */
    public static @Nullable AttemptEvidence of(Invocation invocation) {
        return CallState.get(invocation, AttemptEvidence.class);
    }

    /**
     * The request has passed the last filter and is handed to Dubbo's invoker: it may reach a connection now.
     *
     * @throws CancellationException if the attempt was abandoned
     */
    public synchronized void passToInvoker(Invocation invocation, boolean byHttp2) {
        if (hasCallerLeft || phase == Phase.ABANDONED) {
            throw new CancellationException("the caller no longer waits for the call");
        }
        watched = connection.isInUse();
        passedFilters = true;
        if (byHttp2 && watched) {
            String given = connection.waiting().add(this);
            name = given;
            invocation.setAttachment(ATTACHMENT, given);
        }
    }

    /**
     * A request is to be queued, which knows itself whether it was written; false if the attempt was abandoned: it must not
     * be sent.
     */
    public synchronized boolean sends(Sending request) {
        sending = request;
        return !hasCallerLeft && phase != Phase.ABANDONED;
    }

    /** If a filter sends the request once more, what is known of the last time proves nothing about this one. */
    public void beginAgain() {
        Sending last = sending;
        beginAgain(last != null && last.abandon());
    }

    private synchronized void beginAgain(boolean isNotWritten) {
        if (!passedFilters || hasCallerLeft || phase == Phase.ABANDONED) {
            return;
        }
        boolean isWaiting = sending != null ? isNotWritten : watched && phase == Phase.WAITING;
        if (isWaiting) {
            end();
        }
        mayHaveRunBefore |= !isWaiting && unwritten == null && statement == null;
        unwritten = null;
        statement = null;
        write = null;
        sending = null;
        phase = Phase.WAITING;
    }

    /** Whether the request may have run before a filter has sent it for the last time. */
    public boolean mayHaveRunBefore() {
        return mayHaveRunBefore;
    }

    /** The request has been sent: exceptions of filters after that do not change it, whatever happened to its answer. */
    public void sent() {
        sent = true;
    }

    /** Whether the request has been sent. */
    public boolean isSent() {
        return sent;
    }

    /** Removes the attempt's name from the attachments of an invocation, which another attempt may use. */
    public static void clearName(Map<String, Object> attachments) {
        attachments.remove(ATTACHMENT);
    }

    /** Ends the attempt; if its request has not reached the connection, its evidence is dropped. */
    public void end() {
        String known = name;
        if (known != null) {
            connection.waiting().take(known);
        }
    }

    /** The size of the request is known: its arguments on HTTP/2, its frame otherwise. */
    public void measured(long size) {
        bytes = size;
    }

    /** The size of the request, or a negative number if it was not measured. */
    public static long bytesOf(Invocation invocation) {
        AttemptEvidence evidence = of(invocation);
        return evidence == null ? NOT_MEASURED : evidence.bytes;
    }

    /** The destination of the call, which a statement about it must name. */
    public String island() {
        return island;
    }

    /** The called service. */
    String service() {
        return service;
    }

    /** The called method, and that on the wire. */
    List<String> methods() {
        return methods;
    }

    /** Whether the attempt has passed the last filter. */
    public boolean hasPassedFilters() {
        return passedFilters;
    }

    /**
     * Whether the request did not reach the connection. If it can be cancelled, it cannot reach it afterwards either: a
     * later write fails.
     */
    public boolean neverLeft() {
        if (!passedFilters || mayHaveRunBefore) {
            return false; // a filter has replaced the invocation
        }
        Sending known = sending;
        return known != null ? known.abandon() : neverReachedConnection();
    }

    private synchronized boolean neverReachedConnection() {
        if (!watched) {
            return false; // the connection has no handlers of the SDK
        }
        if (phase == Phase.WAITING) {
            phase = Phase.ABANDONED;
            end();
        }
        return phase == Phase.ABANDONED;
    }

    /**
     * Called when the request reaches the connection's handlers; false if the attempt was abandoned: the request must
     * not be written.
     */
    public synchronized boolean leave() {
        if (phase == Phase.WAITING) {
            phase = Phase.LEFT;
        }
        return phase == Phase.LEFT;
    }

    /**
     * As {@link #leave()}, over HTTP/2.
     *
     * @param written the promise of the write: until it is written it can be cancelled
     * @param stream ends the stream, if its answer has not begun
     */
    public synchronized boolean leave(Future<?> written, Runnable stream) {
        write = written;
        reset = stream;
        return leave();
    }

    /** The time of the call is over: Dubbo ends the stream of a request only if its answer has begun. */
    public void endStream() {
        Runnable known = reset;
        if (known != null) {
            known.run();
        }
    }

    /**
     * The caller no longer waits: a request that has not been written is not written any more.
     *
     * @return whether it was not written
     */
    public boolean abandon() {
        Future<?> headers;
        Sending known;
        synchronized (this) {
            hasCallerLeft = true;
            known = sending;
            if (known == null && phase == Phase.WAITING && (!passedFilters || watched)) {
                phase = Phase.ABANDONED;
                unwritten = new ConnectionBusyException("the caller no longer waits for the call");
                end();
            }
            if (phase == Phase.ABANDONED) {
                return !mayHaveRunBefore;
            }
            headers = write;
        }
        if (known != null) {
            return known.abandon() && !mayHaveRunBefore;
        }
        return headers != null && headers.cancel(false) && !mayHaveRunBefore;
    }

    /** Why the request was not completely written, or not processed by the peer; null if there is no proof of that. */
    public @Nullable Throwable unwritten() {
        return mayHaveRunBefore ? null : unwritten;
    }

    /** As the other method, of a request that knows itself; what became of an earlier one proves nothing about the last. */
    public synchronized void notWritten(Sending request, Throwable cause) {
        if (sending == request) {
            unwritten = cause;
        }
    }

    public void notWritten(@Nullable Throwable cause) {
        unwritten = Objects.requireNonNullElseGet(cause, () -> new IllegalStateException("the write was cancelled"));
    }

    /** What a gateway or the destination states about this call, or null. */
    public @Nullable Statement statement() {
        return mayHaveRunBefore ? null : statement;
    }

    public void state(Kind kind, String reason) {
        statement = new Statement(kind, reason);
        if (kind == Kind.NO_SUCH_ENCODING) {
            encodingRefused();
        }
    }

    /** Sets the {@code grpc-encoding} of the request. */
    public void encodedIn(@Nullable String grpcEncoding) {
        encoding = grpcEncoding;
    }

    /** A response has come, with this {@code grpc-accept-encoding}, after its statement was read. */
    public void answered(@Nullable CharSequence acceptedEncodings) {
        Statement known = statement;
        boolean byTheIsland =
                known == null || (known.kind() != Kind.NOT_FORWARDED && known.kind() != Kind.NO_SUCH_ENCODING);
        if (encodings != null && byTheIsland) {
            encodings.answered(service, acceptedEncodings);
        }
    }

    /** The peer could not read the encoding of the request. */
    public void encodingRefused() {
        if (encodings != null) {
            encodings.refused(encoding, island, service);
        }
    }
}

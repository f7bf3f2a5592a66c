// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.evidence;

import io.highway.sdk.dubbo.internal.call.CallAttributes;
import io.highway.sdk.dubbo.internal.network.compression.PeerEncodings;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.apache.dubbo.rpc.Invocation;
import org.jspecify.annotations.Nullable;

/**
 * What this process has observed of one attempt of one call: the proof for "not sent". Text that a peer can write is never
 * part of it. Thread-safe.
 *
 * <ul>
 *   <li>{@link #neverLeft}: there was no request yet, or it was in its queue; it is not written then
 *   <li>{@link #unwritten}: the request could not be written, or may not have been processed: a stream above GOAWAY's last
 *       id. The cause is the exception of the failed write
 *   <li>{@link #statement}: a gateway, the destination's SDK or its server states that it did not run the call
 * </ul>
 */
public final class AttemptEvidence {

    private static final long NOT_MEASURED = -1;

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

    private volatile long bytes = NOT_MEASURED;

    /** The last request; null before the first one. */
    private volatile @Nullable Sending sending;

    /** No further request may be sent. */
    private boolean isAbandoned;

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

    private AttemptEvidence(String island, String service, List<String> methods, @Nullable PeerEncodings encodings) {
        this.island = island;
        this.service = service;
        this.methods = methods;
        this.encodings = encodings;
    }

    /**
     * Starts the evidence of an attempt; it replaces that of an earlier attempt.
     *
     * @param island the call's destination, which a statement must name
     * @param encodings learns from the answer what the island reads, unless it is null
     */
    public static AttemptEvidence begin(
            Invocation invocation, String island, String service, String method, @Nullable PeerEncodings encodings) {
        AttemptEvidence evidence =
                new AttemptEvidence(island, service, List.of(method, invocation.getMethodName()), encodings);
        CallAttributes.put(invocation, AttemptEvidence.class, evidence);
        return evidence;
    }

    /** The evidence of the attempt in flight, or null: a filter may have replaced the invocation. */
    public static @Nullable AttemptEvidence of(Invocation invocation) {
        return CallAttributes.get(invocation, AttemptEvidence.class);
    }

    /**
     * The request has passed the last filter and is handed to the innermost invoker.
     *
     * @throws CancellationException if the attempt was abandoned
     */
    public synchronized void passToInvoker() {
        if (isAbandoned) {
            throw new CancellationException("the caller no longer waits for the call");
        }
        passedFilters = true;
    }

    /** A request is to be queued; false if the attempt was abandoned: it must not be sent. */
    public synchronized boolean sends(Sending request) {
        mayHaveRunBefore |= sending != null && sending != request; // a filter sends two at the same time
        sending = request;
        return !isAbandoned;
    }

    /** If a filter sends the request once more, what is known of the last time proves nothing about this one. */
    public void beginAgain() {
        Sending last = sending;
        beginAgain(last, last == null || last.abandon());
    }

    private synchronized void beginAgain(@Nullable Sending last, boolean isNotWritten) {
        if (!passedFilters || isAbandoned) {
            return;
        }
        mayHaveRunBefore |= sending != last || (!isNotWritten && unwritten == null && statement == null);
        unwritten = null;
        statement = null;
        sending = null;
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

    /** Whether nothing of the request has left this process; then nothing of it does afterwards either. */
    public boolean neverLeft() {
        return passedFilters && !mayHaveRunBefore && isHeldBack();
    }

    /**
     * The caller no longer waits: a request that has not been written is not written any more.
     *
     * @return whether it was not written
     */
    public boolean abandon() {
        return isHeldBack() && !mayHaveRunBefore;
    }

    private boolean isHeldBack() {
        Sending known;
        synchronized (this) {
            known = sending;
            isAbandoned = true;
        }
        return known == null || known.abandon();
    }

    /** Why the request was not completely written, or not processed by the peer; null if there is no proof of that. */
    public @Nullable Throwable unwritten() {
        return mayHaveRunBefore ? null : unwritten;
    }

    /** Of the last request; what became of an earlier one proves nothing about the last. */
    public synchronized void notWritten(Sending request, Throwable cause) {
        if (sending == request) {
            unwritten = cause;
        }
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

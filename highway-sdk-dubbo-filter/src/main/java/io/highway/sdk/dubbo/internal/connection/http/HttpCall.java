// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.http;

import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.dubbo.internal.compression.CompressedFrames;
import io.highway.sdk.dubbo.internal.connection.dubbo.CallRequests;
import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.highway.sdk.dubbo.internal.limits.BytesInFlight;
import io.highway.sdk.dubbo.internal.limits.ConnectionBusyException;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.remoting.Channel;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.exchange.Request;
import org.apache.dubbo.remoting.exchange.support.DefaultFuture;
import org.apache.dubbo.rpc.RpcInvocation;
import org.jspecify.annotations.Nullable;

/** A call, from before a connection is free for it until it has ended. Thread-safe. */
final class HttpCall {

    private static final HexFormat HEX = HexFormat.of();
    private static final int CALL_ID_BYTES = 16;

    /** A peer that could predict the id of a call could have it refused as repeated. */
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Channel client;
    private final Request request;
    private final @Nullable AttemptEvidence evidence;

    /** Null if no caller waits for an answer. */
    private final @Nullable DefaultFuture pending;

    private final String path;
    private final Map<String, Object> attachments;
    private final ByteBuf frame;
    private final long deadline;
    private final @Nullable CompressedFrames compression;
    private final boolean isCompressed;
    private final AtomicBoolean isTaken = new AtomicBoolean();
    private volatile @Nullable Carrier carrier;
    private volatile boolean hasArrived;
    private final CompletableFuture<@Nullable Void> written = new CompletableFuture<>();

    /** A connection that carries calls. */
    interface Carrier {

        /** The caller of this call no longer waits for its answer. */
        void abandon(HttpCall call);
    }

    /**
     * Describes a call.
     *
     * @param frame is released when the call is written or has ended
     * @param timeoutMillis from now on
     * @param compression null if its answer is not to be compressed
     * @param isCompressed whether the frame is
     */
    HttpCall(
            Channel client,
            Request request,
            @Nullable AttemptEvidence evidence,
            @Nullable DefaultFuture pending,
            ByteBuf frame,
            long timeoutMillis,
            @Nullable CompressedFrames compression,
            boolean isCompressed) {
        RpcInvocation invocation = (RpcInvocation) request.getData();
        this.client = client;
        this.request = request;
        this.evidence = evidence;
        this.pending = pending;
        this.attachments = invocation.getObjectAttachments();
        this.path = new RequestPath(
                        text(HighwayAttachments.ISLAND), text(CommonConstants.PATH_KEY), invocation.getMethodName())
                .text();
        this.frame = frame;
        this.compression = compression;
        this.isCompressed = isCompressed;
        this.deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    }

    private String text(String attachment) {
        return String.valueOf(attachments.get(attachment));
    }

    long id() {
        return request.getId();
    }

    /**
     * Counts the request until it is written; one with an answer counts until that.
     *
     * @throws RemotingException if there are too many bytes
     */
    void countIn(BytesInFlight bytes) throws RemotingException {
        int size = frame.readableBytes();
        try {
            bytes.enter(size);
        } catch (ConnectionBusyException e) {
            notWritten(e);
            throw new RemotingException(client, String.valueOf(e.getMessage()), e);
        }
        CompletableFuture<?> unused = written.whenComplete((done, failure) -> bytes.leave(size));
    }

    /** Whether a caller waits for the answer. */
    boolean isAwaited() {
        return pending != null && !pending.isDone();
    }

    /** Whether it was written, or has ended. */
    boolean isTaken() {
        return isTaken.get();
    }

    /** Called right before it is written to a connection; false if it has ended: it must not be written then. */
    boolean leave(Carrier connection) {
        carrier = connection;
        if (!isTaken.compareAndSet(false, true)) {
            return false;
        }
        if (evidence != null && !evidence.leave()) {
            frame.release();
            written(new CancellationException("the caller no longer waits"));
            end(); // otherwise it would hold a permit until its time is over
            return false;
        }
        DefaultFuture.sent(client, request);
        return true;
    }

    /** The request, with the time that is left now. */
    FullHttpRequest message(String host) {
        FullHttpRequest message = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, path, frame);
        HttpHeaders headers = message.headers()
                .set(HttpHeaderNames.HOST, host)
                .set(HttpHeaderNames.CONTENT_TYPE, HttpWire.CONTENT_TYPE)
                .setInt(HttpHeaderNames.CONTENT_LENGTH, frame.readableBytes());
        copy(HighwayAttachments.ISLAND, HighwayAttachments.ISLAND, headers);
        copy(HighwayAttachments.FROM, HighwayAttachments.FROM, headers);
        copy(CommonConstants.GROUP_KEY, HttpWire.GROUP, headers);
        copy(CommonConstants.VERSION_KEY, HttpWire.VERSION, headers);
        if (attachments.containsKey(HighwayAttachments.SIGN)) {
            copy(HighwayAttachments.SIGN, HighwayAttachments.SIGN, headers);
        } else {
            byte[] id = new byte[CALL_ID_BYTES];
            RANDOM.nextBytes(id);
            headers.set(HttpWire.CALL_ID, HEX.formatHex(id));
        }
        if (compression != null) {
            headers.set(HttpWire.ACCEPT_ENCODING, compression.accepted());
        }
        if (compression != null && isCompressed) {
            headers.set(HttpWire.ENCODING, compression.encoding());
        }
        headers.set(HttpWire.TIMEOUT, millisLeft());
        return message;
    }

    /** The time that is left, at least 1 ms. */
    long millisLeft() {
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
    }

    private void copy(String attachment, String header, HttpHeaders headers) {
        Object value = attachments.get(attachment);
        if (value != null) {
            headers.set(header, value);
        }
    }

    /** Runs on a thread that the caller waits on, or that completes its future. */
    void execute(Runnable task) {
        ExecutorService executor = pending == null ? null : pending.getExecutor();
        if (executor == null) {
            task.run();
        } else {
            executor.execute(task);
        }
    }

    /** A provider has answered, and reads these encodings. */
    void answered(@Nullable String acceptedEncodings) {
        if (evidence != null) {
            evidence.answered(acceptedEncodings);
        }
    }

    /** Nothing of it has left this process. */
    void notWritten(Throwable cause) {
        if (!isTaken.compareAndSet(false, true)) {
            return;
        }
        frame.release();
        written(cause);
        if (evidence != null) {
            evidence.notWritten(cause);
        }
        end();
    }

    /** Its connection is lost before its answer. */
    void end() {
        DefaultFuture known = pending;
        if (known == null) {
            return;
        }
        try { // what follows is the application's, and would block a thread of connections
            execute(() -> CallRequests.end(known, client));
        } catch (RejectedExecutionException e) {
            CallRequests.end(known, client);
        }
    }

    /** Its answer has come. */
    void arrived() {
        hasArrived = true;
    }

    /** Its request is written, or could not be. */
    void written(@Nullable Throwable failure) {
        if (failure == null) {
            written.complete(null);
        } else {
            written.completeExceptionally(failure);
        }
    }

    /**
     * Waits until the request is written, within its time.
     *
     * @throws RemotingException if it is not
     */
    void awaitWritten() throws RemotingException {
        try {
            Object unused = written.get(millisLeft(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RemotingException(client, "interrupted while the request was being written", e);
        } catch (ExecutionException | TimeoutException e) {
            abandoned();
            throw new RemotingException(client, "the request was not written: " + e, e);
        }
    }

    /** Whether it needs no connection any more, since nothing waits for an answer and its time is over. */
    boolean isExpired() {
        if (isTaken()) {
            return true;
        }
        if (pending == null && deadline - System.nanoTime() <= 0) {
            notWritten(new IOException("no connection was free in time"));
            return true;
        }
        return false;
    }

    /** No caller waits for it any more; returns whether it has not been written. */
    boolean abandoned() {
        if (isTaken.compareAndSet(false, true)) {
            frame.release();
            written(new CancellationException("the caller no longer waits"));
            return true;
        }
        if (!hasArrived) {
            Carrier connection = carrier;
            if (connection != null) {
                connection.abandon(this);
            }
        }
        return false;
    }
}

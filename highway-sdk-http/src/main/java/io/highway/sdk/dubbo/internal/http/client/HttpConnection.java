// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.client;

import io.highway.sdk.dubbo.internal.network.connection.ConnectionHandler;
import io.highway.sdk.dubbo.internal.network.frame.FrameCall;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The last handler of one connection, which carries one call at a time. An answer that nothing has asked for closes it, and
 * so does one that does not name its call: it could be one too many, and each later call would get the answer before.
 * Netty's methods run on the connection's event loop; the others may be called by any thread.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of closing, and of writing, whose failure closes
final class HttpConnection extends SimpleChannelInboundHandler<FullHttpResponse> implements FrameCall.Carrier {

    private final Pool pool;
    private final String host;
    private final Channel channel;
    private final AnswerMemory answers;

    /** Completes with the answer to the greeting: whether the connection can carry calls then. */
    private final CompletableFuture<Boolean> greeted = new CompletableFuture<>();

    /** The call in flight; read and written on the event loop. */
    private @Nullable FrameCall current;

    /** Whether all of its request is written. */
    private boolean isWritten;

    /** Whether a call got no answer over it. */
    private boolean hasLost;

    private volatile long idleSince = System.nanoTime();
    private volatile boolean isRetired;

    /** The connections of an address. */
    interface Pool {

        /** Nothing of this call has been written; another connection is to carry it. */
        void send(FrameCall call);

        /** A connection carries no call any more. */
        void free(HttpConnection connection);

        /**
         * A connection is closed.
         *
         * @param hadCall whether it has lost a call: others may be lost, too
         */
        void closed(HttpConnection connection, boolean hadCall);
    }

    /** @param answers in front of it */
    HttpConnection(Pool pool, String host, Channel channel, AnswerMemory answers) {
        this.pool = pool;
        this.host = host;
        this.channel = channel;
        this.answers = answers;
    }

    Channel channel() {
        return channel;
    }

    CompletableFuture<Boolean> greeted() {
        return greeted;
    }

    /** Time since the last call, nanoseconds. */
    long idleNanos() {
        return System.nanoTime() - idleSince;
    }

    /** It takes no new calls. */
    void retire() {
        isRetired = true;
    }

    /** Whether it can carry another call. */
    boolean isReusable() {
        return !isRetired && channel.isActive();
    }

    /** Writes a call, or returns it to the others if the connection was closed before: nothing of it has left then. */
    @Override
    public void send(FrameCall call) {
        try {
            channel.eventLoop().execute(() -> writeNow(call));
        } catch (RejectedExecutionException e) { // the process ends
            call.notWritten(e);
        }
    }

    private void writeNow(FrameCall call) {
        if (!isReusable()) {
            channel.close();
            pool.send(call);
            return;
        }
        FullHttpRequest request;
        try {
            request = HttpRequestFactory.of(call, host);
        } catch (RuntimeException e) { // a header that Netty refuses
            call.notWritten(e);
            free();
            return;
        }
        if (!call.begin(this)) {
            free();
            return;
        }
        current = call;
        isWritten = false;
        ConnectionHandler.used(channel);
        channel.writeAndFlush(request).addListener(written -> {
            isWritten = written.isSuccess();
            if (!isWritten) {
                channel.close();
            }
        });
    }

    private void free() {
        idleSince = System.nanoTime();
        pool.free(this);
    }

    /** Its answer could only be mistaken for that of the next call. */
    @Override
    public void abandon(FrameCall call) {
        if (!channel.eventLoop().isShutdown()) {
            channel.eventLoop().execute(() -> abandonNow(call));
        }
    }

    private void abandonNow(FrameCall call) {
        if (current == call) {
            current = null;
            hasLost = true;
            channel.close();
        }
    }

    /** Ends the call in flight, if there is one. */
    void close() {
        channel.close();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpResponse answer) {
        if (answer.status().codeClass() == HttpStatusClass.INFORMATIONAL) {
            return; // the answer follows
        }
        FrameCall call = current;
        current = null;
        boolean isReusable = answer.decoderResult().isSuccess() && HttpUtil.isKeepAlive(answer);
        if (call == null) {
            if (!greeted.complete(isReusable)) {
                context.close();
            }
            return;
        }
        if (!isReusable || !isWritten) { // else the rest of the request would be read as the next one
            retire();
        }
        if (answer.decoderResult().isSuccess()) {
            HttpAnswerReader.received(call, answer, answers, this::closeRetired);
        } else {
            call.lost();
        }
        free();
    }

    /** On any thread. A call that it has taken meanwhile is lost: it would get the answer to another. */
    private void closeRetired() {
        retire();
        channel.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        boolean unused = greeted.complete(false);
        FrameCall lost = current;
        current = null;
        pool.closed(this, lost != null || hasLost);
        if (lost != null) {
            lost.lost();
        }
        context.fireChannelInactive();
    }

    /** What cannot be read as HTTP, or is over a limit. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}

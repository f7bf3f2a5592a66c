// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.http;

import io.highway.sdk.dubbo.internal.limits.BufferedBytes;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import org.jspecify.annotations.Nullable;

/**
 * Counts the bytes of an answer as {@link BufferedBytes} until it is complete. Over the bound the connection is read no
 * further, and it is closed if that takes ten seconds. Its methods run on the connection's event loop.
 */
final class AnswerBytes extends ChannelInboundHandlerAdapter {

    private final BufferedBytes bytes;
    private ChannelHandlerContext context;
    private BufferedBytes.Connection buffered;
    private BufferedBytes.@Nullable Body body;

    @SuppressWarnings("NullAway.Init") // handlerAdded precedes every other method
    AnswerBytes(BufferedBytes bytes) {
        this.bytes = bytes;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        buffered = bytes.connection(added.channel().eventLoop(), this::resume, this::sweep);
    }

    @Override
    public void channelRead(ChannelHandlerContext unused, Object message) {
        if (message instanceof HttpContent content) {
            BufferedBytes.Body answer = body != null ? body : buffered.begin();
            body = answer;
            answer.add(content.content().readableBytes());
            if (message instanceof LastHttpContent) {
                release();
            } else if (!answer.mayGrow()) {
                context.channel().config().setAutoRead(false);
            }
        }
        context.fireChannelRead(message);
    }

    private void resume() {
        BufferedBytes.Body answer = body;
        if (answer == null || answer.mayGrow()) {
            context.channel().config().setAutoRead(true);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it closes in any case
    private boolean sweep() {
        BufferedBytes.Body answer = body;
        if (answer != null && answer.isStalled() && buffered.isUnderPressure()) {
            context.close();
        }
        return answer != null;
    }

    private void release() {
        BufferedBytes.Body answer = body;
        body = null;
        if (answer != null) {
            answer.arrived(true);
            answer.release();
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext removed) {
        release();
        buffered.close();
    }
}

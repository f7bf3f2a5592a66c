// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.client;

import io.highway.sdk.dubbo.internal.memory.BodyBackpressure;
import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import org.jspecify.annotations.Nullable;

/**
 * Counts the bytes of an answer in the {@link MemoryBudget} until it is decoded. While they must wait the connection is not
 * read; it is closed if the answer is refused. Its methods run on the connection's event loop.
 */
final class AnswerMemory extends ChannelDuplexHandler {

    private final MemoryBudget budget;
    private BodyBackpressure answers;

    @SuppressWarnings("NullAway.Init") // handlerAdded precedes every other method
    AnswerMemory(MemoryBudget budget) {
        this.budget = budget;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // it closes in any case
    public void handlerAdded(ChannelHandlerContext context) {
        answers = new BodyBackpressure(budget, context.channel(), true, () -> context.close());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        boolean isLast = message instanceof LastHttpContent;
        if (message instanceof HttpContent content) {
            answers.add(content.content().readableBytes());
        }
        if (!isLast) {
            answers.proceed();
        }
        context.fireChannelRead(message);
        if (isLast) {
            answers.release(); // unless it was taken
            answers.proceed();
        }
    }

    /** What the answer counts that is passed on now, for the one who decodes it. */
    MemoryBudget.@Nullable Body takeMemory() {
        return answers.end();
    }

    /** Netty's aggregator reads on in an answer that is not whole, though reading is paused. */
    @Override
    public void read(ChannelHandlerContext context) {
        if (context.channel().config().isAutoRead()) {
            context.read();
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext removed) {
        answers.release();
    }
}

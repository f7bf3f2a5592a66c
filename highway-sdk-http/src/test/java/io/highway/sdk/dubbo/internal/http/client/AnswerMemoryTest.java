// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AnswerMemoryTest {

    @Test
    void aConnectionWhoseAnswerMustWait_isNotRead() {
        AtomicInteger reads = new AtomicInteger();
        EmbeddedChannel connection = new EmbeddedChannel(
                new ChannelOutboundHandlerAdapter() {
                    @Override
                    public void read(ChannelHandlerContext context) {
                        reads.incrementAndGet();
                        context.read();
                    }
                },
                new AnswerMemory(new MemoryBudget()),
                new HttpObjectAggregator(1024));
        connection.writeInbound(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));

        connection.config().setAutoRead(false);
        int before = reads.get();
        connection.pipeline().fireChannelReadComplete();

        assertThat(reads).hasValue(before);
        connection.config().setAutoRead(true);
        assertThat(reads).hasValueGreaterThan(before);
        connection.writeInbound(LastHttpContent.EMPTY_LAST_CONTENT);
        connection.finishAndReleaseAll();
    }
}

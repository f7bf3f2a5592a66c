// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

class CountedTest {

    /** A peer may send millions of messages without content, which a service has not read yet. */
    @Test
    void aMessageCountsWhatItTakes_untilItIsRead() {
        MemoryBudget buffered = new MemoryBudget();
        MemoryBudget.Body body =
                buffered.open(new EmbeddedChannel().eventLoop(), () -> {}).begin(() -> {});
        ByteBuf empty = Unpooled.wrappedBuffer(new byte[5]);
        body.add(empty.readableBytes());

        ByteBuf message = new TripleRequestBody.Counted(empty, body);
        long counted = buffered.bytes();
        message.release();

        assertThat(counted).isBetween(300L, 1000L);
        assertThat(buffered.bytes()).isZero();
    }
}

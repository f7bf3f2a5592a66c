// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway.dubbo;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.highway.sdk.dubbo.internal.facts.DubboRequestFacts;
import io.highway.sdk.dubbo.internal.facts.UnreadableRequestException;
import io.highway.sdk.dubbo.internal.network.frame.FrameHeader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.CorruptedFrameException;
import java.util.Arrays;

/** Bytes of a hostile peer, split anywhere: frames within the limit and requests that can be routed, or a refusal. */
class DubboFrameFuzzTest {
    private static final int LIMIT = 4096;

    /** The first byte chooses the size of the pieces. */
    @FuzzTest
    void readsFramesWithinTheLimit_orRefuses(byte[] input) {
        if (input.length == 0) {
            return;
        }
        int piece = 1 + (input[0] & 0xff);
        EmbeddedChannel connection = new EmbeddedChannel(new DubboFrameDecoder(LIMIT));
        try {
            for (int at = 1; at < input.length; at += piece) {
                byte[] bytes = Arrays.copyOfRange(input, at, Math.min(input.length, at + piece));
                connection.writeInbound(Unpooled.wrappedBuffer(bytes));
                for (ByteBuf frame = connection.readInbound(); frame != null; frame = connection.readInbound()) {
                    read(frame);
                }
            }
        } catch (CorruptedFrameException refused) {
            assertThat(refused).hasMessage("not a Dubbo frame");
        } finally {
            connection.finishAndReleaseAll();
        }
    }

    private static void read(ByteBuf frame) {
        try {
            if (FrameHeader.bytes(frame, 0) > LIMIT) {
                assertThat(frame.readableBytes()).isEqualTo(FrameHeader.HEADER_BYTES);
                return;
            }
            assertThat(frame.readableBytes()).isLessThanOrEqualTo(LIMIT);
            DubboRequestFacts request =
                    DubboRequestFacts.ofBody(OwnFrames.body(frame), FrameHeader.serialization(frame, 0));
            assertThat(request.service()).isNotNull();
            assertThat(request.method()).isNotNull();
        } catch (UnreadableRequestException refused) {
            assertThat(refused.getMessage()).isNotBlank();
        } finally {
            frame.release();
        }
    }
}

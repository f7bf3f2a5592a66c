// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.http2;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.highway.sdk.dubbo.internal.memory.BodyBuffer;
import io.highway.sdk.dubbo.internal.network.compression.BoundedInflater;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.dubbo.rpc.StatusRpcException;

/** Bytes of a hostile peer, split anywhere: each message is within the limit, and other errors than refusals do not exist. */
class MessageReaderFuzzTest {

    private static final int LIMIT = 4096;

    /** The first two bytes choose the encoding and the size of the pieces. */
    @FuzzTest
    void readsMessagesWithinTheLimit_orRefuses(byte[] input) {
        if (input.length < 2) {
            return;
        }
        int piece = 1 + (input[1] & 0xff);
        MessageReader reader = new MessageReader(
                LIMIT, BoundedInflater.PAYLOAD, new BodyBuffer(UnpooledByteBufAllocator.DEFAULT, () -> false));
        try {
            for (int at = 2; at < input.length; at += piece) {
                ByteBuf data =
                        Unpooled.wrappedBuffer(Arrays.copyOfRange(input, at, Math.min(input.length, at + piece)));
                for (ByteBuf message = reader.next(data); message != null; message = reader.next(data)) {
                    requireFits(message, encoding(input[0]));
                    message.release();
                }
                assertThat(data.isReadable()).as("bytes that were not read").isFalse();
                data.release();
            }
        } catch (StatusRpcException | IOException refused) {
            assertThat(refused).hasMessageNotContaining("null");
        } finally {
            reader.close();
        }
    }

    private static void requireFits(ByteBuf message, String encoding) throws IOException {
        ByteBuf plain = MessageReader.isCompressed(message)
                ? BoundedInflater.inflate(encoding, message, LIMIT, UnaryOperator.identity(), step -> {})
                : message.retain();
        assertThat(plain.readableBytes() - BoundedInflater.PREFIX_BYTES).isLessThanOrEqualTo(LIMIT);
        plain.release();
    }

    private static String encoding(byte choice) {
        List<String> all = BoundedInflater.ENCODINGS.stream().sorted().toList();
        return all.get(Math.floorMod(choice, all.size()));
    }
}

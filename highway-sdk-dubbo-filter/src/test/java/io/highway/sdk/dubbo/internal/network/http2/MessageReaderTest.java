// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.sun.management.ThreadMXBean;
import io.highway.sdk.dubbo.internal.memory.BodyBuffer;
import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.highway.sdk.dubbo.internal.network.compression.BoundedInflater;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPOutputStream;
import org.apache.dubbo.rpc.StatusRpcException;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes over the wire takes memory by what has come, and never more than the limit. */
class MessageReaderTest {

    private static final int LIMIT = 8 << 20;
    private static final byte[] TEXT =
            "tea for two, and two for tea".repeat(400).getBytes();

    private final List<byte[]> messages = new ArrayList<>();
    private final MessageReader reader = new MessageReader(
            LIMIT, BoundedInflater.PAYLOAD, new BodyBuffer(UnpooledByteBufAllocator.DEFAULT, () -> false));
    private String encoding = "identity";
    private UnaryOperator<byte[]> snappy = UnaryOperator.identity();

    private static byte[] message(boolean compressed, byte[] body) {
        return ByteBuffer.allocate(5 + body.length)
                .put((byte) (compressed ? 1 : 0))
                .putInt(body.length)
                .put(body)
                .array();
    }

    private static byte[] gzip(byte[] plain) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private void read(byte[]... data) {
        try {
            for (byte[] some : data) {
                ByteBuf arrived = Unpooled.wrappedBuffer(some);
                for (ByteBuf message = reader.next(arrived); message != null; message = reader.next(arrived)) {
                    messages.add(plain(message));
                }
                assertThat(arrived.isReadable()).isFalse();
                arrived.release();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private byte[] plain(ByteBuf message) throws IOException {
        ByteBuf plain = MessageReader.isCompressed(message)
                ? BoundedInflater.inflate(encoding, message, LIMIT, snappy, step -> assertThat(step)
                        .isLessThanOrEqualTo(MemoryBudget.STEP))
                : message.retain();
        byte[] body = ByteBufUtil.getBytes(plain.skipBytes(5));
        plain.release();
        message.release();
        return body;
    }

    private void assertRefusedAsTooLarge(byte[]... data) {
        assertThatThrownBy(() -> read(data))
                .isInstanceOfSatisfying(StatusRpcException.class, e -> assertThat(e.getStatus().code)
                        .isEqualTo(TriRpcStatus.Code.RESOURCE_EXHAUSTED))
                .hasMessageContaining(String.valueOf(LIMIT))
                .hasMessageContaining("dubbo.protocol.payload");
        assertThat(messages).isEmpty();
    }

    /** How much this thread allocates meanwhile. */
    private static long allocated(Runnable work) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        work.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5, 7, 4096, 1 << 20})
    void handsOverEveryMessageWhole_howeverItIsCut(int size) {
        encoding = "gzip";
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(message(false, TEXT));
        all.writeBytes(message(true, gzip(TEXT)));
        all.writeBytes(message(false, new byte[0]));
        all.writeBytes(message(true, gzip(new byte[0])));
        all.writeBytes(message(false, new byte[] {7}));
        byte[] data = all.toByteArray();

        for (int from = 0; from < data.length; from += size) {
            read(java.util.Arrays.copyOfRange(data, from, Math.min(data.length, from + size)));
        }

        assertThat(messages).containsExactly(TEXT, TEXT, new byte[0], new byte[0], new byte[] {7});
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "zstd"})
    void takesAMessageOfTheLimit_inflatedOrNot(String encoding) {
        this.encoding = encoding;
        byte[] large = encoding.equals("gzip") ? gzip(new byte[LIMIT]) : Zstd.compress(new byte[LIMIT]);

        read(message(false, new byte[LIMIT]), message(true, large));

        assertThat(messages).hasSize(2).allSatisfy(message -> assertThat(message)
                .hasSize(LIMIT));
    }

    @Test
    void refusesABomb_beforeItTakesMemory() {
        ByteArrayOutputStream bomb = new ByteArrayOutputStream();
        byte[] part = gzip(new byte[16 << 20]);
        while (bomb.size() < 1_500_000) { // members of one stream, 1.5 GB when inflated
            bomb.writeBytes(part);
        }
        byte[] message = message(true, bomb.toByteArray());
        encoding = "gzip";

        assertThat(allocated(() -> assertRefusedAsTooLarge(message))).isLessThan(4L * LIMIT);
    }

    @Test
    void refusesABombOfZstd_beforeItTakesMemory() {
        byte[] message = message(true, Zstd.compress(new byte[256 << 20]));
        encoding = "zstd";

        assertThat(allocated(() -> assertRefusedAsTooLarge(message))).isLessThan(4L * LIMIT);
    }

    @ParameterizedTest
    @ValueSource(ints = {LIMIT + 1, Integer.MAX_VALUE, Integer.MIN_VALUE, -1})
    void refusesALengthOverTheLimit_beforeTheMessageComes(int length) {
        byte[] prefix = ByteBuffer.allocate(5).put((byte) 0).putInt(length).array();

        assertRefusedAsTooLarge(prefix);
    }

    @Test
    void takesNoMemoryForAnAnnouncedLength() {
        byte[] prefix = ByteBuffer.allocate(6).put((byte) 0).putInt(LIMIT).array();

        assertThat(allocated(() -> read(prefix))).isLessThan(100_000);
        assertThat(messages).isEmpty();
    }

    @Test
    void believesNoLengthThatSnappyAnnounces() {
        encoding = "snappy";
        snappy = message -> {
            throw new AssertionError("asked to inflate");
        };

        assertRefusedAsTooLarge(message(true, new byte[] {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 7, 0}));
    }

    @Test
    void refusesWhatIsNoMessage() {
        assertThatThrownBy(() -> read("GET / HTTP/1.1".getBytes())).isInstanceOf(StatusRpcException.class);
        assertThatThrownBy(() -> read(message(true, TEXT)))
                .isInstanceOf(StatusRpcException.class)
                .hasMessageContaining("grpc-encoding");
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.compression;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdOutputStream;
import com.sun.management.ThreadMXBean;
import io.highway.sdk.dubbo.internal.policy.ZstdDictionary;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is compressed can be read again, whatever it is; what would not get smaller is not compressed. */
class MessageCompressorTest {

    private static final int LIMIT = 8 << 20;
    private static final int ROOM = 5;

    private static byte[] text(int length, long seed) {
        Random random = new Random(seed);
        byte[] text = new byte[length];
        for (int i = 0; i < length; i++) {
            text[i] = (byte) ("item tea, amount ".charAt(i % 17) + (random.nextInt(10) == 0 ? 1 : 0));
        }
        return text;
    }

    private static byte[] noise(int length) {
        byte[] noise = new byte[length];
        new Random(length).nextBytes(noise);
        return noise;
    }

    private static byte[] inflated(String encoding, byte[] message) throws IOException {
        return BoundedInflater.inflate(encoding, message, LIMIT, UnaryOperator.identity(), step -> {});
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "zstd"})
    void whatItCompresses_isTheSameAgain(String encoding) throws IOException {
        MessageCompressor compressor = MessageCompressors.of(encoding);
        Random random = new Random(1);
        for (int i = 0; i < 300; i++) {
            byte[] message = text(1 + random.nextInt(1 << (4 + i % 16)), i);

            byte[] compressed = compressor.compress(message, ROOM);

            if (compressed != null) {
                assertThat(compressed.length - ROOM).isLessThan(message.length);
                assertThat(inflated(encoding, Arrays.copyOfRange(compressed, ROOM, compressed.length)))
                        .isEqualTo(message);
            } else {
                assertThat(message.length).isLessThan(512);
            }
        }
        assertThat(compressor.compress(new byte[LIMIT], 0)).hasSizeLessThan(LIMIT / 100);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "zstd"})
    void leavesWhatWouldNotGetSmaller(String encoding) {
        MessageCompressor compressor = MessageCompressors.of(encoding);

        for (int length : new int[] {0, 1, 64, 65, 1000, 32 * 1024, 32 * 1024 + 1, 80_000, 1 << 20}) {
            assertThat(compressor.compress(noise(length), ROOM)).isNull();
        }
        assertThat(compressor.compress(new byte[64], ROOM)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "zstd"})
    void compressesALargeMessage_ofWhichOnlyAPartGetsSmaller(String encoding) {
        byte[] message = noise(100_000);
        System.arraycopy(text(60_000, 1), 0, message, 30_000, 60_000);

        assertThat(MessageCompressors.of(encoding).compress(message, ROOM)).hasSizeLessThan(70_000);
    }

    @Test
    void neverCompresses_onAnEventLoop() throws Exception {
        EventExecutor loop = new DefaultEventExecutor();
        try {
            byte[] message = text(10_000, 1);
            MessageCompressor zstd = MessageCompressors.of("zstd");

            assertThat(zstd.compress(message, ROOM)).isNotNull();
            assertThat(loop.submit(() -> zstd.compress(message, ROOM)).get()).isNull();
        } finally {
            loop.shutdownGracefully().sync();
        }
    }

    @Test
    void inflatesFramesWithoutASize_andSeveral() throws IOException {
        byte[] text = text(300_000, 1);
        ByteArrayOutputStream streamed = new ByteArrayOutputStream();
        try (ZstdOutputStream zstd = new ZstdOutputStream(streamed)) {
            zstd.write(text);
        }
        byte[] skippable = {0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3};
        ByteArrayOutputStream several = new ByteArrayOutputStream();
        several.writeBytes(skippable);
        several.writeBytes(Zstd.compress(text));
        several.writeBytes(streamed.toByteArray());

        assertThat(inflated("zstd", streamed.toByteArray())).isEqualTo(text);
        assertThat(inflated("zstd", several.toByteArray())).hasSize(600_000);
        byte[] small = Zstd.compress(text(1000, 1));
        several.reset();
        several.writeBytes(small);
        several.writeBytes(small);
        assertThat(inflated("zstd", several.toByteArray())).hasSize(2000);
        assertThat(inflated("zstd", new byte[0])).isEmpty();
    }

    @Test
    void refusesMoreThanTheLimit() throws IOException {
        ByteArrayOutputStream streamed = new ByteArrayOutputStream();
        try (ZstdOutputStream zstd = new ZstdOutputStream(streamed)) {
            zstd.write(new byte[LIMIT + 1]);
        }

        assertThat(inflated("zstd", Zstd.compress(new byte[LIMIT]))).hasSize(LIMIT);
        assertThatThrownBy(() -> inflated("zstd", Zstd.compress(new byte[LIMIT + 1])))
                .hasMessageContaining(String.valueOf(LIMIT));
        assertThatThrownBy(() -> inflated("zstd", streamed.toByteArray())).hasMessageContaining(String.valueOf(LIMIT));
    }

    @Test
    void refusesWhatIsNoFrame_isCut_orNeedsADictionary() {
        byte[] frame = Zstd.compress(text(10_000, 1));
        ZstdCompressCtx withDictionary = new ZstdCompressCtx().loadDict(dictionary());
        byte[] ofDictionary = withDictionary.compress(text(1_000, 7));
        withDictionary.close();

        assertThat(Zstd.getDictIdFromFrame(ofDictionary)).isNotZero();
        assertThatThrownBy(() -> inflated("zstd", ofDictionary)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> inflated("zstd", text(1_000, 1))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> inflated("zstd", Arrays.copyOf(frame, frame.length / 2)))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> inflated("zstd", Arrays.copyOf(frame, 3))).isInstanceOf(IOException.class);
    }

    private static byte[] dictionary() {
        byte[][] samples = new byte[2_000][];
        Random random = new Random(1);
        for (int i = 0; i < samples.length; i++) {
            samples[i] =
                    ("{\"order\":" + random.nextInt() + ",\"item\":\"tea" + random.nextInt(1000) + "\"}").getBytes();
        }
        byte[] dictionary = new byte[4096];
        long size = Zstd.trainFromBuffer(samples, dictionary);
        return Arrays.copyOf(dictionary, (int) size);
    }

    @Test
    void takesNoMemoryForASizeThatTheBytesCannotHave() {
        byte[] frame = Zstd.compress(new byte[LIMIT]);
        byte[] announces = Arrays.copyOf(frame, 12);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

        assertThatThrownBy(() -> inflated("zstd", announces)).isInstanceOf(IOException.class);
        long before = threads.getCurrentThreadAllocatedBytes();
        assertThatThrownBy(() -> inflated("zstd", announces)).isInstanceOf(IOException.class);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1 << 20);
    }

    private static ZstdCodec with(Path file) {
        return ZstdCodec.with(ZstdDictionary.read("key", "orders", "file:" + file));
    }

    @Test
    void aDictionaryMakesMessagesSmaller_andOnlyItInflatesThem(@TempDir Path folder) throws IOException {
        ZstdCodec orders = with(TrainedDictionary.write(folder.resolve("orders"), 0));
        byte[] order = TrainedDictionary.order(100_000).getBytes(UTF_8);
        byte[] compressed = orders.compress(order, 0);

        assertThat(compressed.length).isLessThan(ZstdCodec.SHARED.compress(order, 0).length * 2 / 3);
        assertThat(inflated(orders.encoding(), compressed)).isEqualTo(order);
        assertThat(inflated(orders.encoding(), ZstdCodec.SHARED.compress(order, 0)))
                .isEqualTo(order);
        assertThatThrownBy(() -> inflated("zstd", compressed)).isInstanceOf(IOException.class);
        ZstdCodec others = with(TrainedDictionary.write(folder.resolve("others"), 50_000));
        assertThatThrownBy(() -> inflated(others.encoding(), compressed)).isInstanceOf(IOException.class);
    }

    @Test
    void theChecksumDetectsAnotherDictionaryOfTheSameId(@TempDir Path folder) throws IOException {
        Path file = TrainedDictionary.write(folder.resolve("orders"), 0);
        byte[] changed = Files.readAllBytes(file);
        for (int i = changed.length / 2; i < changed.length; i++) { // in the content, behind the tables
            changed[i] ^= 1;
        }
        ZstdCodec orders = with(file);
        ZstdCodec others = with(Files.write(folder.resolve("changed"), changed));

        byte[] compressed = orders.compress(TrainedDictionary.order(100_000).getBytes(UTF_8), 0);

        assertThatThrownBy(() -> inflated(others.encoding(), compressed))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("checksum");
    }

    @Test
    void aMessageWithADictionaryIsBounded_too(@TempDir Path folder) throws IOException {
        ZstdCodec orders = with(TrainedDictionary.write(folder.resolve("orders"), 0));
        byte[] bomb = orders.compress(new byte[LIMIT + 1], 0);

        assertThatThrownBy(() -> inflated(orders.encoding(), bomb)).hasMessageContaining("payload");
    }
}

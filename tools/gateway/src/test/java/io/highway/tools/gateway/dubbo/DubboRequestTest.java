// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway.dubbo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.highway.tools.gateway.EchoService.Letter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.serialize.ObjectOutput;
import org.apache.dubbo.common.serialize.Serialization;
import org.apache.dubbo.common.utils.SerializeCheckStatus;
import org.apache.dubbo.common.utils.SerializeSecurityManager;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests are written by Dubbo's own serializations, and read by structure alone. */
@SuppressWarnings({"JavaUtilDate", "JdkObsolete"}) // arguments people do send
class DubboRequestTest {
    private static FrameworkModel framework;
    private static URL url;

    @BeforeAll
    static void start() {
        framework = new FrameworkModel();
        url = URL.valueOf("dubbo://shanghai.test:1").setScopeModel(framework.newApplication());
        framework.getBeanFactory().getBean(SerializeSecurityManager.class).setCheckStatus(SerializeCheckStatus.DISABLE);
    }

    @AfterAll
    static void stop() {
        framework.destroy();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hessian2", "fastjson2"})
    void findsIslandAndGroup_behindArgumentsOfAnyKind(String serialization) throws IOException {
        for (Object argument : kinds()) {
            DubboRequest request = DubboRequest.read(request(serialization, argument, 1, argument));

            assertThat(request)
                    .as("argument %s", argument == null ? null : argument.getClass())
                    .isEqualTo(new DubboRequest("com.foo.Sms", "1.0.0", "send", "blue", "shanghai"));
        }
    }

    @ParameterizedTest
    @CsvSource({"hessian2,1", "hessian2,2", "hessian2,3", "fastjson2,1", "fastjson2,2"})
    void findsIsland_behindRandomTrees(String serialization, long seed) throws IOException {
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            Object[] arguments = new Object[random.nextInt(4)];
            Arrays.setAll(arguments, index -> tree(random, 0));

            DubboRequest request = DubboRequest.read(request(serialization, arguments));

            assertThat(request.island()).as("seed %d, round %d", seed, round).isEqualTo("shanghai");
        }
    }

    @Test
    void survivesVeryDeepArguments() throws IOException {
        Letter innermost = new Letter();
        Letter outermost = innermost;
        for (int depth = 0; depth < 1000; depth++) {
            Letter outer = new Letter();
            outer.inner = outermost;
            outermost = outer;
        }

        assertThat(DubboRequest.read(request("hessian2", outermost)).island()).isEqualTo("shanghai");
    }

    /** How much this thread allocates while a body is found unreadable. */
    private static long allocatedForUnreadable(int serialization, ByteBuf body) {
        ByteBuf bytes = Unpooled.directBuffer() // as it comes from the wire
                .writeShort(DubboFrame.MAGIC)
                .writeByte(0xc0 | serialization)
                .writeByte(0)
                .writeLong(1)
                .writeInt(body.readableBytes())
                .writeBytes(body);
        DubboFrame frame = new DubboFrame(bytes);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertThatThrownBy(() -> DubboRequest.read(frame)).isInstanceOf(UnreadableRequestException.class);
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    @ParameterizedTest
    @ValueSource(ints = {1_000_000_000, Integer.MAX_VALUE, -5})
    void takesNoMemory_forALengthThatTheBodyDoesNotHave(int length) {
        ByteBuf body = Unpooled.buffer()
                .writeInt(1)
                .writeByte(0xaf) // no version
                .writeInt(6)
                .writeByte(0x79)
                .writeByte(0x48)
                .writeInt(length);

        assertThat(allocatedForUnreadable(23, body)).isLessThan(1_000_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 23})
    void refusesAsUnreadable_whenAttachmentsAreNestedWithoutEnd(int serialization) {
        ByteBuf nested = Unpooled.buffer();
        if (serialization == 2) {
            nested.writeBytes(new byte[] {'N', 1, 's', 'N', 1, 'm', 'N', 'H', 1, 'k'});
            for (int depth = 0; depth < 2_000_000; depth++) {
                nested.writeByte(0x57); // a list up to its end
            }
        } else {
            ByteBuf attachments = Unpooled.buffer().writeByte(0xa6).writeBytes(new byte[] {0x4a, 'k'});
            for (int depth = 0; depth < 1_000_000; depth++) {
                attachments.writeByte(0x95); // a list of one
            }
            nested.writeInt(1).writeByte(0xaf);
            nested.writeInt(2).writeByte(0x4a).writeByte('s');
            nested.writeInt(1).writeByte(0xaf);
            nested.writeInt(2).writeByte(0x4a).writeByte('m');
            nested.writeInt(1).writeByte(0xaf);
            nested.writeInt(attachments.readableBytes()).writeBytes(attachments);
        }

        assertThat(allocatedForUnreadable(serialization, nested)).isLessThan(20_000_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hessian2", "fastjson2"})
    void refusesAsUnreadable_whenTheBodyEndsEarly(String serialization) throws IOException {
        ByteBuf whole = request(serialization, "one", new Letter()).bytes();

        for (int length = DubboFrame.HEADER_LENGTH; length < whole.readableBytes(); length++) {
            DubboFrame cut = new DubboFrame(whole.slice(0, length));
            assertThatThrownBy(() -> DubboRequest.read(cut)).isInstanceOf(UnreadableRequestException.class);
        }
    }

    @Test
    void neverFailsInAnotherWay_onRandomBytes() {
        Random random = new Random(7);
        for (int round = 0; round < 20_000; round++) {
            byte[] body = new byte[random.nextInt(200)];
            random.nextBytes(body);
            int id = random.nextBoolean() ? 2 : 23;
            try {
                DubboRequest.read(frame(id, body));
            } catch (UnreadableRequestException expected) {
                assertThat(expected).hasMessageNotContaining("null");
            }
        }
    }

    @Test
    void namesAnUnsupportedSerialization() {
        assertThatThrownBy(() -> DubboRequest.read(frame(22, new byte[3]))).hasMessageContaining("serialization id 22");
    }

    @ParameterizedTest
    @CsvSource({"'',0", "I,1", "[I,1", "[[Ljava/lang/String;J,2", "Ljava/lang/String;[BLjava/util/List;Z,4"})
    void countsParameters(String descriptor, int count) {
        assertThat(DubboRequest.countParameters(descriptor)).isEqualTo(count);
    }

    @ParameterizedTest
    @CsvSource({"hessian2,2", "fastjson2,23"})
    void writesErrorsThatDubboReads(String serialization, int id) throws Exception {
        for (String text : List.of("R", "a".repeat(31), "b".repeat(47), "c".repeat(48), "d".repeat(1000))) {
            ByteBuf error = DubboFrame.error(Unpooled.buffer().alloc(), -5, id, text);
            DubboFrame frame = new DubboFrame(error);
            byte[] body = new byte[frame.body().readableBytes()];
            frame.body().readBytes(body);

            assertThat(named(serialization)
                            .deserialize(url, new java.io.ByteArrayInputStream(body))
                            .readUTF())
                    .isEqualTo(text);
            assertThat(frame.id()).isEqualTo(-5);
            error.release();
        }
    }

    private static Serialization named(String serialization) {
        return framework.getExtensionLoader(Serialization.class).getExtension(serialization);
    }

    private static DubboFrame request(String serialization, @Nullable Object... arguments) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ObjectOutput out = named(serialization).serialize(url, bytes);
        out.writeUTF("2.0.2");
        out.writeUTF("com.foo.Sms");
        out.writeUTF("1.0.0");
        out.writeUTF("send");
        out.writeUTF("Ljava/lang/Object;".repeat(arguments.length));
        for (Object argument : arguments) {
            out.writeObject(argument);
        }
        Map<String, Object> attachments = new HashMap<>();
        attachments.put("path", "com.foo.Sms");
        attachments.put("numbers", List.of(1, -7, 100_000, 5_000_000_000L, 0.5d, 1.25f));
        attachments.put("when", new Date());
        attachments.put("amount", new BigDecimal("123456789.123456789"));
        attachments.put("letter", new Letter());
        attachments.put("nested", new HashMap<>(Map.of("highway-island", "beijing")));
        attachments.put("non-ascii", "中文é");
        attachments.put("nothing", null);
        attachments.put("group", "blue");
        attachments.put("highway-island", "shanghai");
        out.writeAttachments(attachments);
        out.flushBuffer();
        return frame(serialization.equals("hessian2") ? 2 : 23, bytes.toByteArray());
    }

    private static DubboFrame frame(int serialization, byte[] body) {
        return new DubboFrame(Unpooled.buffer()
                .writeShort(0xdabb)
                .writeByte(0xc0 | serialization)
                .writeByte(0)
                .writeLong(1)
                .writeInt(body.length)
                .writeBytes(body));
    }

    private static List<@Nullable Object> kinds() {
        Letter letter = new Letter();
        letter.inner = new Letter();
        letter.stamps.addAll(List.of("a", "b"));
        letter.weights.put("kg", 70_000);
        List<Object> cycle = new ArrayList<>();
        cycle.add(letter);
        cycle.add(letter);
        List<@Nullable Object> kinds = new ArrayList<>(List.of(
                true,
                'c',
                (byte) 3,
                (short) -300,
                -16,
                47,
                48,
                -2048,
                2047,
                -262144,
                262143,
                Integer.MIN_VALUE,
                -8L,
                15L,
                16L,
                2047L,
                -262144L,
                1L << 31,
                Long.MIN_VALUE,
                0.0d,
                1.0d,
                127.0d,
                32000.0d,
                0.001d,
                Math.PI,
                1.5f));
        kinds.addAll(List.of(
                "",
                "x".repeat(31),
                "x".repeat(32),
                "é".repeat(1023),
                "中".repeat(1024),
                "🚀".repeat(40_000),
                "Z",
                new byte[0],
                new byte[15],
                new byte[16],
                new byte[1023],
                new byte[100_000],
                new int[] {1, 2, 3},
                new long[300],
                new double[] {1, 2.5},
                new String[] {"a", "Z"},
                new Object[] {1, "a", letter},
                new boolean[9]));
        kinds.addAll(List.of(
                letter,
                new Letter[] {letter, letter},
                cycle,
                new LinkedList<>(List.of(1, 2)),
                new LinkedHashSet<>(List.of("a", "b")),
                new TreeMap<>(Map.of("a", 1)),
                new LinkedHashMap<>(Map.of(1, letter)),
                Collections.emptyList(),
                new ArrayList<>(Collections.nCopies(1000, letter)),
                new BigDecimal("1.10"),
                BigInteger.TWO.pow(100),
                new Date(0),
                new Date(60_000),
                LocalDateTime.of(2026, 11, 21, 8, 30, 1, 7),
                LocalDate.of(2026, 11, 21),
                UUID.randomUUID(),
                TimeUnit.DAYS,
                new IllegalStateException("lost", new IOException("deep"))));
        kinds.add(null);
        return kinds;
    }

    private static @Nullable Object tree(Random random, int depth) {
        return switch (random.nextInt(depth > 4 ? 8 : 12)) {
            case 0 -> null;
            case 1 -> random.nextInt() >> random.nextInt(32);
            case 2 -> random.nextLong() >> random.nextInt(64);
            case 3 -> random.nextInt(3) == 0 ? (double) random.nextInt(300) : random.nextDouble();
            case 4 -> text(random);
            case 5 -> new byte[random.nextInt(5000)];
            case 6 -> new Date(random.nextInt());
            case 7 -> random.nextBoolean();
            case 8 -> trees(random, depth);
            case 9 -> {
                Map<Object, @Nullable Object> map = new HashMap<>();
                trees(random, depth).forEach(value -> map.put("key" + random.nextInt(), value));
                yield map;
            }
            case 10 -> {
                Letter letter = new Letter();
                letter.text = text(random);
                letter.inner = random.nextBoolean() ? new Letter() : null;
                yield letter;
            }
            default -> trees(random, depth).toArray();
        };
    }

    private static String text(Random random) {
        return random.ints(random.nextInt(3000), 1, 0xd800)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static List<@Nullable Object> trees(Random random, int depth) {
        List<@Nullable Object> list = new ArrayList<>();
        for (int left = random.nextInt(12); left > 0; left--) {
            list.add(tree(random, depth + 1));
        }
        return list;
    }
}

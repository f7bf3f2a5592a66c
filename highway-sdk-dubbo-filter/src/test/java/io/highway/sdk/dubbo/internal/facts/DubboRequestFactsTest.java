// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.facts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
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
import org.apache.dubbo.rpc.RpcInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Dubbo's own serializations write is read; what is in the arguments does not matter. */
@SuppressWarnings({"JavaUtilDate", "JdkObsolete"}) // arguments people do send
class DubboRequestFactsTest {

    private static final String SMS = "com.foo.Sms";

    private static final Map<String, String> FACTS =
            Map.of("path", SMS, "version", "1.0.0", "group", "blue", "highway-island", "shanghai");

    private static final Map<String, Bodies> BODIES = new HashMap<>();

    @BeforeAll
    static void start() {
        BODIES.put("hessian2", new Bodies("hessian2"));
        BODIES.put("fastjson2", new Bodies("fastjson2"));
    }

    @AfterAll
    static void stop() {
        BODIES.values().forEach(Bodies::close);
    }

    private static Bodies bodies(String serialization) {
        return BODIES.get(serialization);
    }

    private static DubboRequestFacts read(String serialization, byte[] body) {
        return DubboRequestFacts.ofBody(Unpooled.wrappedBuffer(body), bodies(serialization).id);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hessian2", "fastjson2"})
    void readsFacts_behindArgumentsOfAnyKind(String serialization) throws IOException {
        for (Object argument : kinds()) {
            byte[] body = bodies(serialization).of(argument, 1, argument);

            assertThat(read(serialization, body))
                    .as("argument %s", argument == null ? null : argument.getClass())
                    .isEqualTo(
                            new DubboRequestFacts(SMS, "1.0.0", "send", "Ljava/lang/Object;".repeat(3), FACTS, null));
        }
    }

    @ParameterizedTest
    @CsvSource({"hessian2,1", "hessian2,2", "hessian2,3", "fastjson2,1", "fastjson2,2"})
    void readsFacts_behindRandomTrees(String serialization, long seed) throws IOException {
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            Object[] arguments = new Object[random.nextInt(4)];
            Arrays.setAll(arguments, index -> tree(random, 0));

            DubboRequestFacts facts = read(serialization, bodies(serialization).of(arguments));

            assertThat(facts.attachments()).as("seed %d, round %d", seed, round).isEqualTo(FACTS);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hessian2", "fastjson2"})
    void readsBuffersOfAnyKind_andMovesNoIndex(String serialization) throws IOException {
        byte[] body = bodies(serialization).of("text", 1);
        ByteBuf direct = Unpooled.directBuffer().writeZero(7).writeBytes(body).readerIndex(7);
        ByteBuf part =
                Unpooled.buffer().writeZero(3).writeBytes(body).writeZero(5).slice(3, body.length);
        ByteBuf composite = Unpooled.wrappedBuffer(
                Unpooled.copiedBuffer(body, 0, 20), Unpooled.copiedBuffer(body, 20, body.length - 20));

        for (ByteBuf buffer : List.of(direct, part, composite)) {
            int start = buffer.readerIndex();
            assertThat(DubboRequestFacts.ofBody(buffer, bodies(serialization).id)
                            .attachments())
                    .isEqualTo(FACTS);
            assertThat(buffer.readerIndex()).isEqualTo(start);
            buffer.release();
        }
    }

    /** Each level in an array of its own; deeper than Dubbo's own writers go. */
    @ParameterizedTest
    @ValueSource(strings = {"hessian2", "fastjson2"})
    void readsFacts_behindAnyDepth(String serialization) throws IOException {
        Parcel outermost = new Parcel();
        for (int level = 0; level < 400; level++) {
            Parcel outer = new Parcel();
            outer.inner = outermost;
            outermost = outer;
        }

        assertThat(read(serialization, bodies(serialization).of(outermost)).attachments())
                .isEqualTo(FACTS);
        byte[] leaf = bodies(serialization).value("x");
        if (serialization.equals("hessian2")) {
            for (String level : List.of("79", "7a90", "57", "48", "4d0161", "43016191016160", "5591", "56014191")) {
                ByteBuf levels = Unpooled.buffer();
                for (int left = 10_000; left > 0; left--) {
                    levels.writeBytes(bytes(level));
                }
                String ends = level.startsWith("57") || level.startsWith("55")
                        ? "5a"
                        : level.matches("4[8d].*") ? "905a" : "";
                levels.writeBytes(leaf).writeBytes(bytes(ends.repeat(10_000)));
                byte[] body = hessian2("send", "I", ByteBufUtil.hexDump(levels) + "485a");

                assertThat(read(serialization, body).attachments()).as(level).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hessian2", "fastjson2"})
    void readsWhatAGenericCallNames(String serialization) throws IOException {
        for (String method : List.of("$invoke", "$invokeAsync")) {
            for (String[] types :
                    new String[][] {{}, {"java.lang.String"}, {"int", null, "x.Y[]"}, new String[20], null}) {
                Object[] arguments = {"pay", types, new Object[] {new Parcel(), 1}};
                Bodies bodies = bodies(serialization);
                byte[] body = bodies.write(method, Bodies.GENERIC_TYPES, Bodies.attachments(), arguments);
                List<@Nullable String> names = types == null ? null : Arrays.asList(types);

                assertThat(read(serialization, body).generic()).isEqualTo(new GenericMethod("pay", names));
                assertThat(GenericMethod.of(
                                serialization,
                                Unpooled.wrappedBuffer(bodies.value("pay")),
                                Unpooled.wrappedBuffer(bodies.value(types))))
                        .isEqualTo(new GenericMethod("pay", names));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hessian2", "fastjson2"})
    void refusesGenericCalls_thatNameNoMethodOrOtherTypes(String serialization) throws IOException {
        for (Object[] arguments : new Object[][] {
            {null, new String[0]},
            {1, new String[0]},
            {"a".repeat(513), new String[0]},
            {"pay", "int"},
            {"pay", new Object[] {1}},
            {"pay", new String[256]},
            {"pay", new String[] {"a".repeat(513)}},
            {"pay", new LinkedHashSet<>(List.of("int"))}
        }) {
            byte[] body = bodies(serialization)
                    .write("$invoke", Bodies.GENERIC_TYPES, new HashMap<>(), arguments[0], arguments[1], 1);

            refuses(serialization, body);
        }
        assertThat(read(serialization, bodies(serialization).write("$invoke", "I", new HashMap<>(), 1))
                        .generic())
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hessian2", "fastjson2"})
    void keepsTextsAndIntegers_ofOwnKeysAndDubbos(String serialization) throws IOException {
        Map<String, @Nullable Object> attachments = new HashMap<>();
        Map<String, String> facts = new HashMap<>();
        List<Object> values = new ArrayList<>(List.of(
                "", "x".repeat(31), "x".repeat(32), "x".repeat(47), "x".repeat(1024), "é", "中文", "中".repeat(40_000)));
        values.addAll(List.of(0, -16, -17, 47, 48, 2047, -2049, 262143, 1 << 20, Integer.MIN_VALUE));
        values.addAll(List.of(0L, -9L, 15L, 16L, 2047L, -2049L, 262143L, 1L << 20, 1L << 31, Long.MIN_VALUE));
        for (Object value : values) {
            attachments.put("highway-" + facts.size(), value);
            facts.put("highway-" + facts.size(), value.toString());
        }
        attachments.put("_TO", 3000);
        facts.put("_TO", "3000");
        attachments.put("token", null);
        attachments.put("other", "not kept");

        byte[] body = bodies(serialization).with(attachments);

        assertThat(read(serialization, body).attachments()).isEqualTo(facts);
        assertThat(read(serialization, bodies(serialization).write("send", "", null))
                        .attachments())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hessian2", "fastjson2"})
    void stepsOverOtherAttachments_ofAnyKind(String serialization) throws IOException {
        for (Object value : kinds()) {
            Map<String, @Nullable Object> attachments = Bodies.attachments();
            attachments.put("a", value);
            attachments.put("nested", new HashMap<>(Map.of("highway-island", "beijing")));
            attachments.put("中文", value);

            assertThat(read(serialization, bodies(serialization).with(attachments))
                            .attachments())
                    .as("value %s", value == null ? null : value.getClass())
                    .isEqualTo(FACTS);
        }
    }

    @ParameterizedTest
    @CsvSource({"hessian2,1", "hessian2,2", "fastjson2,1", "fastjson2,2", "fastjson2,3"})
    void stepsOverRandomTrees_inAttachments(String serialization, long seed) throws IOException {
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            Map<String, @Nullable Object> attachments = Bodies.attachments();
            attachments.put("tree", tree(random, 0));
            attachments.put("a", tree(random, 3));

            assertThat(read(serialization, bodies(serialization).with(attachments))
                            .attachments())
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(FACTS);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hessian2", "fastjson2"})
    void refusesOtherValues_ofOwnKeysAndDubbos(String serialization) throws IOException {
        for (String key :
                List.of("highway-island", "Highway-Hops", "path", "group", "_TO", "_to", "token", "generic")) {
            for (Object value :
                    List.of(true, 1.5d, new Date(), new byte[3], List.of("a"), new HashMap<>(), new Parcel())) {
                refuses(serialization, bodies(serialization).with(new HashMap<>(Map.of(key, value))));
            }
        }
        refuses(serialization, bodies(serialization).with(new HashMap<>(Map.of("highway-island", "🚀"))));
        refuses(serialization, bodies(serialization).with(new HashMap<>(Map.of("🚀", "x"))));
        refuses(serialization, bodies(serialization).with(new HashMap<>(Map.of("k".repeat(513), "x"))));
        Map<String, Object> many = new HashMap<>();
        for (int key = 0; key <= 4096; key++) {
            many.put("key" + key, 1);
        }
        refuses(serialization, bodies(serialization).with(many));
    }

    @ParameterizedTest
    @ValueSource(strings = {"hessian2", "fastjson2"})
    void refusesAttachments_thatAreNoPlainMap(String serialization) throws IOException {
        Bodies bodies = bodies(serialization);
        byte[] empty = bodies.with(new HashMap<>());
        byte[] head = Arrays.copyOf(empty, empty.length - bodies.value(new HashMap<>()).length);

        for (Object map : List.of("text", 1, List.of(), new Parcel())) {
            refuses(serialization, joined(head, bodies.value(map)));
        }
        for (Object key : List.of(1, true, 2.5d, new Date(), TimeUnit.DAYS)) {
            refuses(serialization, joined(head, bodies.value(new HashMap<>(Map.of(key, "a")))));
        }
        Map<@Nullable String, String> ofNull = new HashMap<>();
        ofNull.put(null, "a");
        if (serialization.equals("hessian2")) { // fastjson2 cannot write it
            refuses(serialization, joined(head, bodies.value(ofNull)));
        }
        refuses(serialization, joined(empty, new byte[1]));
        refuses(serialization, joined(empty, bodies.value(null)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"hessian2", "fastjson2"})
    void refusesNames_thatAreMissingOrTooLong(String serialization) throws IOException {
        Bodies bodies = bodies(serialization);
        String longest = "L" + "a".repeat(511) + ";";
        assertThat(read(
                                serialization,
                                bodies.write("m".repeat(512), longest.repeat(15), new HashMap<>(), new Object[15]))
                        .method())
                .hasSize(512);

        refuses(serialization, bodies.write("m".repeat(513), "", new HashMap<>()));
        refuses(serialization, bodies.write("m", "La" + longest, new HashMap<>(), 1));
        refuses(serialization, bodies.write("m", longest.repeat(16), new HashMap<>(), new Object[16]));
        refuses(serialization, bodies.write("m", "I".repeat(256), new HashMap<>(), new Object[256]));
        for (String types : List.of("V", "X", "La", "[", "I[", "int", "I;")) {
            refuses(serialization, bodies.write("m", types, new HashMap<>(), 1));
        }
        refuses(serialization, joined(bodies.value("2.0.2"), bodies.value(null), bodies.value("1"), bodies.value("m")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"hessian2", "fastjson2"})
    void refusesEveryBody_thatEndsEarly(String serialization) throws IOException {
        byte[] whole = bodies(serialization).of("one", new Parcel(), "中文🚀".repeat(20), new byte[40]);

        for (int length = 0; length < whole.length; length++) {
            refuses(serialization, Arrays.copyOf(whole, length));
        }
    }

    /** Names beyond the limit, lengths beyond the bytes, and texts that hessian-lite reads in more than one form. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "72045b696e74497fffffff", // int[2^31]
                "56045b696e74497fffffff",
                "58497fffffff",
                "584980000000",
                "42ffff61",
                "53ffff61",
                "430161497fffffff",
                "43016149ffffffff",
                "60",
                "4f90",
                "4f49ffffffff",
                "51",
                "5b5b",
                "4e4d116a6176612e6c616e672e486173684d61705a", // a map of another type, java.lang.HashMap, as
                // attachments
                "4e5190", // a reference as attachments
                "4e480d686967687761792d69736c616e640161c0ad", // unfinished
                "4e480ec08a0161015a",
                "4e480161016101610162" + "5a", // a key twice
                "4e4808686967687761c1b92d01615a", // overlong: y
                "4e48086869676877617" + "9c0ad01615a", // overlong: -
                "4e4801eda080015a5a", // a surrogate
                "4e4801c3280161" + "5a", // no continuation
                "4e4801f09f9a800161" + "5a" // four bytes
            })
    void refusesHostileHessian2(String hex) {
        refuses("hessian2", hessian2("send", "I", hex));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a64a614a614a614a62a5", // a key twice
                "a67ac3a84a61a500",
                "a67e0348c0ad4a61a5", // GB18030
                "a67a3802c0ad4a61a5", // overlong: -
                "a67a02c0ad4a61a5",
                "a67a03eda0804a61a5", // a surrogate
                "a67c023dd84a61a5", // half a character
                "a67c0261004a61a5", // Latin-1 in another encoding
                "a67a024a614a61a5",
                "a67c0100d84a61a5",
                "a67f4a61004a61a5", // a symbol as key
                "a693494a61a5", // a reference as key
                "a64f686967687761792d93494aa5",
                "9249" + "00a6a5", // a typed map
                "934a24", // a reference
                "a64a61a4487fffffffa5",
                "a64a6191487fffffffa5",
                "a64a6179487fffffffa5",
                "a64a6179f0a5",
                "a64a6192790a30a5"
            })
    void refusesHostileFastjson2Attachments(String hex) throws IOException {
        Bodies bodies = bodies("fastjson2");
        byte[] empty = bodies.with(new HashMap<>());
        byte[] head = Arrays.copyOf(empty, empty.length - bodies.value(new HashMap<>()).length);
        ByteBuf element = Unpooled.buffer().writeInt(hex.length() / 2).writeBytes(bytes(hex));

        refuses("fastjson2", joined(head, ByteBufUtil.getBytes(element)));
    }

    /** 8 MB each, as a frame may have: refused without memory for what they claim, within seconds. */
    @ParameterizedTest
    @ValueSource(strings = {"57", "79", "7a90", "4301619060", "48", "53ffff", "4301610161", "4d0161", "4301619101614e"})
    void takesLittleMemory_forAnyNumberOfLevels(String level) {
        byte[] body = hessian2("send", "I", level.repeat(8_000_000 * 2 / level.length()));
        ByteBuf buffer = Unpooled.wrappedBuffer(body);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();

        refuses("hessian2", buffer);

        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(70_000_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hessian2", "fastjson2"})
    void neverFailsInAnotherWay_onRandomBytes(String serialization) throws IOException {
        byte[] empty = bodies(serialization).with(new HashMap<>());
        Random random = new Random(7);
        for (int round = 0; round < 20_000; round++) {
            byte[] random200 = new byte[random.nextInt(200)];
            random.nextBytes(random200);
            byte[] body = random.nextBoolean() ? random200 : joined(Arrays.copyOf(empty, empty.length - 2), random200);
            try {
                read(serialization, body);
            } catch (UnreadableRequestException expected) {
                assertThat(expected).hasMessageNotContaining("null");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 22, 31})
    void namesAnUnsupportedSerialization(int id) {
        assertThat(DubboRequestFacts.canRead(id)).isFalse();
        assertThatThrownBy(() -> DubboRequestFacts.ofBody(Unpooled.EMPTY_BUFFER, id))
                .isInstanceOf(UnreadableRequestException.class)
                .hasMessageContaining("serialization id " + id);
    }

    @ParameterizedTest
    @CsvSource({"'',0", "I,1", "[I,1", "[[Ljava/lang/String;J,2", "Ljava/lang/String;[BLjava/util/List;Z,4"})
    void countsParameters(String descriptor, int count) {
        assertThat(DubboRequestFacts.countParameters(descriptor)).isEqualTo(count);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hessian2", "fastjson2"})
    void findsWhatDubboDecodedDifferently(String serialization) throws Exception {
        Map<String, @Nullable Object> attachments = Bodies.attachments();
        attachments.put("highway-hops", 2);
        byte[] body = bodies(serialization).with(attachments);
        DubboRequestFacts facts = read(serialization, body);

        assertThat(facts.differenceFrom(bodies(serialization).decode(body))).isNull();
        for (String key : List.of("path", "version", "group", "highway-island", "highway-hops", "highway-new")) {
            RpcInvocation decoded = bodies(serialization).decode(body);
            decoded.setAttachment(key, "other");
            assertThat(facts.differenceFrom(decoded)).isEqualTo(key);
            if (!key.endsWith("new")) {
                decoded.getObjectAttachments().remove(key);
                assertThat(facts.differenceFrom(decoded)).isEqualTo(key);
            }
        }
        RpcInvocation decoded = bodies(serialization).decode(body);
        decoded.setMethodName("other");
        assertThat(facts.differenceFrom(decoded)).isEqualTo("method");
        decoded.setMethodName("send");
        decoded.setParameterTypesDesc("I");
        assertThat(facts.differenceFrom(decoded)).isEqualTo("parameter types");
    }

    private static void refuses(String serialization, byte[] body) {
        refuses(serialization, Unpooled.wrappedBuffer(body));
    }

    private static void refuses(String serialization, ByteBuf body) {
        assertThatThrownBy(() -> DubboRequestFacts.ofBody(body, bodies(serialization).id))
                .isInstanceOf(UnreadableRequestException.class);
    }

    private static byte[] joined(byte[]... parts) {
        return ByteBufUtil.getBytes(Unpooled.wrappedBuffer(parts));
    }

    private static byte[] bytes(String hex) {
        return ByteBufUtil.decodeHexDump(hex);
    }

    /** A body whose head is valid, and these bytes behind it. */
    private static byte[] hessian2(String method, String types, String hex) {
        ByteBuf body = Unpooled.buffer();
        for (String text : List.of("2.0.2", SMS, "1.0.0", method, types)) {
            body.writeByte(text.length()).writeCharSequence(text, StandardCharsets.US_ASCII);
        }
        return ByteBufUtil.getBytes(body.writeBytes(bytes(hex)));
    }

    private static List<@Nullable Object> kinds() {
        Parcel parcel = new Parcel();
        parcel.inner = new Parcel();
        parcel.stamps.addAll(List.of("a", "b"));
        parcel.weights.put("kg", 70_000);
        List<Object> cycle = new ArrayList<>();
        cycle.add(parcel);
        cycle.add(parcel);
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
                new Object[] {1, "a", parcel},
                new boolean[9]));
        kinds.addAll(List.of(
                parcel,
                new Parcel[] {parcel, parcel},
                cycle,
                new LinkedList<>(List.of(1, 2)),
                new LinkedHashSet<>(List.of("a", "b")),
                new TreeMap<>(Map.of("a", 1)),
                new LinkedHashMap<>(Map.of(1, parcel)),
                Collections.emptyList(),
                new ArrayList<>(Collections.nCopies(1000, parcel)),
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
                Parcel parcel = new Parcel();
                parcel.text = text(random);
                parcel.inner = random.nextBoolean() ? new Parcel() : null;
                yield parcel;
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

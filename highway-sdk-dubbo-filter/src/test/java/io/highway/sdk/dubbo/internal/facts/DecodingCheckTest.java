// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.facts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecodingCheckTest {

    private static final int HESSIAN2 = 2;
    private static final int FASTJSON2 = 23;

    private static void require(String serialization, @Nullable Object... values) throws IOException {
        try (Bodies bodies = new Bodies(serialization)) {
            ByteBuf all = Unpooled.buffer();
            for (Object value : values) {
                all.writeBytes(bodies.value(value));
            }
            DecodingCheck.require(all, bodies.id);
        }
    }

    private static void refuse(int serialization, ByteBuf values, String why) {
        assertThatThrownBy(() -> DecodingCheck.require(values, serialization))
                .isInstanceOf(UnreadableRequestException.class)
                .hasMessageContaining(why);
    }

    private static ByteBuf bytes(String hex) {
        return Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex));
    }

    private static Parcel parcel(int number) {
        Parcel parcel = new Parcel();
        parcel.text = "parcel " + number;
        parcel.stamps = new ArrayList<>(List.of("red", "blue"));
        parcel.weights = new HashMap<>(Map.of("gross", number));
        return parcel;
    }

    static Stream<Arguments> values() {
        List<Object> values = List.of(
                "tea",
                7,
                new byte[100_000],
                new int[] {1, 2, 3},
                new String[] {"a", null},
                new Date(),
                LocalDate.now(),
                LocalDateTime.now(),
                Instant.now(),
                UUID.randomUUID(),
                new BigDecimal("1.50"),
                BigInteger.TEN.pow(40),
                Thread.State.NEW,
                new TreeMap<>(Map.of("a", List.of())),
                new LinkedHashSet<>(List.of("a", "b")),
                new IllegalStateException("no"));
        return Stream.of("hessian2", "fastjson2")
                .flatMap(serialization -> values.stream().map(value -> Arguments.of(serialization, value)));
    }

    @ParameterizedTest
    @MethodSource("values")
    void takesWhatApplicationsWrite(String serialization, Object value) {
        assertThatCode(() -> require(serialization, null, value, value)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hessian2", "fastjson2"})
    void takesManyObjects_deepOnes_andReferences(String serialization) {
        List<Parcel> many =
                IntStream.range(0, 50_000).mapToObj(DecodingCheckTest::parcel).collect(Collectors.toList());
        many.addAll(List.copyOf(many.subList(0, 10_000)));
        Parcel deep = parcel(0);
        Map<String, Object> tree = new HashMap<>(); // a generic result
        for (int i = 0; i < 300; i++) {
            Parcel outer = parcel(i);
            outer.inner = deep;
            deep = outer;
            tree = new HashMap<>(Map.of("inner", tree, "name", "a" + i));
        }
        Object[] values = {many, deep, tree};

        assertThatCode(() -> require(serialization, values)).doesNotThrowAnyException();
    }

    @Test
    void refusesALengthThatIsOnlyClaimed() {
        refuse(HESSIAN2, bytes("91" + "56" + "04" + "5b696e74" + "497fffffff"), "a length of 2147483647");
        refuse(FASTJSON2, bytes("7fffffff" + "af"), "goes beyond its end");
        refuse(FASTJSON2, bytes("00000006" + "a4" + "487fffffff"), "a length of 2147483647");
    }

    @Test
    void refusesListsInLists_whenTheyAreDeep() {
        refuse(HESSIAN2, bytes("79".repeat(1_001) + "4e"), "nested more than 1000 deep");
        refuse(FASTJSON2, bytes("000003ea" + "95".repeat(1_001) + "af"), "nested more than 1000 deep");
        DecodingCheck.require(bytes("79".repeat(1_000) + "4e"), HESSIAN2);
    }

    /** Sixty sets, each with the next one and a list with a reference to it, which are hashed twice as often each. */
    @Test
    void refusesSetsThatAreHashedAgainAndAgain() {
        ByteBuf sets = Unpooled.buffer();
        for (int i = 0; i < 60; i++) {
            sets.writeByte(0x72);
            if (i == 0) {
                sets.writeByte(17).writeCharSequence("java.util.HashSet", StandardCharsets.US_ASCII);
            } else {
                sets.writeByte(0x90);
            }
        }
        sets.writeByte('N').writeByte('N');
        for (int i = 59; i > 0; i--) {
            sets.writeByte(0x79).writeByte(0x51).writeByte('I').writeInt(i);
        }

        assertThat(sets.readableBytes()).isLessThan(1_000);
        refuse(HESSIAN2, sets, "would be hashed");
    }

    /** Each has a list with two references to the set outside of it, whose other element is still being read. */
    @Test
    void refusesSetsThatReferToThoseOutside() {
        ByteBuf sets = Unpooled.buffer();
        sets.writeByte(0x72).writeByte(17).writeCharSequence("java.util.HashSet", StandardCharsets.US_ASCII);
        sets.writeByte(1).writeByte('a');
        for (int i = 1; i < 60; i++) {
            int outside = i == 1 ? 0 : 2 * i - 3; // each set and each list has a number
            sets.writeByte(0x72).writeByte(0x90).writeByte(0x7a);
            sets.writeByte(0x51).writeByte('I').writeInt(outside);
            sets.writeByte(0x51).writeByte('I').writeInt(outside);
        }
        sets.writeByte('N');

        refuse(HESSIAN2, sets, "would be hashed");
    }

    @Test
    void takesALongListOfObjects_thatShareALargeOne() throws IOException {
        List<Parcel> shared =
                IntStream.range(0, 300).mapToObj(DecodingCheckTest::parcel).collect(Collectors.toList());
        List<Object> lines = IntStream.range(0, 10_000)
                .mapToObj(i -> new ArrayList<>(List.of("line " + i, shared)))
                .collect(Collectors.toList());

        require("hessian2", lines);
    }

    @Test
    void takesOtherSerializations() {
        DecodingCheck.require(bytes("ff"), 1);
    }
}

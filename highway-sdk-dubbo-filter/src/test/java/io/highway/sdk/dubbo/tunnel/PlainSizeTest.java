// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.tunnel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.serialize.ObjectOutput;
import org.apache.dubbo.common.serialize.Serialization;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PlainSizeTest {

    private static FrameworkModel framework;

    @BeforeAll
    static void start() {
        framework = new FrameworkModel();
    }

    @AfterAll
    static void stop() {
        framework.destroy();
    }

    private static byte[] bytes(int value) {
        byte[] bytes = new byte[70_000];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    static Stream<Arguments> plainValues() {
        List<@Nullable Object> values = Arrays.asList(
                null,
                Integer.MIN_VALUE,
                Long.MIN_VALUE,
                Double.MIN_VALUE,
                true,
                "",
                "\0".repeat(70_000),
                "\uffff".repeat(70_000),
                "\uD83D\uDE00".repeat(35_000),
                new byte[0],
                bytes(0),
                bytes(-128));
        return Stream.of("hessian2", "fastjson2")
                .flatMap(serialization -> values.stream().map(value -> Arguments.of(serialization, value)));
    }

    @ParameterizedTest
    @MethodSource("plainValues")
    void isMoreThanSerialisationsMakeOfPlainValues(String serialization, @Nullable Object value) throws IOException {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        ObjectOutput output = framework
                .getExtensionLoader(Serialization.class)
                .getExtension(serialization)
                .serialize(URL.valueOf("tri://gateway.zhejiang.test:1", framework.defaultApplication()), written);
        output.writeObject(value);
        output.flushBuffer();

        assertThat(PlainSize.atMost(new @Nullable Object[] {value}))
                .isGreaterThanOrEqualTo(written.size() + PlainSize.MOST_PER_ARGUMENT)
                .isLessThan(Long.MAX_VALUE);
    }

    static Stream<Arguments> otherValues() {
        return Stream.<Object>of(List.of("tea"), new Date(), new Object[] {"tea"}, new StringBuilder("tea"), new int[1])
                .map(value -> Arguments.of(new Object[] {value}));
    }

    @ParameterizedTest
    @MethodSource("otherValues")
    void isNotKnownOfAnythingElse(Object value) {
        assertThat(PlainSize.atMost(new Object[] {"tea", value})).isEqualTo(Long.MAX_VALUE);
    }
}

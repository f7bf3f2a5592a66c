// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.model.PackableMethod;
import org.apache.dubbo.rpc.model.PackableMethodFactory;
import org.apache.dubbo.rpc.model.ReflectionMethodDescriptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SizeEstimateTest {

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
                Float.MIN_VALUE,
                Short.MIN_VALUE,
                Byte.MIN_VALUE,
                '\uffff',
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

    /** A method that takes anything. */
    interface Service {

        void take(Object one, Object other);
    }

    @ParameterizedTest
    @MethodSource("plainValues")
    void isMoreThanARequestOfPlainValuesTakes(String serialization, @Nullable Object value) throws Exception {
        URL url = URL.valueOf(
                        "tri://gateway.zhejiang.test:1/" + Service.class.getName(), framework.defaultApplication())
                .addParameter("serialization", serialization)
                .addParameter("prefer.serialization", serialization);
        PackableMethod method = framework
                .getExtensionLoader(PackableMethodFactory.class)
                .getExtension("default")
                .create(
                        new ReflectionMethodDescriptor(Service.class.getMethod("take", Object.class, Object.class)),
                        url,
                        "application/grpc+proto");
        @Nullable Object[] arguments = {value, value};

        assertThat(SizeEstimate.atMost(arguments))
                .isGreaterThanOrEqualTo(method.packRequest(arguments).length)
                .isLessThan(Long.MAX_VALUE);
    }

    static Stream<Arguments> otherValues() {
        return Stream.<Object>of(
                        List.of("tea"),
                        new Date(),
                        new BigDecimal("1"),
                        new Object[] {"tea"},
                        new StringBuilder("tea"),
                        new int[1])
                .map(value -> Arguments.of(new Object[] {value}));
    }

    @ParameterizedTest
    @MethodSource("otherValues")
    void isNotKnownOfAnythingElse(Object value) {
        assertThat(SizeEstimate.atMost(new Object[] {"tea", value})).isEqualTo(Long.MAX_VALUE);
    }
}

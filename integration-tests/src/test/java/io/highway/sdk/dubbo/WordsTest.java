// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.Island;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The words of the public enums. */
class WordsTest {

    static Stream<Enum<?>> constants() {
        return Stream.<Enum<?>[]>of(
                        Outcome.values(),
                        Reason.values(),
                        IntentSource.values(),
                        TunnelKind.values(),
                        Island.When.values())
                .flatMap(Arrays::stream);
    }

    @ParameterizedTest
    @MethodSource("constants")
    void aConstantIsShownAsItsWord(Enum<?> constant) {
        assertThat(constant)
                .hasToString(constant.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    @Test
    void wordIsTheSame() {
        assertThat(Reason.values())
                .allSatisfy(reason -> assertThat(reason.word()).isEqualTo(reason.toString()));
        assertThat(Outcome.values())
                .allSatisfy(outcome -> assertThat(outcome.word()).isEqualTo(outcome.toString()));
        assertThat(IntentSource.values())
                .allSatisfy(source -> assertThat(source.word()).isEqualTo(source.toString()));
        assertThat(TunnelKind.values())
                .allSatisfy(kind -> assertThat(kind.word()).isEqualTo(kind.toString()));
    }

    @Test
    void readsWellInAText() {
        assertThat(Reason.GATEWAY_DOWN + ", " + Outcome.NOT_SENT + ", " + Island.When.HOME_ABSENT)
                .isEqualTo("gateway-down, not-sent, home-absent");
    }
}

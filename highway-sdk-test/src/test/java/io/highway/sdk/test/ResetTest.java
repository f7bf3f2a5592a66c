// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What one test leaves to the next one. */
class ResetTest {

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void leavesNoService(boolean real) {
        try (Islands islands = islands(real)) {
            islands.reset();
            islands.at("shanghai").serves(SmsService.class, text -> "ok");
            SmsService sms = islands.reference(SmsService.class);
            assertThat(sms.send("a")).isEqualTo("ok");

            islands.reset();

            HighwayException failure = catchThrowableOfType(HighwayException.class, () -> sms.send("a"));
            assertThat(failure.reason()).isEqualTo(Reason.NO_SUCH_SERVICE);
            assertThat(failure.mayHaveRun()).isFalse();
            assertThat(islands.at("shanghai").calls()).isEmpty();
        }
    }

    @Test
    void leavesWhatWasServedBeforeTheFirst() {
        try (Islands islands = islands(false)) {
            islands.at("shanghai").serves(SmsService.class, text -> "ok");
            islands.reset();
            islands.at("shanghai").serves(SmsService.class, text -> "other");

            islands.reset();

            assertThat(islands.reference(SmsService.class).send("a")).isEqualTo("ok");
        }
    }

    @Test
    void endsATest_thatCannotBegin() {
        Islands islands = islands(false);
        islands.begin("first");
        islands.end("first");
        islands.close();

        for (String test : List.of("second", "third")) {
            assertThatThrownBy(() -> islands.begin(test)).message().doesNotContain("at the same time");
        }
    }

    @Test
    void failsAgain_whenAServiceCannotBeExported() {
        try (Islands islands = islands(false)) {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> islands.at("shanghai").serves(String.class, "no interface"))
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    @Test
    void refusesAnIslandThatIsNamedTwice() {
        assertThatThrownBy(
                        () -> Islands.builder().islands("shanghai", "shanghai").start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("islands: \"shanghai\" is not allowed; it is home, or named twice");
    }

    private static Islands islands(boolean real) {
        return Islands.builder()
                .home("zhejiang")
                .islands("shanghai")
                .property("highway.islands.shanghai.tunnel", "dubbo")
                .real(real)
                .start();
    }
}

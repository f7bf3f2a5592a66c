// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What one test leaves to the next one. */
@Tag("network")
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

    /** Dubbo tries a provider again a second after it has failed. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void leavesNoFailedHome(boolean real) {
        try (Islands islands = islands(real)) {
            SmsService sms = islands.reference(SmsService.class);
            for (int i = 0; i < 3; i++) {
                islands.reset();
                assertThat(catchThrowable(() -> sms.send("a"))).isNotNull();

                islands.reset();

                islands.at("shanghai").serves(SmsService.class, text -> "down").isDown();
                islands.home().serves(SmsService.class, text -> "home");
                assertThat(sms.send("a")).isEqualTo("home");
            }
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

    /** Answers when the test does. */
    interface Asked {

        CompletableFuture<String> ask(String text);
    }

    @Test
    void ignoresOutcomes_ofCallsThatAnEarlierTestBegan() {
        try (Islands islands = islands(false)) {
            List<CompletableFuture<String>> answers = List.of(new CompletableFuture<>(), new CompletableFuture<>());
            Asked asked = Highway.to("shanghai").bind(Asked.class, islands.reference(Asked.class));
            for (CompletableFuture<String> answer : answers) {
                islands.reset();
                islands.at("shanghai").serves(Asked.class, text -> answer);
                assertThat(asked.ask("a")).isNotDone();
            }
            islands.reset();

            answers.forEach(answer -> answer.complete("late"));

            assertThat(islands.outcomes()).isEmpty();
        }
    }

    @Test
    void recordsCalls_inTheOrderOfArrival() {
        try (Islands islands = islands(false)) {
            CompletableFuture<String> answer = new CompletableFuture<>();
            Asked asked = Highway.to("shanghai").bind(Asked.class, islands.reference(Asked.class));
            TestIsland shanghai = islands.at("shanghai")
                    .serves(Asked.class, text -> text.equals("a") ? answer : CompletableFuture.completedFuture("b"));
            CompletableFuture<String> first = asked.ask("a");
            assertThat(asked.ask("b")).isCompletedWithValue("b");
            assertThat(shanghai.calls()).hasSize(1);

            answer.complete("a");

            assertThat(first).isCompletedWithValue("a");
            assertThat(shanghai.calls())
                    .extracting(call -> call.arguments().get(0))
                    .containsExactly("a", "b");
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
                .property("highway.islands.shanghai.fallback", "home")
                .real(real)
                .start();
    }
}

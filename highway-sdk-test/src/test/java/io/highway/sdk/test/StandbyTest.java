// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Another island answers, because both sides agreed; with real connections and without. */
@Tag("network")
class StandbyTest {

    private static Islands.Builder islands(boolean isReal) {
        return Islands.builder().real(isReal).home("zhejiang").islands("shanghai", "hangzhou");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anIslandAnswers_whenTheOneThatWasAskedForIsDown(boolean isReal) {
        try (Islands islands = islands(isReal)
                .property("highway.islands.shanghai.fallback", "hangzhou")
                .property("highway.islands.shanghai.fallback-methods", "send")
                .property("hangzhou", "highway.guard.stands-in-for.shanghai", "*")
                .start()) {
            islands.at("shanghai")
                    .serves(SmsService.class, text -> "shanghai " + text)
                    .isDown();
            islands.at("hangzhou").serves(SmsService.class, text -> "hangzhou " + text);

            assertThat(islands.reference(SmsService.class).send("a")).isEqualTo("hangzhou a");

            assertThat(islands.at("hangzhou").calls()).hasSize(1);
            assertThat(islands.outcomes()).singleElement().satisfies(outcome -> {
                assertThat(outcome.island()).isEqualTo("hangzhou");
                assertThat(outcome.askedIsland()).isEqualTo("shanghai");
                assertThat(outcome.fallbackReason()).isNotNull();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noIslandAnswers_withoutItsConsent(boolean isReal) {
        try (Islands islands = islands(isReal)
                .property("highway.islands.shanghai.served-by", "hangzhou")
                .start()) {
            islands.at("hangzhou").serves(SmsService.class, text -> "hangzhou " + text);

            HighwayException refused =
                    catchThrowableOfType(HighwayException.class, () -> islands.reference(SmsService.class)
                            .send("a"));

            assertThat(refused.reason()).isEqualTo(Reason.REFUSED_THERE);
            assertThat(islands.at("hangzhou").calls()).isEmpty();
            assertThat(islands.outcomes()).extracting(CallOutcome::askedIsland).containsExactly("shanghai");
        }
    }
}

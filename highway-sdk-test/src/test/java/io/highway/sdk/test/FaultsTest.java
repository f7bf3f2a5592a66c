// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import java.time.Duration;
import org.apache.dubbo.rpc.RpcException;
import org.junit.jupiter.api.Test;

@HighwayTest(
        home = "zhejiang",
        islands = {"shanghai", "beijing"})
class FaultsTest {

    @Test
    void answers(Islands islands, SmsService sms) {
        islands.at("shanghai").serves(SmsService.class, text -> "sent " + text);

        assertThat(sms.send("a")).isEqualTo("sent a");

        assertThat(islands.at("shanghai").calls(SmsService.class)).hasSize(1);
        RecordedCall call = islands.at("shanghai").calls().get(0);
        assertThat(call.arguments()).containsExactly("a");
        assertThat(call.caller()).hasToString("zhejiang/test");
    }

    @Test
    void isNotSent_whenDown(Islands islands, SmsService sms) {
        islands.at("shanghai").serves(SmsService.class, text -> "ok").isDown();

        HighwayException failure = failure(sms);

        assertThat(failure.reason()).isEqualTo(Reason.GATEWAY_DOWN);
        assertThat(failure.mayHaveRun()).isFalse();
        assertThat(islands.at("shanghai").calls()).isEmpty();

        islands.at("shanghai").recovers();
        assertThat(sms.send("a")).isEqualTo("ok");
    }

    @Test
    void mayHaveRun_whenTheAnswerIsLost(Islands islands, SmsService sms) {
        islands.at("shanghai").serves(SmsService.class, text -> "ok").onCall(2).losesAnswers();
        assertThat(sms.send("a")).isEqualTo("ok");

        HighwayException failure = failure(sms);

        assertThat(failure.reason()).isEqualTo(Reason.TIMEOUT);
        assertThat(failure.mayHaveRun()).isTrue();
        assertThat(islands.at("shanghai").calls())
                .extracting(RecordedCall::result)
                .containsExactly(RecordedCall.Result.ANSWERED, RecordedCall.Result.LOST);
    }

    @Test
    void endsByItsDeadline(Islands islands, SmsService sms) {
        islands.at("shanghai").serves(SmsService.class, text -> "ok").delays(Duration.ofSeconds(2));
        assertThat(sms.send("a")).isEqualTo("ok");
        assertThat(islands.outcomes().get(0).duration()).isEqualTo(Duration.ofSeconds(2));

        islands.at("shanghai").delays(Duration.ofSeconds(4));
        assertThat(failure(sms).reason()).isEqualTo(Reason.TIMEOUT);
    }

    @Test
    void isRefused(Islands islands, SmsService sms) {
        islands.at("shanghai").serves(SmsService.class, text -> "ok").refuses(Reason.REFUSED_THERE);

        HighwayException failure = failure(sms);

        assertThat(failure.reason()).isEqualTo(Reason.REFUSED_THERE);
        assertThat(failure.mayHaveRun()).isFalse();
    }

    @Test
    void isRefused_asByARuleOfTheGuard(Islands islands, SmsService sms) {
        islands.at("shanghai").serves(SmsService.class, text -> "ok").refuses(Reason.DENIED);

        HighwayException failure = failure(sms);

        assertThat(failure.reason()).isEqualTo(Reason.REFUSED_THERE);
        assertThat(failure).hasMessageContaining("denied");
        assertThat(failure.mayHaveRun()).isFalse();
        assertThat(islands.at("shanghai").calls())
                .extracting(RecordedCall::result)
                .containsExactly(RecordedCall.Result.REFUSED);
    }

    @Test
    void isRefused_byAnOpenBreaker(Islands islands, SmsService sms) {
        islands.at("shanghai").serves(SmsService.class, text -> "ok").breakerOpen();

        assertThat(failure(sms).reason()).isEqualTo(Reason.BREAKER_OPEN);

        islands.advance(Duration.ofSeconds(5));
        assertThat(sms.send("a")).isEqualTo("ok");
    }

    @Test
    void goesElsewhere(Islands islands, SmsService sms) {
        islands.at("beijing").serves(SmsService.class, text -> "beijing");
        islands.home().serves(SmsService.class, text -> "home");

        assertThat(Highway.to("beijing").call(() -> sms.send("a"))).isEqualTo("beijing");
        assertThat(Highway.home().call(() -> sms.send("a"))).isEqualTo("home");
    }

    @Test
    void servesAtHome_afterHomeWasDown(Islands islands, SmsService sms) {
        islands.home().serves(SmsService.class, text -> "home").isDown();
        Throwable failure = catchThrowable(() -> Highway.home().call(() -> sms.send("a")));

        islands.home().recovers();

        assertThat(failure).isInstanceOf(RpcException.class).hasMessageContaining("Connection refused by the test");
        assertThat(Highway.home().call(() -> sms.send("a"))).isEqualTo("home");
    }

    static HighwayException failure(SmsService sms) {
        return catchThrowableOfType(HighwayException.class, () -> sms.send("a"));
    }
}

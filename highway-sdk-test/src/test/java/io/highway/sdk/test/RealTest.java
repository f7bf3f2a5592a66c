// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TunnelKind;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same faults with real connections, where time passes by itself. */
@Tag("network")
@HighwayTest(
        home = "zhejiang",
        islands = {"shanghai", "beijing"},
        real = true,
        properties = {
            "highway.islands.shanghai.tunnel=dubbo",
            "highway.islands.beijing.tunnel=triple",
            "highway.defaults.timeout=3s"
        })
class RealTest extends FaultsTest {

    /** That of shanghai. */
    TunnelKind tunnel() {
        return TunnelKind.DUBBO;
    }

    @Test
    void usesTheTunnelOfEachIsland(Islands islands, SmsService sms) {
        islands.at("shanghai").serves(SmsService.class, text -> "sent " + text);
        islands.at("beijing").serves(SmsService.class, text -> "beijing");

        assertThat(sms.send("a")).isEqualTo("sent a");
        assertThat(Highway.to("beijing").call(() -> sms.send("a"))).isEqualTo("beijing");

        assertThat(islands.at("shanghai").calls().get(0).tunnel()).isEqualTo(tunnel());
        assertThat(islands.at("beijing").calls().get(0).tunnel()).isEqualTo(TunnelKind.TRIPLE);
        assertThat(islands.at("beijing").calls().get(0).caller()).hasToString("zhejiang/test");
    }

    @Test
    void isNotTried_whenDownAfterACall(Islands islands, SmsService sms) {
        islands.at("shanghai").serves(SmsService.class, text -> "ok");
        assertThat(sms.send("a")).isEqualTo("ok");

        islands.at("shanghai").isDown();

        assertThat(failure(sms).mayHaveRun()).isFalse();
        assertThat(islands.outcomes().get(1).tunnel()).isNull();
    }

    @Override
    @Test
    void endsByItsDeadline(Islands islands, SmsService sms) {
        islands.at("shanghai").serves(SmsService.class, text -> "ok").delays(Duration.ofMillis(100));

        assertThat(sms.send("a")).isEqualTo("ok");
        assertThat(islands.outcomes().get(0).duration()).isGreaterThanOrEqualTo(Duration.ofMillis(100));
    }

    @Override
    @Test
    void isRefused_byAnOpenBreaker(Islands islands, SmsService sms) {
        islands.at("shanghai").serves(SmsService.class, text -> "ok").breakerOpen();

        assertThat(failure(sms).reason()).isEqualTo(Reason.BREAKER_OPEN);
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.HighwayReport.Endpoint.State;
import io.highway.sdk.dubbo.Reason;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Gateways that lead to another island; without real connections only. */
@HighwayTest(
        home = "zhejiang",
        islands = {"shanghai", "beijing"})
class MisroutedTest {

    @Test
    void isRefusedByTheOtherIsland_whenItsGatewayLeadsThere(Islands islands, SmsService sms) {
        TestIsland beijing = islands.at("beijing").serves(SmsService.class, text -> "beijing");
        TestIsland shanghai = islands.at("shanghai").serves(SmsService.class, text -> "ok");
        shanghai.isServedBy(beijing);

        HighwayException failure = catchThrowableOfType(HighwayException.class, () -> sms.send("a"));

        assertThat(failure.reason()).isEqualTo(Reason.REFUSED_THERE);
        assertThat(failure.mayHaveRun()).isFalse();
        assertThat(failure).hasMessageContaining("wrong-island; this is beijing");
        assertThat(beijing.calls()).isEmpty();
        assertThat(states(islands)).containsOnly(State.MISROUTED);

        shanghai.recovers();
        assertThat(sms.send("a")).isEqualTo("ok");
        assertThat(states(islands)).contains(State.UP);
    }

    private static Stream<State> states(Islands islands) {
        return HighwayReport.of(islands.application()).orElseThrow().islands().get("shanghai").endpoints().stream()
                .map(HighwayReport.Endpoint::state)
                .filter(state -> state != State.UNKNOWN);
    }

    @Test
    void isServedBy_isForConnections(Islands islands) {
        TestIsland beijing = islands.at("beijing");

        assertThatThrownBy(() -> islands.home().isServedBy(beijing)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> islands.at("shanghai").onCall(1).isServedBy(beijing))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("leave onCall out");
    }
}

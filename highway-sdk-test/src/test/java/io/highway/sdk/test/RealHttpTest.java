// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.TunnelKind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same faults over real connections by HTTP. */
@Tag("network")
@HighwayTest(
        home = "zhejiang",
        islands = {"shanghai", "beijing"},
        real = true,
        properties = {
            "highway.islands.shanghai.tunnel=http",
            "highway.islands.beijing.tunnel=triple",
            "highway.defaults.timeout=3s"
        })
class RealHttpTest extends RealTest {

    @Override
    TunnelKind tunnel() {
        return TunnelKind.HTTP;
    }

    /** A call is tried, and finds no connection. */
    @Override
    @Test
    void isNotTried_whenDownAfterACall(Islands islands, SmsService sms) {
        islands.at("shanghai").serves(SmsService.class, text -> "ok");
        assertThat(sms.send("a")).isEqualTo("ok");

        islands.at("shanghai").isDown();

        assertThat(failure(sms).mayHaveRun()).isFalse();
        assertThat(islands.at("shanghai").calls()).hasSize(1);
    }
}

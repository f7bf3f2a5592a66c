// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.HighwayReport.Bulk;
import io.highway.sdk.dubbo.HighwayReport.Endpoint;
import io.highway.sdk.dubbo.HighwayReport.Gateway;
import io.highway.sdk.dubbo.TunnelKind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("any-dubbo")
class PlainValuesTest {

    @Test
    void writesConstantsAsWords_andMissingValuesAsTheComponentSays() {
        Endpoint endpoint = new Endpoint(TunnelKind.TRIPLE, "a:1", Endpoint.State.HALF_OPEN, null, 7L);
        Object bulk = PlainValues.of(new Bulk(null, null, 2, List.of(endpoint)));

        assertThat(bulk)
                .hasToString("{tunnel=none, maxConcurrent=null, inFlight=2, endpoints=[{tunnel=triple,"
                        + " gateway=a:1, state=half-open, problem=null, roundTripMillis=7}]}");
        assertThat(PlainValues.json(Map.of("bulk", bulk)))
                .doesNotContain("null")
                .contains("\"roundTripMillis\":7");
    }

    @ParameterizedTest
    @EnumSource
    void everyStateOfAGatewayIsReported(Gateway.State state) {
        assertThat(Endpoint.State.valueOf(state.name())).isNotNull();
    }
}

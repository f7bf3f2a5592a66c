// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import static io.highway.sdk.spring.actuate.TestRouting.dead;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;

@Tag("network")
class HighwayProbeEndpointTest {

    @Test
    void tellsTheBrokenHop() throws Exception {
        String address = dead("gateway.shanghai.test");
        try (TestRouting application =
                new TestRouting("islands.shanghai.tunnel", "dubbo", "islands.shanghai.gateways.dubbo", address)) {
            assertThat(application.policy().knownIslands()).contains("shanghai");
            HighwayProbeEndpoint endpoint = new HighwayProbeEndpoint(application.model());
            ObjectMapper mapper = new ObjectMapper();

            JsonNode all = mapper.readTree(mapper.writeValueAsString(endpoint.islands()));
            JsonNode one = mapper.readTree(mapper.writeValueAsString(endpoint.island("shanghai")));

            assertThat(all).hasSize(1);
            for (JsonNode probe : new JsonNode[] {all.get(0), one.get(0)}) {
                assertThat(probe.path("island").asText()).isEqualTo("shanghai");
                assertThat(probe.path("reachable").asBoolean()).isFalse();
                JsonNode found = probe.path("endpoints").get(0);
                assertThat(found.path("gateway").asText()).isEqualTo(address);
                assertThat(found.path("result").asText()).isEqualTo("failed");
                assertThat(found.path("hop").asText()).isEqualTo("gateway");
                assertThat(found.path("steps").get(1).path("name").asText()).isEqualTo("connect");
            }
        }
    }

    @Test
    void refusesUnknownIslands() {
        try (TestRouting application = new TestRouting("gateways.dubbo", "gateway.zhejiang.test:20880")) {
            assertThat(application.policy().home()).isEqualTo("zhejiang");
            HighwayProbeEndpoint endpoint = new HighwayProbeEndpoint(application.model());

            assertThatThrownBy(() -> endpoint.island("shanghai"))
                    .isInstanceOf(InvalidEndpointRequestException.class)
                    .hasMessageContaining("\"shanghai\" is not a configured island");
        }
    }
}

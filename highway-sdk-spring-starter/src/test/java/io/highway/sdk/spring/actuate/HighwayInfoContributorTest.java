// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.info.Info;

@Tag("network")
class HighwayInfoContributorTest {

    private static Map<String, Object> info(TestRouting application) {
        Info.Builder builder = new Info.Builder();
        new HighwayInfoContributor(application.runtime).contribute(builder);
        return builder.build().getDetails();
    }

    @Test
    void tellsHomeAndTheKnownIslands() {
        try (TestRouting application = new TestRouting(
                "gateways.dubbo", "gateway.zhejiang.test:20880",
                "islands.shanghai.tunnel", "dubbo",
                "islands.beijing.timeout", "1s",
                "sign.key-id", "zhejiang-2026",
                "sign.secret", "salt")) {
            assertThat(info(application))
                    .isEqualTo(Map.of(
                            "highway",
                            Map.of(
                                    "home", "zhejiang",
                                    "islands", List.of("beijing", "shanghai"),
                                    "policy", "static")));
        }
    }

    @Test
    void tellsNothing_whereTheHighwayIsOff() {
        try (TestRouting application = new TestRouting("enabled", "false")) {
            assertThat(info(application)).isEmpty();
        }
    }
}

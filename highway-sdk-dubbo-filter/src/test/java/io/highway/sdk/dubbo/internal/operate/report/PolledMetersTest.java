// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.HighwayMeters;
import io.highway.sdk.dubbo.HighwayMeters.Meter;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What an application without Spring reads for its own metrics library. */
@Tag("network") // an address without a listener
class PolledMetersTest {

    private static final String GATEWAY = "gateway.zhejiang.test:1";

    private final FrameworkModel framework = new FrameworkModel();

    @AfterEach
    void stop() {
        framework.destroy();
    }

    private ApplicationModel application(Map<String, String> keys) {
        ApplicationModel application = framework.newApplication();
        application.getApplicationConfigManager().setApplication(new ApplicationConfig("orders"));
        application.modelEnvironment().initialize();
        application.modelEnvironment().updateAppConfigMap(keys);
        return application;
    }

    private static Map<String, String> keys(String island) {
        return Map.of(
                "highway.island",
                "zhejiang",
                "highway.gateways.dubbo",
                GATEWAY,
                "highway.islands." + island + ".tunnel",
                "dubbo");
    }

    private static List<String> connectionsAndCalls(HighwayMeters meters) {
        return meters.meters().stream()
                .filter(meter ->
                        List.of("highway.connections", "highway.inflight").contains(meter.name()))
                .map(meter -> meter.name() + " " + meter.tags().getOrDefault("island", "") + " " + meter.value())
                .toList();
    }

    @Test
    void follow_thePolicyInForce() {
        ApplicationModel application = application(keys("shanghai"));
        HighwayMeters meters = HighwayMeters.of(application);
        AtomicInteger changes = new AtomicInteger();
        meters.onChange(changes::incrementAndGet);
        assertThat(changes).hasValue(1);
        assertThat(connectionsAndCalls(meters)).isEmpty();

        HighwayRuntime runtime = HighwayRuntime.of(application);
        runtime.destinations();
        assertThat(changes).hasValue(2);
        assertThat(connectionsAndCalls(meters))
                .containsExactlyInAnyOrder("highway.connections  0.0", "highway.inflight shanghai 0.0");
        List<Meter> bytes = meters.meters().stream().filter(Meter::isCounter).toList();
        assertThat(bytes).extracting(Meter::name).containsExactly("highway.bytes", "highway.bytes");
        assertThat(bytes).extracting(Meter::unit).containsOnly("bytes");

        runtime.swap(PolicyParser.parse(RawSettings.of(keys("beijing"), "test"), "2", null)
                .orElseThrow());
        assertThat(changes).hasValue(3);
        assertThat(connectionsAndCalls(meters))
                .containsExactlyInAnyOrder("highway.connections  0.0", "highway.inflight beijing 0.0");
    }

    @Test
    void boundTheTagsOfEvents() {
        HighwayMeters meters = HighwayMeters.of(application(keys("shanghai")));
        Map<String, String> endpoint = Map.of(
                "island", "shanghai",
                "tunnel", "dubbo",
                "gateway", GATEWAY,
                "class", "interactive");
        Map<String, String> former = new HashMap<>(endpoint);
        former.put("gateway", "former.zhejiang.test:20880");

        assertThat(meters.island("shanghai")).isEqualTo("shanghai");
        assertThat(meters.island("atlantis")).isEqualTo("other");
        assertThat(meters.island(null)).isEqualTo("other");
        assertThat(meters.isUsed(endpoint)).isTrue();
        assertThat(meters.isUsed(former)).isFalse();
        assertThat(meters.isUsed(Map.of("island", "other"))).isTrue();
        assertThat(meters.isUsed(Map.of("island", "atlantis"))).isFalse();
        assertThat(meters.isUsed(Map.of("island", "atlantis", "reason", "unknown-island")))
                .isTrue();
    }

    @Test
    void areNone_whileTheHighwayIsOff() {
        HighwayMeters meters = HighwayMeters.of(application(Map.of()));
        AtomicInteger changes = new AtomicInteger();

        meters.onChange(changes::incrementAndGet);

        assertThat(changes).hasValue(0);
        assertThat(meters.meters()).isEmpty();
        assertThat(meters.island("shanghai")).isEqualTo("other");
    }
}

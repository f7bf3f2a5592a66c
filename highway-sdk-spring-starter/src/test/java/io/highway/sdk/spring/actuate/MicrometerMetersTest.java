// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import static io.highway.sdk.spring.actuate.TestRouting.ended;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Caller;
import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.GuardListener;
import io.highway.sdk.dubbo.GuardListener.GuardEvent;
import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.NetworkListener.HealthCheck;
import io.highway.sdk.dubbo.NetworkListener.TunnelChange;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.dubbo.rpc.RpcInvocation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.actuate.autoconfigure.metrics.MetricsAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@org.junit.jupiter.api.Tag("network") // next to Micrometer's
class MicrometerMetersTest {

    private static final String GATEWAY = "gateway.zhejiang.test:20880";

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final TestRouting application =
            new TestRouting("gateways.dubbo", GATEWAY, "islands.shanghai.tunnel", "dubbo");
    private final MicrometerMeters meters = new MicrometerMeters(registry, application.model());

    @AfterEach
    void stop() {
        application.close();
    }

    private static String name(Meter meter) {
        return meter.getId().getName() + " "
                + meter.getId().getTags().stream()
                        .map(tag -> tag.getKey() + "=" + tag.getValue())
                        .collect(Collectors.joining(" "));
    }

    @Test
    void hasNoMeterBeforeTheFirstCall() {
        assertThat(registry.getMeters()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"DELIVERED, delivered", "NOT_SENT, not-sent", "SENT_UNKNOWN, sent-unknown", "REFUSED, refused"})
    void timesCallsByIslandTunnelOutcomeAndReason(Outcome outcome, String word) {
        count(meters, ended("shanghai", GATEWAY, outcome, null, false));
        count(meters, ended("shanghai", GATEWAY, outcome, null, false));

        assertThat(registry.getMeters())
                .extracting(MicrometerMetersTest::name)
                .containsExactly("highway.calls class=interactive island=shanghai outcome=" + word
                        + " reason=none tunnel=dubbo");
        assertThat(registry.get("highway.calls").timer().count()).isEqualTo(2);
        assertThat(registry.get("highway.calls").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(14);
        assertThat(registry.getMeters())
                .allSatisfy(meter -> assertThat(meter.getId().getDescription()).isNotEmpty());
    }

    @Test
    void countsSwitchesAndHeartbeats() {
        GatewayAddress gateway = GatewayAddress.of(TunnelKind.DUBBO, "gateway.zhejiang.test", 20880, false);

        meters.onTunnelChange(
                new TunnelChange("shanghai", TunnelKind.DUBBO, TunnelKind.TRIPLE, "why", TrafficClass.INTERACTIVE));
        meters.onHealthCheck(new HealthCheck("shanghai", gateway, Duration.ofMillis(7), TrafficClass.INTERACTIVE));
        meters.onHealthCheck(new HealthCheck("shanghai", gateway, null, TrafficClass.INTERACTIVE));
        meters.onHealthCheck(new HealthCheck("atlantis", gateway, Duration.ofMillis(7), TrafficClass.INTERACTIVE));

        String endpoint = " class=interactive gateway=" + GATEWAY + " island=shanghai tunnel=dubbo";
        assertThat(registry.getMeters())
                .extracting(MicrometerMetersTest::name)
                .containsExactlyInAnyOrder(
                        "highway.switches class=interactive island=shanghai to=triple",
                        "highway.heartbeat" + endpoint,
                        "highway.heartbeat.missed" + endpoint,
                        "highway.heartbeat class=interactive gateway=" + GATEWAY + " island=other tunnel=dubbo");
        assertThat(registry.get("highway.heartbeat")
                        .tag("island", "shanghai")
                        .timer()
                        .totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(7);
        assertThat(registry.get("highway.heartbeat.missed").counter().count()).isOne();
        assertThat(registry.get("highway.switches").counter().count()).isOne();
    }

    @Test
    void showsNoGateway_untilAReferenceNeedsIt() {
        meters.afterSingletonsInstantiated();

        assertThat(registry.getMeters())
                .extracting(MicrometerMetersTest::name)
                .containsExactlyInAnyOrder(
                        "highway.buffered ",
                        "highway.policy hash=none source=static state=static version=static",
                        "highway.policy.unfollowed.seconds ",
                        "highway.secrets.unusable ",
                        "highway.policy.missing kind=islands",
                        "highway.policy.missing kind=keys",
                        "highway.policy.missing kind=services");

        application.runtime.destinations();

        String endpoint = " class=interactive gateway=" + GATEWAY + " island=shanghai";
        assertThat(registry.getMeters())
                .extracting(MicrometerMetersTest::name)
                .containsExactlyInAnyOrder(
                        "highway.buffered ",
                        "highway.policy hash=none source=static state=static version=static",
                        "highway.policy.unfollowed.seconds ",
                        "highway.secrets.unusable ",
                        "highway.policy.missing kind=islands",
                        "highway.policy.missing kind=keys",
                        "highway.policy.missing kind=services",
                        "highway.connections class=interactive gateway=" + GATEWAY + " tunnel=dubbo",
                        "highway.breaker" + endpoint + " tunnel=dubbo",
                        "highway.endpoint" + endpoint + " state=up tunnel=dubbo",
                        "highway.endpoint" + endpoint + " state=unknown tunnel=dubbo",
                        "highway.endpoint" + endpoint + " state=suspect tunnel=dubbo",
                        "highway.endpoint" + endpoint + " state=silent tunnel=dubbo",
                        "highway.endpoint" + endpoint + " state=misrouted tunnel=dubbo",
                        "highway.endpoint" + endpoint + " state=half-open tunnel=dubbo",
                        "highway.endpoint" + endpoint + " state=open tunnel=dubbo",
                        "highway.endpoint" + endpoint + " state=down tunnel=dubbo",
                        "highway.inflight class=interactive island=shanghai",
                        "highway.bytes class=interactive direction=out island=shanghai tunnel=dubbo",
                        "highway.bytes class=interactive direction=in island=shanghai tunnel=dubbo");
        assertThat(registry.get("highway.connections").gauge().value()).isZero();
        assertThat(registry.get("highway.breaker").gauge().value()).isZero();
        assertThat(statesOfTheEndpoint()).containsExactly("down");
        assertThat(registry.getMeters())
                .allSatisfy(meter -> assertThat(meter.getId().getDescription()).isNotEmpty());
    }

    private List<String> statesOfTheEndpoint() {
        return registry.get("highway.endpoint").gauges().stream()
                .filter(gauge -> gauge.value() == 1)
                .map(gauge -> gauge.getId().getTag("state"))
                .toList();
    }

    @Test
    void showsThePolicyInForce_andWhetherThePublishedOneIsRefused(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("policy.yaml"), "version: v1\nheartbeat.slow: 2s");
        String source = " source=file:" + file;
        try (TestRouting dynamic = TestRouting.following(file, "gateways.dubbo", GATEWAY)) {
            new MicrometerMeters(registry, dynamic.model()).afterSingletonsInstantiated();
            assertThat(policies())
                    .containsExactly("highway.policy hash=" + hash(dynamic) + source + " state=accepted version=v1");

            Files.writeString(file, "version: v2\nheartbeat.slow: perhaps");
            await().untilAsserted(() -> assertThat(policies())
                    .containsExactly("highway.policy hash=" + hash(dynamic) + source + " state=refused version=v1"));
            Files.writeString(file, "version: v3\nheartbeat.slow: 3s");
            await().untilAsserted(() -> assertThat(policies())
                    .containsExactly("highway.policy hash=" + hash(dynamic) + source + " state=accepted version=v3"));
            assertThat(registry.get("highway.policy").gauge().value()).isOne();
            assertThat(registry.get("highway.policy.unfollowed.seconds").gauge().value())
                    .isZero();
            Files.delete(file);
            await().untilAsserted(() ->
                    assertThat(registry.get("highway.policy").gauge().value()).isZero());
            await().untilAsserted(() -> assertThat(registry.get("highway.policy.unfollowed.seconds")
                            .gauge()
                            .value())
                    .isPositive());
            assertThat(policies()).singleElement().asString().endsWith(" state=accepted version=v3");
        }
    }

    private static String hash(TestRouting routing) {
        return Objects.requireNonNull(routing.runtime.policyState().hash()).substring(0, 8);
    }

    /** Calls to an island that a rule has dropped are seen, by its name, while code or configuration names it. */
    @Test
    void countsWhatARuleDrops(@TempDir Path directory) throws IOException {
        Path file =
                Files.writeString(directory.resolve("policy.yaml"), "version: v1\nislands: {shanghai: {retries: 0}}");
        try (TestRouting dynamic = TestRouting.following(
                file,
                "gateways.dubbo",
                GATEWAY,
                "islands.shanghai.tunnel",
                "dubbo",
                "services.com.foo.Sms.island",
                "shanghai")) {
            MicrometerMeters shown = new MicrometerMeters(registry, dynamic.model());
            shown.afterSingletonsInstantiated();
            dynamic.runtime.destinations();
            assertThat(missing("islands")).isZero();

            Files.writeString(file, "version: v2\nislands: {beijing: {retries: 0}}\nservices: {}");
            await().untilAsserted(() -> assertThat(missing("islands")).isOne());
            assertThat(missing("services")).isOne();
            count(shown, ended("shanghai", null, Outcome.REFUSED, Reason.UNKNOWN_ISLAND, false));
            count(shown, ended(null, null, Outcome.REFUSED, Reason.UNKNOWN_ISLAND, false));
            Files.writeString(file, "version: v3\nislands: {guangdong: {retries: 0}}\nservices: {}");
            await().until(() -> dynamic.policy().version().equals("v3"));

            await().untilAsserted(
                            () -> assertThat(registry.get("highway.calls").timers().stream()
                                            .map(MicrometerMetersTest::name)
                                            .toList())
                                    .containsExactlyInAnyOrder(
                                            "highway.calls class=interactive island=other outcome=refused reason=unknown-island tunnel=none",
                                            "highway.calls class=interactive island=shanghai outcome=refused reason=unknown-island tunnel=none"));
        }
    }

    private double missing(String kind) {
        return registry.get("highway.policy.missing").tag("kind", kind).gauge().value();
    }

    private List<String> policies() {
        return registry.getMeters().stream()
                .map(MicrometerMetersTest::name)
                .filter(name -> name.startsWith("highway.policy "))
                .toList();
    }

    @Test
    void showsTheGatewaysAndIslands_ofThePolicyInForce() {
        meters.afterSingletonsInstantiated();
        application.runtime.destinations();
        GatewayAddress gateway = GatewayAddress.of(TunnelKind.DUBBO, "gateway.zhejiang.test", 20880, false);
        Runnable events = () -> {
            meters.onHealthCheck(new HealthCheck("shanghai", gateway, Duration.ofMillis(7), TrafficClass.INTERACTIVE));
            meters.onHealthCheck(new HealthCheck("shanghai", gateway, null, TrafficClass.INTERACTIVE));
            meters.onHealthCheck(new HealthCheck("atlantis", gateway, Duration.ofMillis(7), TrafficClass.INTERACTIVE));
        };
        events.run();
        meters.onTunnelChange(
                new TunnelChange("shanghai", TunnelKind.DUBBO, TunnelKind.TRIPLE, "why", TrafficClass.INTERACTIVE));
        count(meters, ended("shanghai", GATEWAY, Outcome.NOT_SENT, Reason.GATEWAY_DOWN, true));

        application.runtime.swap(PolicyParser.parse(
                        RawSettings.of(
                                Map.of(
                                        "highway.island",
                                        "zhejiang",
                                        "highway.gateways.dubbo",
                                        "other.zhejiang.test:20880",
                                        "highway.islands.beijing.tunnel",
                                        "dubbo"),
                                "test"),
                        "2",
                        null)
                .orElseThrow());

        events.run(); // of checks that began before
        assertThat(registry.getMeters())
                .extracting(MicrometerMetersTest::name)
                .filteredOn(name -> !name.startsWith("highway.policy")
                        && !name.startsWith("highway.secrets")
                        && !name.startsWith("highway.endpoint"))
                .containsExactlyInAnyOrder(
                        "highway.buffered ",
                        "highway.connections class=interactive gateway=other.zhejiang.test:20880 tunnel=dubbo",
                        "highway.breaker class=interactive gateway=other.zhejiang.test:20880 island=beijing tunnel=dubbo",
                        "highway.inflight class=interactive island=beijing",
                        "highway.bytes class=interactive direction=out island=beijing tunnel=dubbo",
                        "highway.bytes class=interactive direction=in island=beijing tunnel=dubbo");
        assertThat(registry.get("highway.endpoint").gauges()).hasSize(8).allMatch(state -> "beijing"
                .equals(state.getId().getTag("island")));
    }

    /** A process of the island itself may have its settings, too, if all islands share one configuration. */
    @Test
    void showsNothingOfHome_whichIsConfiguredToo() {
        try (TestRouting shared = new TestRouting(
                "gateways.dubbo", GATEWAY, "islands.zhejiang.tunnel", "dubbo", "islands.shanghai.tunnel", "dubbo")) {
            shared.runtime.destinations();
            new MicrometerMeters(registry, shared.model()).afterSingletonsInstantiated();

            assertThat(registry.getMeters())
                    .extracting(meter -> meter.getId().getTag("island"))
                    .contains("shanghai")
                    .doesNotContain("zhejiang");
        }
    }

    @Test
    void registersOnlyWhatIsNewInAPolicy() {
        application.runtime.destinations();
        meters.afterSingletonsInstantiated();
        Set<String> registered = ConcurrentHashMap.newKeySet();
        registry.config()
                .meterFilter(
                        new MeterFilter() { // known meters pass it again, if they are registered again
                            @Override
                            public Meter.Id map(Meter.Id id) {
                                registered.add(id.getName() + " " + id.getTag("island"));
                                return id;
                            }
                        });

        application.runtime.swap(PolicyParser.parse(
                        RawSettings.of(
                                Map.of(
                                        "highway.island",
                                        "zhejiang",
                                        "highway.gateways.dubbo",
                                        GATEWAY,
                                        "highway.islands.shanghai.tunnel",
                                        "dubbo",
                                        "highway.islands.beijing.tunnel",
                                        "dubbo"),
                                "test"),
                        "2",
                        null)
                .orElseThrow());

        assertThat(registered)
                .contains("highway.inflight beijing", "highway.breaker beijing", "highway.bytes beijing")
                .noneMatch(name -> name.endsWith(" shanghai") || name.startsWith("highway.connections"));
        assertThat(registry.get("highway.inflight").gauges()).hasSize(2);
    }

    @Test
    void tellsBulkCallsFromOthers_ifAnyAreBulk() {
        application.runtime.destinations();
        meters.afterSingletonsInstantiated();

        application.runtime.swap(PolicyParser.parse(
                        RawSettings.of(
                                Map.of(
                                        "highway.island",
                                        "zhejiang",
                                        "highway.gateways.dubbo",
                                        GATEWAY,
                                        "highway.islands.shanghai.tunnel",
                                        "dubbo",
                                        "highway.islands.shanghai.bulk.over",
                                        "16KB"),
                                "test"),
                        "2",
                        null)
                .orElseThrow());
        count(meters, TestRouting.ended("shanghai", null, Outcome.DELIVERED, null, false, TrafficClass.BULK));

        assertThat(registry.getMeters())
                .extracting(MicrometerMetersTest::name)
                .contains(
                        "highway.connections class=interactive gateway=" + GATEWAY + " tunnel=dubbo",
                        "highway.connections class=bulk gateway=" + GATEWAY + " tunnel=dubbo",
                        "highway.breaker class=bulk gateway=" + GATEWAY + " island=shanghai tunnel=dubbo",
                        "highway.inflight class=bulk island=shanghai",
                        "highway.waiting class=bulk island=shanghai",
                        "highway.limit class=bulk island=shanghai",
                        "highway.bytes class=bulk direction=out island=shanghai tunnel=dubbo",
                        "highway.calls class=bulk island=shanghai outcome=delivered reason=none tunnel=none")
                .doesNotContain(
                        "highway.limit class=interactive island=shanghai",
                        "highway.waiting class=interactive island=shanghai");
    }

    @Test
    void countsWhatTheGuardDoes_byResultAndReason() {
        for (GuardListener.Result result : GuardListener.Result.values()) {
            meters.onGuard(new GuardEvent(result, "denied", "com.foo.Sms", "send", null, null, null, null));
        }
        meters.onGuard(new GuardEvent(
                GuardListener.Result.REFUSED,
                "denied",
                "com.foo.Other",
                "any",
                "a",
                Caller.of("zhejiang", "shop"),
                null,
                null));

        assertThat(registry.get("highway.guard")
                        .tags("result", "refused", "reason", "denied")
                        .counter()
                        .count())
                .isEqualTo(2);
        assertThat(registry.get("highway.guard").counters()).hasSize(3);
    }

    @Test
    void countsLostAuditLines_whileTheAuditTrailIsOn() {
        try (TestRouting audited = new TestRouting("audit.enabled", "true")) {
            new MicrometerMeters(registry, audited.model()).afterSingletonsInstantiated();

            assertThat(registry.get("highway.audit.lost").functionCounter().count())
                    .isZero();
        }
    }

    @Test
    void showsThatAGatewayIsConnected() {
        try (TestRouting.Live gateway = new TestRouting.Live("gateway.zhejiang.test");
                TestRouting home =
                        new TestRouting("gateways.dubbo", gateway.address(), "islands.shanghai.tunnel", "dubbo")) {
            new MicrometerMeters(registry, home.connected(gateway).model()).afterSingletonsInstantiated();

            assertThat(registry.get("highway.connections").gauge().value()).isOne();
            assertThat(statesOfTheEndpoint()).containsExactly("unknown");
        }
    }

    @Test
    void hasHistograms_ifSpringBootIsAskedForThem() {
        Map<String, Boolean> histograms = new ConcurrentHashMap<>();
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class))
                .withBean(SimpleMeterRegistry.class, SimpleMeterRegistry::new)
                .withPropertyValues(
                        "management.metrics.distribution.percentiles-histogram.highway.calls=true",
                        "management.metrics.distribution.slo.highway.calls=5ms,100ms")
                .run(context -> {
                    MeterRegistry ofBoot = context.getBean(MeterRegistry.class);
                    ofBoot.config().meterFilter(new MeterFilter() {
                        @Override
                        public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
                            histograms.put(id.getName(), Boolean.TRUE.equals(config.isPercentileHistogram()));
                            return config;
                        }
                    });
                    MicrometerMeters ofContext = new MicrometerMeters(ofBoot, application.model());
                    count(ofContext, ended("shanghai", GATEWAY, Outcome.DELIVERED, null, false));
                    ofContext.onHealthCheck(new HealthCheck(
                            "shanghai",
                            GatewayAddress.of(TunnelKind.DUBBO, "gateway.zhejiang.test", 20880, false),
                            Duration.ofMillis(7),
                            TrafficClass.INTERACTIVE));

                    assertThat(histograms)
                            .containsOnly(Map.entry("highway.calls", true), Map.entry("highway.heartbeat", false));
                    assertThat(ofBoot.get("highway.calls")
                                    .timer()
                                    .takeSnapshot()
                                    .histogramCounts())
                            .extracting(CountAtBucket::count)
                            .containsExactly(0.0, 1.0);
                });
    }

    @Test
    void tellsTheTunnelsApart() {
        count(
                meters,
                TestRouting.ended(
                        "shanghai",
                        GatewayAddress.of(TunnelKind.TRIPLE, "gateway.zhejiang.test", 20880, false),
                        Outcome.DELIVERED,
                        null,
                        false,
                        TrafficClass.INTERACTIVE));
        count(meters, ended("shanghai", null, Outcome.REFUSED, Reason.DENIED, false));

        assertThat(registry.getMeters())
                .extracting(MicrometerMetersTest::name)
                .containsExactlyInAnyOrder(
                        "highway.calls class=interactive island=shanghai outcome=delivered reason=none tunnel=triple",
                        "highway.calls class=interactive island=shanghai outcome=refused reason=denied tunnel=none");
    }

    @Test
    void callersCannotMakeNewSeries() {
        GatewayAddress gateway = GatewayAddress.of(TunnelKind.DUBBO, "gateway.zhejiang.test", 20880, false);
        for (int i = 0; i < 10_000; i++) {
            meters.onHealthCheck(
                    new HealthCheck("island-" + i, gateway, Duration.ofMillis(7), TrafficClass.INTERACTIVE));
            count(meters, ended("island-" + i, GATEWAY, Outcome.DELIVERED, null, false));
            count(meters, ended("island-" + i, GATEWAY, Outcome.NOT_SENT, Reason.GATEWAY_DOWN, true));
        }
        count(meters, ended(null, null, Outcome.REFUSED, Reason.UNKNOWN_ISLAND, false));

        assertThat(registry.getMeters())
                .extracting(meter -> meter.getId().getTag("island"))
                .hasSize(5)
                .containsOnly("other");
    }

    @Test
    void countsTheCallsThatHomeServesInstead() {
        count(meters, ended("shanghai", GATEWAY, Outcome.NOT_SENT, Reason.NOT_FORWARDED, true));
        count(meters, ended("shanghai", null, Outcome.NOT_SENT, Reason.GATEWAY_DOWN, true));
        count(meters, ended("shanghai", null, Outcome.NOT_SENT, Reason.GATEWAY_DOWN, true));
        count(meters, ended("shanghai", null, Outcome.NOT_SENT, Reason.NO_TIME_LEFT, false));

        assertThat(registry.get("highway.fallbacks").counters())
                .extracting(MicrometerMetersTest::name)
                .containsExactlyInAnyOrder(
                        "highway.fallbacks island=shanghai reason=gateway-down to=home",
                        "highway.fallbacks island=shanghai reason=not-forwarded to=home");
        assertThat(registry.get("highway.fallbacks")
                        .tags(List.of(Tag.of("reason", "gateway-down")))
                        .counter()
                        .count())
                .isEqualTo(2);
    }

    @Test
    void countsTheCallsThatAnotherIslandServesInstead() {
        CallOutcome served = new CallOutcome(
                "com.foo.Sms",
                "send",
                Intent.NONE,
                "beijing",
                null,
                Outcome.DELIVERED,
                null,
                false,
                Duration.ofMillis(7),
                null,
                TrafficClass.INTERACTIVE,
                "shanghai",
                Reason.BREAKER_OPEN);

        try (TestRouting two = new TestRouting(
                "gateways.dubbo", GATEWAY, "islands.beijing.tunnel", "dubbo", "islands.shanghai.tunnel", "dubbo")) {
            count(new MicrometerMeters(registry, two.model()), served);
        }

        assertThat(registry.get("highway.fallbacks").counters())
                .extracting(MicrometerMetersTest::name)
                .containsExactly("highway.fallbacks island=shanghai reason=breaker-open to=beijing");
        assertThat(registry.get("highway.calls").timer().getId().getTag("island"))
                .isEqualTo("beijing");
    }

    private static void count(MicrometerMeters meters, CallOutcome ended) {
        String service = ended.interfaceName();
        meters.onOutcome(
                ended, new RpcInvocation(null, ended.methodName(), service, service, new Class<?>[0], new Object[0]));
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.HighwayExplain;
import io.highway.sdk.dubbo.HighwayProbe;
import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.HighwayReport.Endpoint.State;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.caller.endpoint.Destination;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.fixtures.faults.FaultyLinks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.dubbo.config.ReferenceConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two islands with two applications each, behind gateways of layer 4: a port knows no service. */
@Tag("network")
class SeveralApplicationsTest {

    /** The service of the second application. */
    public interface Billing {

        String bill(String item);
    }

    private static final String SHOP = Shop.class.getName();
    private static final String BILLING = Billing.class.getName();
    private static final String PATTERN = BILLING.substring(0, BILLING.length() - 3) + "*";

    private static final List<TestApplication> applications = new ArrayList<>();
    private static final Map<String, String> ports = new HashMap<>();

    private final FaultyLinks links = new FaultyLinks();
    private final Map<String, FaultyLink> gateways = new HashMap<>();
    private TestApplication consumer;

    @BeforeAll
    static void start() {
        for (String island : List.of("shanghai", "beijing")) {
            TestApplication shops = application("shops", island);
            shops.export(Shop.class, new ShopKeeper(island), service -> {}).start();
            TestApplication bills = application("bills", island);
            bills.export(Billing.class, item -> island + " bills " + item, service -> {})
                    .start();
        }
    }

    private static TestApplication application(String name, String island) {
        TestApplication application = new TestApplication(name, island, Map.of("highway.island", island));
        applications.add(application);
        for (Tunnel tunnel : Tunnel.values()) {
            ports.put(name + island + tunnel.key(), application.listen(tunnel == Tunnel.DUBBO ? "dubbo" : "tri"));
        }
        return application;
    }

    @AfterAll
    static void stop() {
        applications.forEach(TestApplication::close);
    }

    @AfterEach
    void close() {
        links.close();
    }

    /** An application at home, closed with the providers: Dubbo closes all Triple servers with the first framework model. */
    private void consume(Map<String, String> keys) {
        consumer = new TestApplication("zhejiang", keys);
        applications.add(0, consumer);
    }

    /** The address of a gateway of layer 4 in front of an application. */
    private String gateway(String application, String island, Tunnel tunnel) {
        String provider = ports.get(application + island + tunnel.key());
        FaultyLink link = links.link(0, Integer.parseInt(provider.substring(provider.indexOf(':') + 1)));
        gateways.put(application + island, link);
        return "gateway." + island + ".test:" + link.port();
    }

    private Map<String, String> keys(Tunnel tunnel, String... more) {
        Map<String, String> keys = new HashMap<>();
        keys.put("highway.island", "zhejiang");
        keys.put("highway.defaults.tunnel", tunnel.key());
        for (String island : List.of("shanghai", "beijing")) {
            String of = "highway.islands." + island + ".";
            keys.put(of + "gateways." + tunnel.key(), gateway("shops", island, tunnel));
            keys.put(of + "services." + PATTERN + ".gateways." + tunnel.key(), gateway("bills", island, tunnel));
        }
        for (int i = 0; i < more.length; i += 2) {
            keys.put(more[i], more[i + 1]);
        }
        return keys;
    }

    private <S> S reference(Class<S> type) {
        ReferenceConfig<S> reference = consumer.reference(type, config -> config.setUrl("dubbo://127.0.0.1:1"));
        reference.setCheck(false);
        return reference.get();
    }

    private static <T> T in(String island, Supplier<T> call) {
        return Highway.to(island).call(call::get);
    }

    private HighwayReport.Island shanghai() {
        return HighwayReport.of(consumer.model()).orElseThrow().islands().get("shanghai");
    }

    private HighwayReport.Endpoint ofBilling() {
        List<HighwayReport.Endpoint> endpoints = shanghai().services().get(PATTERN);
        assertThat(endpoints).hasSize(1);
        return endpoints.get(0);
    }

    @ParameterizedTest
    @EnumSource
    void reachesEachApplicationOfEachIsland(Tunnel tunnel) {
        consume(keys(tunnel));
        Shop shop = reference(Shop.class);
        Billing billing = reference(Billing.class);

        for (String island : List.of("shanghai", "beijing")) {
            assertThat(in(island, () -> shop.sell("tea"))).isEqualTo(island + ":tea");
            assertThat(in(island, () -> billing.bill("tea"))).isEqualTo(island + " bills tea");
        }
    }

    @ParameterizedTest
    @EnumSource
    void endsAsNoSuchService_ifTheGatewayLeadsToAnotherApplication(Tunnel tunnel) {
        Map<String, String> keys = keys(tunnel);
        keys.keySet().removeIf(key -> key.contains(".services."));
        consume(keys);
        Billing billing = reference(Billing.class);

        assertThatThrownBy(() -> in("shanghai", () -> billing.bill("tea")))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NO_SUCH_SERVICE));
    }

    @ParameterizedTest
    @EnumSource
    void probesEachApplicationByAServiceOfIt(Tunnel tunnel) {
        consume(keys(tunnel, "highway.heartbeat.interval", "200ms", "highway.heartbeat.service", SHOP));
        Shop shop = reference(Shop.class);
        Billing billing = reference(Billing.class);
        in("shanghai", () -> shop.sell("tea"));
        in("shanghai", () -> billing.bill("tea"));

        await().until(() -> ofBilling().roundTripMillis() != null
                && shanghai().endpoints().get(0).roundTripMillis() != null);

        assertThat(HighwayProbe.run(consumer.model(), "shanghai"))
                .extracting(HighwayProbe::service)
                .containsExactly(SHOP, BILLING);
        assertThat(HighwayProbe.run(consumer.model())).hasSize(4).allMatch(HighwayProbe::reachable);
    }

    @ParameterizedTest
    @EnumSource
    void keepsTheOthersHealthy_ifOneApplicationHangs(Tunnel tunnel) {
        consume(keys(
                tunnel,
                "highway.heartbeat.interval",
                "200ms",
                "highway.heartbeat.slow",
                "100ms",
                "highway.defaults.timeout",
                "300ms"));
        Shop shop = reference(Shop.class);
        Billing billing = reference(Billing.class);
        await().ignoreExceptions().until(() -> in("shanghai", () -> shop.sell("tea")) != null);
        await().ignoreExceptions().until(() -> in("shanghai", () -> billing.bill("tea")) != null);
        await().until(() -> ofBilling().roundTripMillis() != null);

        gateways.get("billsshanghai").blackHole();

        await().until(() -> {
            assertThatThrownBy(() -> in("shanghai", () -> billing.bill("tea"))).isInstanceOf(HighwayException.class);
            assertThat(in("shanghai", () -> shop.sell("tea"))).isEqualTo("shanghai:tea");
            return List.of(State.OPEN, State.DOWN).contains(ofBilling().state());
        });
        assertThat(shanghai().endpoints())
                .extracting(HighwayReport.Endpoint::state)
                .containsExactly(State.UP);
        assertThat(in("beijing", () -> billing.bill("tea"))).isEqualTo("beijing bills tea");

        gateways.get("billsshanghai").heal();

        await().ignoreExceptions().until(() -> in("shanghai", () -> billing.bill("tea")) != null);
    }

    @ParameterizedTest
    @EnumSource
    void sharesTheLimitOfTheIsland(Tunnel tunnel) {
        consume(keys(
                tunnel,
                "highway.islands.shanghai.max-concurrent",
                "7",
                "highway.islands.shanghai.bulk.methods",
                "upload*"));
        reference(Shop.class);

        Destination shanghai =
                HighwayRuntime.of(consumer.model()).destinations().of("shanghai");

        assertThat(shanghai.withServices())
                .hasSize(2)
                .extracting(Destination::bulkhead)
                .containsOnly(shanghai.bulkhead());
        assertThat(shanghai.withServices()).extracting(Destination::calls).containsOnly(shanghai.calls());
    }

    @ParameterizedTest
    @EnumSource
    void explainsTheGatewaysOfTheService(Tunnel tunnel) {
        Map<String, String> keys = keys(tunnel);
        consume(keys);
        reference(Billing.class);
        String key = "highway.islands.shanghai.services." + PATTERN + ".gateways." + tunnel.key();

        HighwayExplain.Call call = HighwayExplain.Call.of(BILLING, "bill").attachment("shanghai");

        await().untilAsserted(() -> {
            HighwayExplain explained = HighwayExplain.of(consumer.model(), call).get(0);
            assertThat(explained.endpoints())
                    .extracting(HighwayReport.Endpoint::gateway)
                    .containsExactly(keys.get(key));
            assertThat(explained.settings().get("gateways." + tunnel.key()).key())
                    .isEqualTo(key);
        });
    }

    @ParameterizedTest
    @EnumSource
    void followsARule(Tunnel tunnel) {
        Map<String, String> keys = keys(tunnel);
        Map<String, String> before = new HashMap<>(keys);
        before.keySet().removeIf(key -> key.contains(".services."));
        consume(before);
        Billing billing = reference(Billing.class);
        assertThatThrownBy(() -> in("shanghai", () -> billing.bill("tea"))).isInstanceOf(HighwayException.class);

        HighwayRuntime.of(consumer.model()).swap(PolicySwapTest.policy("v2", keys));

        assertThat(in("shanghai", () -> billing.bill("tea"))).isEqualTo("shanghai bills tea");

        HighwayRuntime.of(consumer.model()).swap(PolicySwapTest.policy("v3", before));

        assertThatThrownBy(() -> in("shanghai", () -> billing.bill("tea")))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NO_SUCH_SERVICE));
    }
}

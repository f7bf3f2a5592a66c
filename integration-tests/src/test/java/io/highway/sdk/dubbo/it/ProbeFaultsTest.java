// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.dubbo.HighwayProbe;
import io.highway.sdk.dubbo.HighwayProbe.Endpoint;
import io.highway.sdk.dubbo.HighwayProbe.Hop;
import io.highway.sdk.dubbo.HighwayProbe.Step;
import io.highway.sdk.dubbo.HighwayProbe.Step.Name;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.fixtures.faults.FaultyLinks;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.dubbo.common.Version;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A probe names the broken hop for each fault of {@code tools/chaos}, in its order. Each {@code ~} is a link that can
 * fail, one per protocol where there are two:
 *
 * <pre>
 *   consumer ~~ home gateway 1 ~ remote gateway ~~ provider in shanghai
 *            ~~ home gateway 2 ~
 * </pre>
 */
@Tag("network")
@Tag("any-dubbo")
class ProbeFaultsTest extends OnFaultyStar {

    private final FaultyLinks links = new FaultyLinks();
    private final List<FaultyLink> all = new ArrayList<>();
    private final List<FaultyLink> toProvider = new ArrayList<>();
    private final List<FaultyLink> onward = new ArrayList<>();
    private final List<Home> homes = new ArrayList<>();
    private Gateway far;

    private record Home(Gateway gateway, FaultyLink dubbo, FaultyLink triple) {

        List<FaultyLink> links() {
            return List.of(dubbo, triple);
        }

        Predicate<Endpoint> endpoints() {
            return endpoint ->
                    links().stream().anyMatch(link -> endpoint.gateway().endsWith(":" + link.port()));
        }
    }

    @BeforeEach
    void build() {
        toProvider.add(link(port(star.star.shanghai.dubboAddress)));
        toProvider.add(link(port(star.star.shanghai.tripleAddress)));
        far = Gateway.start(GatewayConfig.builder()
                .island("shanghai")
                .listen("gateway.shanghai.test", 0)
                .providers(
                        "shanghai",
                        "*",
                        List.of("shanghai.test:" + toProvider.get(0).port()),
                        List.of("shanghai.test:" + toProvider.get(1).port()))
                .build());
        for (int i = 0; i < 2; i++) {
            FaultyLink next = link(far.port());
            onward.add(next);
            Gateway gateway = star.gatewayOver(next);
            homes.add(new Home(gateway, link(gateway.port()), link(gateway.port())));
        }
    }

    private FaultyLink link(int target) {
        FaultyLink link = links.link(0, target);
        all.add(link);
        return link;
    }

    private static int port(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    @AfterEach
    void end() {
        links.close();
        far.closeNow();
    }

    private Home first() {
        return homes.get(0);
    }

    private Home second() {
        return homes.get(1);
    }

    /** A consumer whose calls arrive, so that all its connections are up. */
    private void connect(String... more) {
        Shop shop = star.shop(events, Tunnel.DUBBO, "", with(more));
        shop.sell("tea");
    }

    private String[] with(String... more) {
        List<String> keys = new ArrayList<>(List.of(
                "highway.gateways.dubbo",
                FaultyStar.address(first().dubbo().port()) + ","
                        + FaultyStar.address(second().dubbo().port()),
                "highway.gateways.triple",
                FaultyStar.address(first().triple().port()) + ","
                        + FaultyStar.address(second().triple().port()),
                "highway.defaults.tunnel",
                "auto"));
        keys.addAll(List.of(more));
        return keys.toArray(String[]::new);
    }

    private static HighwayProbe probe() {
        return probe(star.consumer());
    }

    private static HighwayProbe probe(TestApplication consumer) {
        HighwayProbe probe = HighwayProbe.run(consumer.model(), "shanghai").get(0);
        assertThat(probe.island()).isEqualTo("shanghai");
        return probe;
    }

    private static List<Endpoint> over(Home home, HighwayProbe probe) {
        List<Endpoint> found =
                probe.endpoints().stream().filter(home.endpoints()).toList();
        assertThat(found).as("endpoints of %s", probe).hasSize(2);
        return found;
    }

    private static void assertFine(List<Endpoint> endpoints) {
        assertThat(endpoints).allSatisfy(endpoint -> {
            assertThat(endpoint.result()).as(endpoint.toString()).hasToString("ok");
            assertThat(endpoint.hop()).isNull();
            assertThat(endpoint.problem()).isNull();
            assertThat(endpoint.reachable()).isTrue();
            assertThat(endpoint.roundTripMillis()).isNotNull();
        });
    }

    private static void assertBroken(List<Endpoint> endpoints, String hop, String step, String problem) {
        assertThat(endpoints).isNotEmpty().allSatisfy(endpoint -> {
            assertThat(endpoint.result()).as(endpoint.toString()).hasToString("failed");
            assertThat(endpoint.hop()).as(endpoint.toString()).hasToString(hop);
            assertThat(endpoint.problem()).contains(problem);
            assertThat(endpoint.reachable()).isFalse();
            assertThat(endpoint.steps())
                    .filteredOn(done -> done.result() == HighwayProbe.Result.FAILED)
                    .extracting(done -> done.name().toString())
                    .containsExactly(step);
        });
    }

    @Test
    void nothingBroken_everyStepIsFine() {
        connect();

        HighwayProbe probe = probe();

        assertThat(probe.reachable()).isTrue();
        assertThat(probe.service()).isEqualTo(Shop.class.getName());
        assertFine(over(first(), probe));
        assertFine(over(second(), probe));
        assertThat(probe.endpoints()).allSatisfy(endpoint -> {
            assertThat(endpoint.steps())
                    .extracting(Step::name)
                    .containsExactly(Name.RESOLVE, Name.CONNECT, Name.PROTOCOL, Name.FORWARD, Name.GUARD);
            assertThat(endpoint.guard()).as(endpoint.toString()).isNotNull();
            assertThat(endpoint.guard().island()).isEqualTo("shanghai");
            assertThat(endpoint.guard().version()).isNotBlank();
            assertThat(endpoint.guard().clockAheadMillis()).isBetween(-5_000L, 5_000L);
        });
    }

    @Test
    void homeGateway1Killed_isNamed_andIsFineAgainAfterwards() {
        connect();
        first().gateway().closeNow();
        first().links().forEach(FaultyLink::refuse);

        HighwayProbe killed = probe();

        assertThat(killed.reachable()).isTrue();
        assertBroken(over(first(), killed), "gateway", "connect", "refused");
        assertFine(over(second(), killed));

        star.gatewayAgain(first().gateway());
        first().links().forEach(FaultyLink::open);

        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> assertFine(over(first(), probe())));
    }

    @Test
    void providerKilled_theFarGatewayRefuses() {
        connect();
        toProvider.forEach(FaultyLink::close);

        HighwayProbe probe = probe();

        assertThat(probe.reachable()).isFalse();
        assertBroken(probe.endpoints(), "beyond-gateway", "forward", "did not forward: upstream-unreachable");
        assertThat(probe.endpoints()).allSatisfy(endpoint -> assertThat(endpoint.hops())
                .hasToString("{gateway=reached, beyond-gateway=not-reached, island=unknown}"));
        assertThat(probe.endpoints()).allSatisfy(endpoint -> assertThat(endpoint.problem())
                .containsAnyOf(toProvider.stream()
                        .map(link -> "shanghai.test:" + link.port())
                        .toArray(String[]::new)));
    }

    @Test
    void homeGateway2StandsStill_itAcceptsAndSendsNothing() {
        connect();
        second().links().forEach(FaultyLink::blackHole);

        HighwayProbe probe = probe();

        assertBroken(over(second(), probe), "gateway", "protocol", "accepted the connection and has not answered");
        assertFine(over(first(), probe));
    }

    @Test
    void connectionsReset_areNoticed() {
        connect();
        all.forEach(link -> link.resetEvery(Duration.ofMillis(400)));

        HighwayProbe probe = probe();

        assertThat(probe.endpoints()).allSatisfy(endpoint -> {
            assertThat(endpoint.result()).as(endpoint.toString()).isNotEqualTo(HighwayProbe.Result.OK);
            assertThat(endpoint.hop()).isIn(Hop.GATEWAY, Hop.CONNECTION, Hop.BEYOND_GATEWAY);
        });
    }

    @Test
    void blackHoleToHomeGateway1_isNamed() {
        connect();
        first().links().forEach(FaultyLink::blackHole);

        HighwayProbe probe = probe();

        assertBroken(over(first(), probe), "gateway", "protocol", "accepted the connection and has not answered");
        assertFine(over(second(), probe));
    }

    @Test
    void blackHoleToTheProvider_isBehindTheGateways() {
        connect();
        toProvider.forEach(FaultyLink::blackHole);

        HighwayProbe probe = probe();

        assertThat(probe.reachable()).isFalse();
        assertBroken(probe.endpoints(), "beyond-gateway", "forward", "");
        assertThat(probe.endpoints()) // over HTTP/2 the remote gateway cannot connect
                .allSatisfy(endpoint -> assertThat(endpoint.problem())
                        .containsAnyOf(
                                "the gateway answers, and what is behind it does not",
                                "did not forward: upstream-unreachable shanghai.test"));
    }

    @Test
    void oneByteAtATime_isFine() {
        connect("highway.heartbeat.slow", "2500ms"); // a request has twice this time
        first().links().forEach(FaultyLink::bytewise);

        HighwayProbe probe = probe();

        assertFine(over(first(), probe));
        assertFine(over(second(), probe));
    }

    @Test
    void moreDelayBetweenGateways_isSeenBehindTheGateway() {
        connect("highway.heartbeat.slow", "500ms", "highway.heartbeat.interval", "none");
        onward.forEach(link -> link.delay(Duration.ofMillis(300)));

        HighwayProbe probe = probe();

        assertThat(probe.reachable()).isTrue();
        assertThat(probe.endpoints()).allSatisfy(endpoint -> {
            assertThat(endpoint.result()).as(endpoint.toString()).hasToString("warn");
            assertThat(endpoint.hop()).hasToString("beyond-gateway");
            assertThat(endpoint.problem()).contains("highway.heartbeat.slow");
            assertThat(endpoint.roundTripMillis()).isGreaterThanOrEqualTo(600);
        });
    }

    @Test
    void dubboPortBlocked_concernsThatTunnelOnly() {
        connect();
        first().dubbo().close();
        second().dubbo().blackHole();

        HighwayProbe probe = probe();

        assertThat(probe.reachable()).isTrue();
        assertBroken(ofTunnel(TunnelKind.DUBBO, over(first(), probe)), "gateway", "connect", "refused");
        assertBroken(ofTunnel(TunnelKind.DUBBO, over(second(), probe)), "gateway", "protocol", "has not answered");
        assertFine(ofTunnel(TunnelKind.TRIPLE, probe.endpoints()));
    }

    private static List<Endpoint> ofTunnel(TunnelKind tunnel, List<Endpoint> endpoints) {
        return endpoints.stream()
                .filter(endpoint -> endpoint.tunnel() == tunnel)
                .toList();
    }

    @Test
    void bothHomeGatewaysKilled_areNamed() {
        connect();
        for (Home home : homes) {
            home.gateway().closeNow();
            home.links().forEach(FaultyLink::refuse);
        }

        HighwayProbe probe = probe();

        assertThat(probe.reachable()).isFalse();
        assertBroken(probe.endpoints(), "gateway", "connect", "refused");
    }

    @Test
    void farGatewayKilled_theHomeGatewaysRefuse() {
        connect();
        far.closeNow();
        onward.forEach(FaultyLink::close);

        HighwayProbe probe = probe();

        assertThat(probe.reachable()).isFalse();
        for (int i = 0; i < homes.size(); i++) {
            assertBroken(
                    over(homes.get(i), probe),
                    "beyond-gateway",
                    "forward",
                    "did not forward: upstream-unreachable gateway.shanghai.test:"
                            + onward.get(i).port());
        }
    }

    @Test
    void idleConnectionsCut_theOpenConnectionIsNamed() {
        connect("highway.heartbeat.interval", "none");
        first().links().forEach(link -> link.forgetIdle(Duration.ZERO));
        second().links().forEach(link -> link.closeIdle(Duration.ZERO));

        HighwayProbe probe = probe();

        // on 3.2 a dead Triple connection cannot be told from one whose other end is dead
        List<Endpoint> told = Version.getVersion().startsWith("3.3")
                ? over(first(), probe)
                : ofTunnel(TunnelKind.DUBBO, over(first(), probe));
        assertBroken(told, "connection", "forward", "nothing is received over the open connection");
        assertThat(over(first(), probe)).noneMatch(Endpoint::reachable);
        assertFine(over(second(), probe));
    }

    @Test
    void firstAddressDead_newConsumers_isNamed() {
        int dead = FreePorts.next();
        Home other = second();
        TestApplication consumer = star.star.consumer(star.star.properties(
                Tunnel.DUBBO,
                "highway.gateways.dubbo",
                FaultyStar.address(dead) + ","
                        + FaultyStar.address(other.dubbo().port()),
                "highway.gateways.triple",
                FaultyStar.address(other.triple().port()),
                "highway.defaults.tunnel",
                "dubbo,triple"));
        consumer.reference(Shop.class, config -> config.setUrl("dubbo://" + star.star.homeDubbo))
                .get();

        HighwayProbe probe = probe(consumer);

        assertThat(probe.endpoints()).hasSize(3);
        assertBroken(probe.endpoints().subList(0, 1), "gateway", "connect", "refused");
        assertFine(over(other, probe));
    }
}

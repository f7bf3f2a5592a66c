// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.dubbo.HighwayProbe;
import io.highway.sdk.dubbo.HighwayProbe.Endpoint;
import io.highway.sdk.dubbo.HighwayProbe.Hop;
import io.highway.sdk.dubbo.HighwayProbe.Reach;
import io.highway.sdk.dubbo.HighwayProbe.Step;
import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.HighwayReport.Endpoint.State;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.tools.fixtures.certificates.Authority;
import io.highway.tools.fixtures.certificates.Identity;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.dubbo.common.utils.JsonUtils;
import org.apache.dubbo.qos.api.BaseCommand;
import org.apache.dubbo.qos.api.CommandContext;
import org.apache.dubbo.qos.server.Server;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a probe finds where no link fails; {@link ProbeFaultsTest} has the others. */
@Tag("network")
class ProbeTest {

    private static Star star;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void start() {
        star = new Star();
    }

    @AfterAll
    static void end() {
        star.close();
    }

    private static ApplicationModel consumer(Map<String, String> properties) {
        TestApplication consumer = star.consumer(properties);
        consumer.reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo))
                .get();
        return consumer.model();
    }

    private static Endpoint only(HighwayProbe probe) {
        assertThat(probe.island()).isEqualTo("shanghai");
        assertThat(probe.endpoints()).hasSize(1);
        return probe.endpoints().get(0);
    }

    private static Endpoint probe(Tunnel tunnel, String... keys) {
        return only(HighwayProbe.run(consumer(star.properties(tunnel, keys)), "shanghai")
                .get(0));
    }

    private static Step last(Endpoint endpoint) {
        return endpoint.steps().get(endpoint.steps().size() - 1);
    }

    private static void assertBroken(Endpoint endpoint, String hop, String step, String problem) {
        assertThat(endpoint.result()).as(endpoint.toString()).hasToString("failed");
        assertThat(endpoint.hop()).hasToString(hop);
        assertThat(last(endpoint).name()).hasToString(step);
        assertThat(endpoint.problem()).contains(problem);
    }

    @Test
    void probesEveryIsland_beforeAnyCall() {
        ApplicationModel application = consumer(star.properties(Tunnel.DUBBO));

        List<HighwayProbe> probes = HighwayProbe.run(application);

        assertThat(probes).extracting(HighwayProbe::island).containsExactly("beijing", "shanghai");
        assertThat(probes).allSatisfy(probe -> {
            assertThat(probe.reachable()).as(probe.toString()).isTrue();
            assertThat(probe.service()).isEqualTo(Shop.class.getName());
            assertThat(probe.endpoints())
                    .singleElement()
                    .satisfies(endpoint -> assertThat(endpoint.guard().island()).isEqualTo(probe.island()));
        });
        assertThat(star.shanghai.shop.received).isEmpty();
    }

    /** Dubbo starts QoS with the first invoker of a process, which may be one of the SDK. */
    @Test
    void startsNoQos_whereTheApplicationSwitchesItOff() {
        ApplicationModel application = star.consumer(
                        star.properties(Tunnel.DUBBO, "highway.heartbeat.service", Shop.class.getName()))
                .model();
        assertThat(HighwayRuntime.of(application).policyIfEnabled()).isNotNull(); // as references read it

        assertThat(HighwayProbe.run(application, "shanghai"))
                .singleElement()
                .satisfies(probe ->
                        assertThat(probe.reachable()).as(probe.toString()).isTrue());

        Server qos = application.getFrameworkModel().getBeanFactory().getBean(Server.class);
        assertThat(qos == null || !qos.isStarted()).isTrue();
    }

    @Test
    void refusesHomeAndUnknownIslands_byName() {
        ApplicationModel application = consumer(star.properties(Tunnel.DUBBO));

        assertThatThrownBy(() -> HighwayProbe.run(application, "zhejiang"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("\"zhejiang\" is the island of this process; probe another one: [beijing, shanghai]");
        assertThatThrownBy(() -> HighwayProbe.run(application, "shangai"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "\"shangai\" is not a configured island; there are [beijing, shanghai] (highway.islands.*)");
    }

    @Test
    void findsNothing_whileTheHighwayIsOff() {
        assertThat(HighwayProbe.run(consumer(star.properties(Tunnel.DUBBO, "highway.enabled", "false"))))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void unsigned_theGuardRefuses(Tunnel tunnel) {
        GuardedIsland shanghai = star.closing(new GuardedIsland("highway.sign.accept.zhejiang", "s3cr3t"));
        String address = shanghai.gatewayAddress();
        String[] unsigned = {"highway.gateways.dubbo", address, "highway.gateways.triple", address};

        Endpoint refused = probe(tunnel, unsigned);

        assertBroken(refused, "island", "guard", "unsigned");
        assertThat(refused.hops().values()).containsOnly(Reach.REACHED);
        assertThat(refused.reachable()).isTrue();
        assertThat(refused.guard()).isNull();

        Endpoint signed = probe(
                tunnel,
                "highway.gateways.dubbo",
                address,
                "highway.gateways.triple",
                address,
                "highway.sign.key-id",
                "zhejiang",
                "highway.sign.secret",
                "s3cr3t");

        assertThat(signed.result()).as(signed.toString()).hasToString("ok");
        assertThat(signed.guard().island()).isEqualTo("shanghai");
        assertThat(shanghai.shop.received).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void noGuard_isSaid_andDoesNoHarm(Tunnel tunnel) {
        TestIsland plain = star.closing(new TestIsland("shanghai", Map.of()));
        Endpoint found = probe(
                tunnel,
                "highway.gateways.dubbo",
                plain.gatewayAddress(),
                "highway.gateways.triple",
                plain.gatewayAddress());

        assertThat(found.result()).as(found.toString()).hasToString("ok");
        assertThat(found.guard()).isNull();
        assertThat(last(found).detail()).startsWith("none: ");
    }

    @ParameterizedTest
    @EnumSource
    void wrongRoute_isFound(Tunnel tunnel) {
        try (Gateway wrong = Gateway.start(GatewayConfig.builder()
                .island("zhejiang")
                .listen("gateway.zhejiang.test", 0)
                .providers("shanghai", "*", List.of(star.beijing.dubboAddress), List.of(star.beijing.tripleAddress))
                .build())) {
            String address = "gateway.zhejiang.test:" + wrong.port();

            Endpoint found = probe(tunnel, "highway.gateways.dubbo", address, "highway.gateways.triple", address);

            assertBroken(found, "beyond-gateway", "guard", "wrong-island");
            assertThat(found.reachable()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void noRoute_isFound(Tunnel tunnel) {
        try (Gateway deadEnd = FaultyStar.deadEnd()) {
            String address = "gateway.zhejiang.test:" + deadEnd.port();

            Endpoint found = probe(tunnel, "highway.gateways.dubbo", address, "highway.gateways.triple", address);

            assertBroken(found, "beyond-gateway", "forward", "did not forward: unknown-island shanghai");
        }
    }

    @ParameterizedTest
    @EnumSource
    void serviceThatTheIslandLacks_isAWarning(Tunnel tunnel) {
        Endpoint found = probe(tunnel, "highway.heartbeat.service", "com.foo.Missing");

        assertThat(found.result()).as(found.toString()).hasToString("warn");
        assertThat(found.hop()).hasToString("island");
        assertThat(found.reachable()).isTrue();
        assertThat(found.problem()).contains("highway.heartbeat.service");
    }

    /** Probes that wait for their turn must not be taken for ones that found nothing. */
    @Test
    void namesTheHopOfEveryEndpoint_whenNoneOfManyIslandsAnswers() throws IOException {
        try (ServerSocket mute = new ServerSocket(0, 200, InetAddress.getByName("127.0.0.1"))) {
            Gateway hub = star.closing(
                    star.anotherGateway(0, config -> config.defaultNext(List.of("127.0.0.1:" + mute.getLocalPort()))));
            Map<String, String> properties =
                    star.properties(Tunnel.DUBBO, "highway.gateways.dubbo", FaultyStar.address(hub.port()));
            for (int i = 0; i < 80; i++) {
                properties.put("highway.islands.island-" + i + ".tunnel", "dubbo");
            }

            List<HighwayProbe> probes = HighwayProbe.run(consumer(properties));

            assertThat(probes)
                    .filteredOn(probe -> probe.island().startsWith("island-"))
                    .hasSize(80)
                    .flatExtracting(HighwayProbe::endpoints)
                    .allSatisfy(endpoint -> assertBroken(endpoint, "beyond-gateway", "forward", "no answer to $echo"));
        }
    }

    /** The gateway forwards connections: it accepts one, and ends it when the provider refuses. */
    @ParameterizedTest
    @EnumSource
    void providerThatIsDownBehindALayer4Gateway_isBehindTheGateway(Tunnel tunnel) throws IOException {
        ExecutorService forwarding = Executors.newSingleThreadExecutor();
        try (ServerSocket gateway = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
            Future<?> unused = forwarding.submit(() -> {
                while (true) {
                    gateway.accept().close();
                }
            });

            Endpoint found =
                    probe(tunnel, "highway.gateways." + tunnel.key(), FaultyStar.address(gateway.getLocalPort()));

            assertBroken(found, "beyond-gateway", "protocol", "nothing is behind it");
            assertThat(found.hops())
                    .isEqualTo(Map.of(
                            Hop.GATEWAY, Reach.REACHED,
                            Hop.BEYOND_GATEWAY, Reach.NOT_REACHED,
                            Hop.ISLAND, Reach.UNKNOWN));
        } finally {
            forwarding.shutdownNow();
        }
    }

    @Test
    void anIslandIsUnknown_untilSomethingHasAnsweredOverIt() {
        ApplicationModel application = consumer(star.properties(Tunnel.DUBBO, "highway.heartbeat.interval", "none"));
        await().until(() -> state(application) != State.DOWN);
        assertThat(state(application)).isEqualTo(State.UNKNOWN);

        HighwayProbe probe = HighwayProbe.run(application, "shanghai").get(0);

        assertThat(probe.reachable()).as(probe.toString()).isTrue();
        assertThat(only(probe).hops().values()).containsOnly(Reach.REACHED);
        assertThat(state(application)).isEqualTo(State.UP);
    }

    private static State state(ApplicationModel application) {
        return HighwayReport.of(application)
                .orElseThrow()
                .islands()
                .get("shanghai")
                .endpoints()
                .get(0)
                .state();
    }

    @Test
    void unknownHost_isLocal() {
        Endpoint found = probe(Tunnel.DUBBO, "highway.gateways.dubbo", "nowhere.test:20880");

        assertBroken(found, "local", "resolve", "unknown host \"nowhere.test\"");
    }

    @ParameterizedTest
    @EnumSource
    void tls_isChecked(Tunnel tunnel) {
        Authority authority = new Authority("authority-" + tunnel, folder);
        Authority stranger = new Authority("stranger-" + tunnel, folder);
        Identity server = authority.identity("gateway-" + tunnel, "gateway.zhejiang.test");
        Identity client = authority.identity("client-" + tunnel);
        try (Gateway gateway = star.anotherGateway(
                0, config -> config.tls(server.certificate(), server.privateKey(), authority.certificate()))) {
            String key = "highway.gateways." + tunnel.key();
            String address = "gateway.zhejiang.test:" + gateway.port();
            String trust = "highway.gateways.tls.trust-certificates";
            String trusted = authority.certificate().toString();

            Endpoint plaintext = probe(tunnel, key, address);
            assertBroken(plaintext, "gateway", "protocol", "TLS");

            Endpoint untrusted =
                    probe(tunnel, key, address, trust, stranger.certificate().toString());
            assertBroken(untrusted, "gateway", "tls", "look at highway.gateways.tls.trust-certificates");

            Endpoint withoutCertificate = probe(tunnel, key, address, trust, trusted);
            assertBroken(withoutCertificate, "gateway", "tls", "look at highway.gateways.tls.");

            Endpoint fine = probe(
                    tunnel,
                    key,
                    address,
                    trust,
                    trusted,
                    "highway.gateways.tls.certificate",
                    client.certificate().toString(),
                    "highway.gateways.tls.private-key",
                    client.privateKey().toString());
            assertThat(fine.reachable()).as(fine.toString()).isTrue();
            assertThat(fine.result()).hasToString("warn"); // the authority signs for a day
            assertThat(fine.hop()).hasToString("gateway");
            assertThat(fine.problem())
                    .contains("CN=gateway-" + tunnel, "CN=authority-" + tunnel, "expires in 0 days; renew it")
                    .contains("our certificate, highway.gateways.tls.certificate, expires in 0 days; renew it");
        }
    }

    /** A chain holds only as long as each of its certificates. */
    @ParameterizedTest
    @EnumSource
    void tls_saysWhenTheFirstCertificateOfTheGatewaysChainEnds(Tunnel tunnel) throws IOException {
        Authority authority = new Authority("root-" + tunnel, folder, Duration.ofDays(3000));
        Authority intermediate = authority.intermediate("short-" + tunnel, Duration.ofDays(10));
        Identity leaf = intermediate.identity(Duration.ofDays(300), "long-" + tunnel, "gateway.zhejiang.test");
        Identity client = authority.identity("client-" + tunnel);
        Path chain = Files.writeString(
                folder.resolve("chain-" + tunnel + ".crt"),
                Files.readString(leaf.certificate()) + Files.readString(intermediate.certificate()));
        try (Gateway gateway =
                star.anotherGateway(0, config -> config.tls(chain, leaf.privateKey(), authority.certificate()))) {
            Endpoint found = probe(
                    tunnel,
                    "highway.gateways." + tunnel.key(),
                    "gateway.zhejiang.test:" + gateway.port(),
                    "highway.gateways.tls.trust-certificates",
                    authority.certificate().toString(),
                    "highway.gateways.tls.certificate",
                    client.certificate().toString(),
                    "highway.gateways.tls.private-key",
                    client.privateKey().toString());

            assertThat(found.problem()).contains("the gateway's certificate expires in 9 days");
        }
    }

    @Test
    void qosCommand_probesTheApplicationsThatKnowTheIsland_orTheOneThatIsNamed() {
        FrameworkModel framework = new FrameworkModel();
        for (String home : List.of("zhejiang", "jiangsu")) {
            Map<String, String> properties = star.properties(Tunnel.DUBBO, "highway.island", home);
            properties.keySet().removeIf(key -> home.equals("jiangsu") && key.startsWith("highway.islands.shanghai."));
            TestApplication application = star.closing(new TestApplication(framework, home, properties));
            application
                    .reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo))
                    .get();
        }
        BaseCommand command = framework.getExtensionLoader(BaseCommand.class).getExtension("highwayProbe");

        String shanghai = command.execute(new CommandContext("highwayProbe"), new String[] {"island=shanghai"});
        String named = command.execute(
                new CommandContext("highwayProbe"), new String[] {"beijing", "application=jiangsu-app", "--json"});
        CommandContext both = new CommandContext("highwayProbe");
        String ambiguous = command.execute(both, new String[] {"beijing", "--json"});

        assertThat(shanghai).contains("island shanghai: reachable: dubbo " + star.gatewayAddress() + " ok");
        assertThat(JsonUtils.toJavaList(named, Map.class)).hasSize(1);
        assertThat(both.getHttpCode()).isEqualTo(400);
        assertThat(ambiguous).contains("jiangsu-app, zhejiang-app; write application=<name>");
    }

    @Test
    void qosCommand_hasTextAndJson() {
        ApplicationModel application = consumer(star.properties(Tunnel.TRIPLE));
        BaseCommand command = application
                .getFrameworkModel()
                .getExtensionLoader(BaseCommand.class)
                .getExtension("highwayProbe");

        String text = command.execute(new CommandContext("highwayProbe"), new String[] {"shanghai"});
        String json = command.execute(new CommandContext("highwayProbe"), new String[] {"--json", "shanghai"});
        CommandContext unknown = new CommandContext("highwayProbe");
        String refused = command.execute(unknown, new String[] {"shangai"});

        assertThat(text)
                .contains("island shanghai: reachable: triple " + star.gatewayAddress() + " ok")
                .containsPattern("ok +guard +0 ms +island shanghai, SDK ");
        Map<?, ?> probe = JsonUtils.toJavaList(json, Map.class).get(0);
        assertThat(probe.get("island")).isEqualTo("shanghai");
        assertThat(probe.get("reachable")).isEqualTo(true);
        assertThat(((Map<?, ?>) ((List<?>) probe.get("endpoints")).get(0)).get("result"))
                .isEqualTo("ok");
        assertThat(unknown.getHttpCode()).isEqualTo(400);
        assertThat(refused).contains("\"shangai\" is not a configured island");
    }
}

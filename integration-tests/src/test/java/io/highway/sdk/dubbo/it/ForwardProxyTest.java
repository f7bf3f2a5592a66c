// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.HighwayProbe;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.network.connection.GatewayClients;
import io.highway.tools.fixtures.certificates.Authority;
import io.highway.tools.fixtures.logs.CapturedLog;
import io.highway.tools.gateway.Gateway;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Gateways that are reached through a forward proxy, which alone knows their name. */
@Tag("network")
class ForwardProxyTest {

    private static final String HOST = "gateway.behind.test";

    private static Star star;

    @TempDir
    private static Path folder;

    private TestProxy proxy;

    @BeforeAll
    static void start() {
        star = new Star();
    }

    @AfterAll
    static void end() {
        star.close();
    }

    @AfterEach
    void closeProxy() throws IOException {
        if (proxy != null) {
            proxy.close();
        }
        star.shanghai.shop.received.clear();
    }

    private static String gateway() {
        return HOST + ":" + star.gateway().port();
    }

    private TestApplication consumer(Tunnel tunnel, String url, String... more) {
        List<String> keys = new ArrayList<>(List.of(
                "highway.gateways." + tunnel.key(),
                gateway(),
                "highway.gateways.proxy",
                url,
                "highway.heartbeat.interval",
                "none"));
        keys.addAll(List.of(more));
        return star.consumer(star.properties(tunnel, keys.toArray(String[]::new)));
    }

    private static Shop shop(TestApplication consumer) {
        Shop shop = consumer.reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo))
                .get();
        return Highway.to("shanghai").bind(Shop.class, shop);
    }

    private static void awaitServed(Shop shop) {
        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(shop.sell("tea")).isEqualTo("shanghai:tea"));
    }

    private static void assertNotSent(Shop shop, String... words) {
        await().untilAsserted(() -> assertThat(catchThrowableOfType(HighwayException.class, () -> shop.sell("tea")))
                .satisfies(refused -> {
                    assertThat(refused.reason()).isEqualTo(Reason.GATEWAY_DOWN);
                    assertThat(refused.mayHaveRun()).isFalse();
                    assertThat(refused.getMessage()).contains(words);
                }));
        assertThat(star.shanghai.shop.received).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"DUBBO, HTTP", "DUBBO, SOCKS5", "TRIPLE, HTTP", "TRIPLE, SOCKS5"})
    void callsArrive_thoughOnlyTheProxyKnowsTheGatewaysName(Tunnel tunnel, TestProxy.Kind kind) throws IOException {
        proxy = new TestProxy(kind);
        TestApplication consumer = consumer(tunnel, proxy.url(""));
        Queue<String> resolved = new ConcurrentLinkedQueue<>();
        GatewayClients.of(consumer.model().getFrameworkModel()).resolver(host -> {
            resolved.add(host);
            return List.of(InetAddress.getLoopbackAddress());
        });
        try (CapturedLog log = new CapturedLog()) {
            awaitServed(shop(consumer));

            assertThat(proxy.asked()).isNotEmpty().containsOnly(gateway());
            assertThat(resolved).containsOnly("127.0.0.1");
            assertThat(log.lines("gateway " + tunnel.key() + " " + gateway() + " through " + proxy.url("") + " is up"))
                    .hasSize(1);
        }
    }

    @Test
    void socksIsAskedForAnIpAddressAsSuch() throws IOException {
        proxy = new TestProxy(TestProxy.Kind.SOCKS5);
        String address = "127.0.0.1:" + star.gateway().port();

        awaitServed(shop(consumer(Tunnel.DUBBO, proxy.url(""), "highway.gateways.dubbo", address)));

        assertThat(proxy.asked()).containsOnly("IP " + address);
    }

    @ParameterizedTest
    @CsvSource({"DUBBO, HTTP", "DUBBO, SOCKS5", "TRIPLE, HTTP", "TRIPLE, SOCKS5"})
    void tlsIsBetweenTheApplicationAndTheGateway(Tunnel tunnel, TestProxy.Kind kind) throws IOException {
        Authority authority = new Authority("authority-" + tunnel + kind, folder);
        var server = authority.identity("gateway-" + tunnel + kind, HOST);
        var client = authority.identity("app-" + tunnel + kind);
        proxy = new TestProxy(kind);
        try (Gateway secured = star.anotherGateway(
                0, config -> config.tls(server.certificate(), server.privateKey(), authority.certificate()))) {
            Shop shop = shop(consumer(
                    tunnel,
                    proxy.url(""),
                    "highway.gateways." + tunnel.key(),
                    HOST + ":" + secured.port(),
                    "highway.gateways.tls.trust-certificates",
                    authority.certificate().toString(),
                    "highway.gateways.tls.certificate",
                    client.certificate().toString(),
                    "highway.gateways.tls.private-key",
                    client.privateKey().toString()));

            awaitServed(shop);

            assertThat(secured.stats().forwarded()).isPositive();
            assertThat(proxy.asked()).containsOnly(HOST + ":" + secured.port());
        }
    }

    @ParameterizedTest
    @CsvSource({"DUBBO, HTTP", "TRIPLE, SOCKS5"})
    void showsUserAndPassword_whichAFileMayContain(Tunnel tunnel, TestProxy.Kind kind) throws IOException {
        proxy = new TestProxy(kind);
        proxy.demand("app:pass@:word");
        Path file = Files.writeString(folder.resolve("password-" + tunnel), "pass@:word\n");

        awaitServed(shop(consumer(tunnel, proxy.url("app:file:" + file + "@"))));
        awaitServed(shop(consumer(tunnel, proxy.url("app:pass@:word@"))));

        star.shanghai.shop.received.clear();
        Files.writeString(file, "wrong");
        try (CapturedLog log = new CapturedLog()) {
            assertNotSent(
                    shop(consumer(tunnel, proxy.url("app:file:" + file + "@"))),
                    "the proxy " + proxy.url("") + " (highway.gateways.proxy): ",
                    kind == TestProxy.Kind.HTTP ? "status: 407 Proxy Authentication Required" : "authStatus: ");
            assertThat(log.lines("wrong")).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "DUBBO, HTTP, 403 Forbidden, status: 403 Forbidden",
        "TRIPLE, HTTP, 502 Bad Gateway, status: 502 Bad Gateway",
        "DUBBO, SOCKS5, 4, status: HOST_UNREACHABLE",
        "TRIPLE, SOCKS5, 2, status: FORBIDDEN"
    })
    void aRefusalIsNotSent_andNamesProxyKeyAndStatus(Tunnel tunnel, TestProxy.Kind kind, String answer, String words)
            throws IOException {
        proxy = new TestProxy(kind);
        proxy.refuse(answer);

        TestApplication consumer = consumer(tunnel, proxy.url(""));
        Shop shop = shop(consumer);

        assertNotSent(shop, "the proxy " + proxy.url("") + " (highway.gateways.proxy): " + words);
        assertThat(HighwayProbe.run(consumer.model(), "shanghai").get(0).endpoints())
                .singleElement()
                .satisfies(probed -> assertThat(probed.problem())
                        .startsWith("the proxy " + proxy.url("") + " (highway.gateways.proxy): " + words));
        proxy.refuse("");
        awaitServed(shop);
    }

    @ParameterizedTest
    @EnumSource
    void aProxyThatDoesNotAnswerIsNotSent_withinTheConnectTimeout(Tunnel tunnel) throws IOException {
        proxy = new TestProxy(TestProxy.Kind.HTTP);
        proxy.beSilent();

        Shop shop = shop(consumer(tunnel, proxy.url(""), "highway.gateways.connect-timeout", "300ms"));

        assertNotSent(
                shop, "the proxy " + proxy.url("") + " (highway.gateways.proxy): Connect timed out (127.0.0.1 port ");
    }

    @ParameterizedTest
    @CsvSource({"DUBBO, proxy.zhejiang.test, unknown host", "TRIPLE, 127.0.0.1, Connection refused (127.0.0.1 port "})
    void aProxyThatIsNotThereIsNotSent(Tunnel tunnel, String host, String words) throws IOException {
        proxy = new TestProxy(TestProxy.Kind.SOCKS5);
        String url = proxy.url("").replace("127.0.0.1", host);
        proxy.kill();

        assertNotSent(shop(consumer(tunnel, url)), "the proxy " + url + " (highway.gateways.proxy): " + words);
    }

    @ParameterizedTest
    @CsvSource({"DUBBO, HTTP", "TRIPLE, SOCKS5"})
    void theProbeAsksTheProxy(Tunnel tunnel, TestProxy.Kind kind) throws IOException {
        proxy = new TestProxy(kind);
        proxy.demand("app:secret");
        TestApplication consumer = consumer(tunnel, proxy.url("app:secret@"));
        awaitServed(shop(consumer));

        assertThat(HighwayProbe.run(consumer.model(), "shanghai").get(0).endpoints())
                .singleElement()
                .satisfies(probed -> assertThat(probed.result()).isEqualTo(HighwayProbe.Result.OK))
                .satisfies(probed -> assertThat(probed.steps())
                        .filteredOn(step -> step.name() == HighwayProbe.Step.Name.CONNECT)
                        .singleElement()
                        .satisfies(step -> assertThat(step.detail())
                                .startsWith(
                                        "the proxy " + proxy.url("") + " (highway.gateways.proxy): 127.0.0.1 port ")));
    }

    @ParameterizedTest
    @CsvSource({"DUBBO, HTTP", "DUBBO, SOCKS5", "TRIPLE, HTTP", "TRIPLE, SOCKS5"})
    void onlyCallsInFlightAreLost_whenTheProxyIsKilledUnderLoad(Tunnel tunnel, TestProxy.Kind kind) throws IOException {
        proxy = new TestProxy(kind);
        Shop shop = shop(consumer(tunnel, proxy.url("")));
        awaitServed(shop);

        try (Callers callers = new Callers(shop, Callers.CallForm.SYNC)) {
            proxy.kill();
            callers.awaitMoreOfEach(10);
            proxy.restart();

            awaitServed(shop);
            callers.assertLostOneEachAtMost(Reason.GATEWAY_DOWN);
        }
    }
}

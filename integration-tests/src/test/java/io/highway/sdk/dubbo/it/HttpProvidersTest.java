// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static io.highway.sdk.dubbo.it.HttpReceiverTest.SIGN;
import static io.highway.sdk.dubbo.it.HttpReceiverTest.health;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.dubbo.internal.operate.audit.AuditTrail;
import io.highway.sdk.dubbo.it.RawHttpCaller.Answer;
import io.highway.sdk.dubbo.it.RawHttpCaller.Call;
import io.highway.tools.fixtures.certificates.Authority;
import io.highway.tools.fixtures.certificates.Identity;
import io.highway.tools.fixtures.logs.CapturedLog;
import io.highway.tools.fixtures.ports.FreePorts;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import org.apache.dubbo.common.deploy.DeployListenerAdapter;
import org.apache.dubbo.common.utils.NamedThreadFactory;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls over HTTP/1.1 at providers with other settings, one at a time: Dubbo closes the servers of all together. */
@Tag("network")
@Tag("any-dubbo")
class HttpProvidersTest {

    @TempDir
    private Path folder;

    @Test
    void refusesRepeats_andLogsWhoSendsThem() throws IOException {
        try (CapturedLog log = new CapturedLog();
                GuardedIsland island = new GuardedIsland();
                RawHttpCaller other = new RawHttpCaller(island.httpAddress)) {
            Call call = Call.sell("tea");
            assertThat(other.call(call).result()).isEqualTo("shanghai:tea");
            for (int i = 0; i < 3; i++) {
                assertThat(other.call(call).refused()).isEqualTo("shanghai;repeated");
            }

            assertThat(island.shop.received).hasSize(1);
            assertThat(log.lines("sends HTTP/1.1 requests again"))
                    .singleElement()
                    .asString()
                    .contains("127.0.0.1");
        }
    }

    /** Another refusal would say that nothing has run, or that nothing will. */
    @Test
    void refusesRepeats_whateverElseWouldRefuseThem() throws IOException {
        try (GuardedIsland island = new GuardedIsland(
                        "highway.guard.rules.slow.from",
                        "*/*",
                        "highway.guard.rules.slow.action",
                        "allow",
                        "highway.guard.rules.slow.rate",
                        "1/s");
                RawHttpCaller other = new RawHttpCaller(island.httpAddress)) {
            Call first = Call.sell("tea");
            assertThat(other.call(first).result()).isEqualTo("shanghai:tea");
            Call second;
            do {
                second = Call.sell("rice");
            } while (!String.valueOf(other.call(second).attachments().get("highway-refused"))
                    .startsWith("shanghai;busy"));

            assertThat(other.call(first).refused()).isEqualTo("shanghai;repeated");
            assertThat(other.call(second).refused()).isEqualTo("shanghai;repeated");

            island.application
                    .model()
                    .getDefaultModule()
                    .getConfigManager()
                    .getServices()
                    .forEach(service -> service.unexport());
            assertThat(other.call(first).refused()).isEqualTo("shanghai;repeated");
            assertThat(other.call(Call.sell("salt")).refused()).startsWith("shanghai;no-such-service");
        }
    }

    @Test
    void recordsNoCall_thatTheRulesDeny() throws IOException {
        try (GuardedIsland island = new GuardedIsland(
                        "highway.guard.rules.none.from", "*/*",
                        "highway.guard.rules.none.action", "deny");
                RawHttpCaller other = new RawHttpCaller(island.httpAddress)) {
            Call call = Call.sell("tea");
            for (int i = 0; i < 2; i++) {
                assertThat(other.call(call).attachments().get("highway-refused"))
                        .asString()
                        .startsWith("shanghai;denied");
            }
        }
    }

    @Test
    void serves_butFailsHealthChecks_whileTheApplicationStops() throws IOException {
        List<String> stopping = new ArrayList<>();
        try (GuardedIsland island = new GuardedIsland();
                RawHttpCaller other = new RawHttpCaller(island.httpAddress)) {
            assertThat(health(other)).contains(" 204 ");
            island.application.model().getDeployer().addDeployListener(new DeployListenerAdapter<>() {
                @Override
                public void onStopping(ApplicationModel application) {
                    try {
                        stopping.add(health(other));
                        stopping.add(String.valueOf(other.call(Call.sell("tea")).result()));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
            });
            island.application.stop();
        }
        assertThat(stopping).containsExactly("HTTP/1.1 503 Service Unavailable", "shanghai:tea");
    }

    /** There is memory for one of them. */
    @Test
    void refusesBodies_thatWaitForMemory() throws IOException {
        try (GuardedIsland small = new GuardedIsland("highway.max-buffered", "2MB");
                RawHttpCaller other = new RawHttpCaller(small.httpAddress)) {
            long peak = BufferedRequestsTest.peakOf(small.buffered(), () -> {
                try (RawHttpCaller first = new RawHttpCaller(small.httpAddress);
                        RawHttpCaller second = new RawHttpCaller(small.httpAddress)) {
                    for (RawHttpCaller each : List.of(first, second)) {
                        Call half = new Call("pack", "[B", (Object) new byte[4_000_000]);
                        each.write(half.head() + "content-length: " + half.frame().length + "\r\n\r\n");
                        each.write(new byte[1_000_000]);
                    }
                    assertThat(other.call(Call.sell("tea")).result()).isEqualTo("shanghai:tea");
                    CompletableFuture<Object> answered = CompletableFuture.anyOf(read(first), read(second));
                    assertThat(answered)
                            .succeedsWithin(Duration.ofSeconds(10))
                            .asInstanceOf(InstanceOfAssertFactories.type(Answer.class))
                            .extracting(Answer::refused, InstanceOfAssertFactories.STRING)
                            .startsWith("shanghai;busy");
                    assertThat(other.call(Call.sell("tea")).result()).isEqualTo("shanghai:tea");
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });

            assertThat(peak).isLessThan(3_000_000);
            await().until(() -> small.buffered().bytes() == 0);
        }
    }

    private static CompletableFuture<Answer> read(RawHttpCaller caller) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return caller.read();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Test
    void tellsTheAudit_byWhichTunnelACallCame() throws IOException {
        try (AuditTrail trail = new AuditTrail();
                GuardedIsland audited = new GuardedIsland("highway.audit.enabled", "true");
                RawHttpCaller other = new RawHttpCaller(audited.httpAddress)) {
            assertThat(other.call(Call.sell("tea")).result()).isEqualTo("shanghai:tea");

            assertThat(trail.awaitEnds("in", 1).get(0).toString())
                    .contains("\"tunnel\":\"http\"", "\"gateway\":\"127.0.0.1\"");
        }
    }

    @Test
    void verifiesSignatures_whereTheyAreDemanded() throws IOException {
        try (GuardedIsland strict = new GuardedIsland("highway.sign.accept.k", "secret");
                RawHttpCaller other = new RawHttpCaller(strict.httpAddress)) {
            assertThat(other.call(Call.sell("tea")).attachments().get("highway-refused"))
                    .asString()
                    .startsWith("shanghai;unsigned");
            Call forged = Call.sell("tea").header("highway-call-id", null);
            forged.route("highway-sign", SIGN.formatted("A".repeat(22)));
            assertThat(other.call(forged).attachments().get("highway-refused"))
                    .asString()
                    .startsWith("shanghai;unknown-key");
            assertThat(strict.shop.received).isEmpty();
        }
    }

    /** It may be a bomb. */
    @Test
    void checksTheHeaders_beforeItInflatesABody() throws IOException {
        try (GuardedIsland strict = new GuardedIsland("highway.sign.accept.k", "secret");
                RawHttpCaller other = new RawHttpCaller(strict.httpAddress)) {
            Call compressed = Call.sell("tea").header("highway-encoding", "gzip");
            compressed.body = new byte[] {1, 2, 3}; // no gzip

            assertThat(other.call(compressed).refused()).startsWith("shanghai;unsigned");
        }
    }

    @Test
    void answersCalls_besideIdleConnections() throws IOException {
        assertServes_besideIdleConnections(500, false);
    }

    @Test
    @Tag("long")
    @Timeout(180)
    void answersCalls_besideThousandsOfIdleConnections_whichEnd() throws IOException {
        assertServes_besideIdleConnections(5_000, true);
    }

    /** Half of them after an answer, and half within a head. */
    private static void assertServes_besideIdleConnections(int count, boolean awaitsEnd) throws IOException {
        List<Socket> sockets = new ArrayList<>();
        try (GuardedIsland island = new GuardedIsland();
                RawHttpCaller other = new RawHttpCaller(island.httpAddress)) {
            int colon = island.httpAddress.lastIndexOf(':');
            List<RawHttpCaller> idle = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                sockets.add(new Socket("127.0.0.1", Integer.parseInt(island.httpAddress.substring(colon + 1))));
                idle.add(new RawHttpCaller(sockets.get(i)));
                sockets.get(i).setSoTimeout(100_000);
                if (i % 2 == 0) {
                    assertThat(health(idle.get(i))).contains(" 204 ");
                } else {
                    idle.get(i).write("POST /highway/shang");
                }
                if (i % 10 == 0) {
                    assertThat(other.call(Call.sell("tea" + i)).result()).isEqualTo("shanghai:tea" + i);
                }
            }
            for (RawHttpCaller each : awaitsEnd ? idle : List.<RawHttpCaller>of()) {
                assertThat(each.read()).isNull();
            }
        } finally {
            for (Socket each : sockets) {
                each.close();
            }
        }
    }

    /** Tells on which thread a set of it is built. */
    static final class Hashed implements Serializable {

        private static final long serialVersionUID = 1L;
        private static final List<String> THREADS = new CopyOnWriteArrayList<>();

        @Override
        public int hashCode() {
            THREADS.add(Thread.currentThread().getName());
            return 1;
        }

        @Override
        public boolean equals(Object other) {
            return other == this;
        }
    }

    @Test
    void decodesOnTheThreadsOfTheService() throws Exception {
        int port = FreePorts.next();
        ExecutorService ofShop = Executors.newFixedThreadPool(1, new NamedThreadFactory("of-the-shop"));
        try (TestApplication provider = new TestApplication(
                "shanghai",
                Map.of(
                        "highway.island",
                        "shanghai",
                        "highway.http.port",
                        String.valueOf(port),
                        "dubbo.application.serialize-check-status",
                        "DISABLE"))) {
            provider.listen("tri");
            provider.export(Shop.class, new ShopKeeper("shanghai"), service -> {
                        service.setGroup("blue");
                        service.setVersion("2.0.0");
                        service.setExecutor(ofShop);
                    })
                    .start();
            Call call = new Call("$echo", "Ljava/lang/Object;", new HashSet<>(Set.of(new Hashed())))
                    .header("tri-service-group", "blue")
                    .header("tri-service-version", "2.0.0");
            call.attachments.putAll(Map.of("group", "blue", "version", "2.0.0"));
            try (RawHttpCaller caller = new RawHttpCaller("127.0.0.1:" + port)) {
                byte[] bytes = call.bytes();
                Hashed.THREADS.clear();
                assertThat(caller.write(bytes).read().result()).isInstanceOf(Set.class);
                assertThat(Hashed.THREADS).isNotEmpty().first().asString().startsWith("of-the-shop");

                call = Call.sell("tea").header("tri-service-group", "red");
                call.attachments.putAll(Map.of("group", "blue", "version", "2.0.0"));
                assertThat(caller.call(call).result()).asString().contains("HIGHWAY-REFUSED:mismatch");
            }
        } finally {
            ofShop.shutdownNow();
        }
    }

    @Test
    void servesAfterTls() throws Exception {
        Authority authority = new Authority("authority", folder);
        Identity own = authority.identity("provider", "shanghai.test");
        try (GuardedIsland secured = new GuardedIsland(
                "dubbo.ssl.server-key-cert-chain-path",
                own.certificate().toString(),
                "dubbo.ssl.server-private-key-path",
                own.privateKey().toString())) {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
            int colon = secured.httpAddress.lastIndexOf(':');
            try (RawHttpCaller other = new RawHttpCaller(context.getSocketFactory()
                    .createSocket("127.0.0.1", Integer.parseInt(secured.httpAddress.substring(colon + 1))))) {
                for (int i = 0; i < 3; i++) {
                    assertThat(other.call(Call.sell("tea")).result()).isEqualTo("shanghai:tea");
                }
                byte[] content = new byte[1_000_000];
                assertThat(other.call(new Call("pack", "[B", (Object) content)).result())
                        .isEqualTo(content);
            }
        }
    }

    @Test
    void serves_whereOnlyDubboIsExported() throws Exception {
        Authority authority = new Authority("authority", folder);
        Identity own = authority.identity("provider", "shanghai.test");
        int port = FreePorts.next();
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        try (TestApplication provider = new TestApplication(
                "shanghai",
                Map.of(
                        "highway.island",
                        "shanghai",
                        "highway.http.port",
                        String.valueOf(port),
                        "dubbo.ssl.server-key-cert-chain-path",
                        own.certificate().toString(),
                        "dubbo.ssl.server-private-key-path",
                        own.privateKey().toString()))) {
            provider.listen("dubbo");
            provider.export(Shop.class, new ShopKeeper("shanghai"), service -> {})
                    .start();
            try (RawHttpCaller other =
                    new RawHttpCaller(context.getSocketFactory().createSocket("127.0.0.1", port))) {
                assertThat(other.call(Call.sell("tea")).result()).isEqualTo("shanghai:tea");
            }
        }
        assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> new RawHttpCaller("127.0.0.1:" + port));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nhost: shanghai.test\r\n\r\n",
                "POST /highwayman HTTP/1.1\r\nhost: shanghai.test\r\ncontent-length: 0\r\n\r\n",
                "GET / HTTP/1.1\r\nhost: shanghai.test\r\nconnection: upgrade, http2-settings\r\nupgrade: h2c\r\n"
                        + "http2-settings: AAMAAABkAAQAAP__\r\n\r\n",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            })
    void servesNothingElse_onItsOwnPort(String other) throws IOException {
        int port = FreePorts.next();
        try (TestApplication provider = dubboProvider(new FrameworkModel(), port)) {
            provider.start();
            try (RawHttpCaller first = new RawHttpCaller("127.0.0.1:" + port);
                    RawHttpCaller later = new RawHttpCaller("127.0.0.1:" + port)) {
                Answer answer = first.write(other).read();
                assertThat(answer.status()).containsAnyOf(" 404 ", " 400 ");
                assertThat(health(later)).contains(" 204 ");
                assertThat(later.write(other).read().status()).containsAnyOf(" 404 ", " 400 ");
                assertThat(later.read()).isNull();
            }
        }
    }

    private static TestApplication dubboProvider(FrameworkModel framework, int httpPort, String... keysAndValues) {
        Map<String, String> keys =
                new HashMap<>(Map.of("highway.island", "shanghai", "highway.http.port", String.valueOf(httpPort)));
        for (int i = 0; i < keysAndValues.length; i += 2) {
            keys.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        TestApplication provider = new TestApplication(framework, "shanghai", keys);
        provider.listen("dubbo");
        return provider.export(Shop.class, new ShopKeeper("shanghai"), service -> {});
    }

    private static void assertServes(int port) throws IOException {
        try (RawHttpCaller other = new RawHttpCaller("127.0.0.1:" + port)) {
            assertThat(other.call(Call.sell("tea")).result()).isEqualTo("shanghai:tea");
        }
    }

    private static void assertRefusesToStart(TestApplication provider, String problem) {
        assertThatThrownBy(provider::start)
                .hasStackTraceContaining("HighwayConfigurationException: highway.http.port: ")
                .hasStackTraceContaining(problem);
    }

    @Test
    void opensItsOwnPort_whateverServerTheProtocolHas() throws IOException {
        int port = FreePorts.next();
        try (TestApplication provider = dubboProvider(
                new FrameworkModel(),
                port,
                "dubbo.protocols.dubbo.server",
                "netty",
                "dubbo.protocols.dubbo.transporter",
                "netty",
                "dubbo.protocols.dubbo.codec",
                "dubbo")) {
            provider.start();
            assertServes(port);
        }
    }

    @Test
    void failsToStart_whereItsOwnPortCannotBeOpened() throws IOException {
        try (ServerSocket taken = new ServerSocket(0);
                TestApplication provider = dubboProvider(new FrameworkModel(), taken.getLocalPort())) {
            assertRefusesToStart(provider, "port " + taken.getLocalPort() + " cannot be opened: ");
        }
    }

    @Test
    void failsToStart_whereAnotherProtocolHasThePort() {
        try (TestApplication provider = new TestApplication("shanghai", Map.of("highway.island", "shanghai"))) {
            String address = provider.listen("tri");
            String port = address.substring(address.lastIndexOf(':') + 1);
            provider.model().modelEnvironment().updateAppConfigMap(Map.of("highway.http.port", port));
            provider.export(Shop.class, new ShopKeeper("shanghai"), service -> {});

            assertRefusesToStart(provider, "\"" + port + "\" is also the port of the protocol tri");
        }
    }

    @Test
    void letsOneApplicationOpenAPort_andTheNextOnceItHasEnded() throws IOException {
        FrameworkModel framework = new FrameworkModel();
        int port = FreePorts.next();
        try (TestApplication first = dubboProvider(framework, port).start()) {
            assertRefusesToStart(
                    dubboProvider(framework, port), "another application of this process has opened port " + port);
            assertServes(port);

            first.stop();
            dubboProvider(framework, port).start();
            assertServes(port);
        }
    }

    @Test
    void servesTheServicesOfItsOwnApplicationOnly() throws IOException {
        FrameworkModel framework = new FrameworkModel();
        int port = FreePorts.next();
        int otherPort = FreePorts.next();
        try (TestApplication receiving = dubboProvider(framework, port);
                TestApplication other = new TestApplication(
                        framework,
                        "shanghai",
                        Map.of("highway.island", "shanghai", "highway.http.port", String.valueOf(otherPort)))) {
            receiving.start();
            other.listen("tri");
            other.export(Feed.class, new ShopKeeper("shanghai"), service -> {}).start();
            try (RawHttpCaller caller = new RawHttpCaller("127.0.0.1:" + otherPort)) {
                assertThat(caller.call(Call.sell("tea")).refused()).contains("it is not exported on this port");
            }
            assertServes(port);
        }
    }

    @Test
    void leavesNothingBehind_whereAnExportFails() throws IOException {
        int port = FreePorts.next();
        try (ServerSocket taken = new ServerSocket(0);
                TestApplication provider =
                        dubboProvider(new FrameworkModel(), port).start();
                RawHttpCaller caller = new RawHttpCaller("127.0.0.1:" + port)) {
            ServiceConfig<Shop> blue = new ServiceConfig<>(provider.model().getDefaultModule());
            blue.setInterface(Shop.class);
            blue.setRef(new ShopKeeper("blue"));
            blue.setGroup("blue");
            blue.setRegistry(new RegistryConfig("N/A"));
            blue.setProtocol(new ProtocolConfig("dubbo", taken.getLocalPort()));
            assertThatThrownBy(blue::export).isNotNull();

            Call call = Call.sell("tea");
            call.attachments.put("group", "blue");
            assertThat(caller.call(call).refused()).contains("it is not exported on this port");
        }
    }

    @Test
    void runsNothing_onThePortOfTriple() throws IOException {
        try (GuardedIsland plain = new GuardedIsland();
                RawHttpCaller other = new RawHttpCaller(plain.tripleAddress)) {
            Answer answer = other.write(Call.sell("tea").bytes()).read();

            assertThat(answer == null
                            || answer.status().contains(" 404 ")
                            || answer.status().contains(" 415 "))
                    .as("%s", answer)
                    .isTrue();
            assertThat(plain.shop.received).isEmpty();
        }
    }

    @Test
    void runsNothing_onThePortOfDubboAndTriple() throws Exception {
        int port = FreePorts.next();
        try (TestApplication both = new TestApplication(
                "shanghai",
                Map.of(
                        "highway.island", "shanghai",
                        "highway.http.port", String.valueOf(port),
                        "dubbo.protocols.dubbo.ext-protocol", "tri,"))) {
            String address = both.listen("dubbo");
            both.export(Shop.class, new ShopKeeper("shanghai"), service -> {}).start();
            try (RawHttpCaller other = new RawHttpCaller(address);
                    RawCaller raw = new RawCaller(address)) {
                other.write(Call.sell("tea").bytes());
                assertThat(String.valueOf(other.read())).doesNotContain("shanghai:tea");
                for (Tunnel tunnel : Tunnel.values()) {
                    assertThat(raw.sell(tunnel, "orders", List.of())).contains("shanghai:tea");
                }
            }
            assertServes(port);
        }
    }
}

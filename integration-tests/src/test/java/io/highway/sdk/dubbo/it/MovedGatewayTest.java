// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayProbe;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.network.connection.ConnectionOpener;
import io.highway.sdk.dubbo.internal.network.connection.ConnectionPool;
import io.highway.sdk.dubbo.internal.network.connection.ConnectivityCheck;
import io.highway.sdk.dubbo.internal.network.connection.GatewayClients;
import io.highway.tools.fixtures.logs.CapturedLog;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A gateway's name leads to another address while the old one still serves, or has an address that does not. */
@Tag("network")
class MovedGatewayTest {

    private static final AtomicInteger accepted = new AtomicInteger();

    /** The number of the connection that the other address closes at once. */
    private static final AtomicInteger refused = new AtomicInteger();

    private static Star star;

    /** The same port of another address, which leads to the gateway. */
    private static ServerSocket moved;

    @BeforeAll
    static void start() throws IOException {
        star = new Star();
        int port = star.gateway().port();
        moved = new ServerSocket(port, 50, InetAddress.getByName("127.0.0.2"));
        relay(moved, port);
    }

    @AfterAll
    static void stop() throws IOException {
        star.close();
        moved.close();
    }

    private static List<InetAddress> addresses(String... ips) {
        return Stream.of(ips).map(MovedGatewayTest::address).toList();
    }

    private static InetAddress address(String ip) {
        try {
            return InetAddress.getByName(ip);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    /** To the same port of 127.0.0.1. */
    private static void relay(ServerSocket listener, int port) {
        Sockets.inBackground(() -> {
            while (true) {
                Socket client = listener.accept();
                if (accepted.incrementAndGet() == refused.get()) {
                    client.close();
                    continue;
                }
                Socket onward = new Socket("127.0.0.1", port);
                Sockets.relay(client, onward);
            }
        });
    }

    @AfterEach
    void accept() {
        refused.set(0);
    }

    /** The connection moves after the next look. */
    @Test
    void isFollowed_thoughItRefusesTheFirstConnection() {
        accepted.set(0);
        TestApplication consumer = star.consumer(star.properties(Tunnel.DUBBO));
        Shop shop = shop(consumer);
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        look(consumer);
        refused.set(1);

        clients(consumer).resolver(host -> addresses("127.0.0.2"));

        await().until(() -> accepted.get() == 2);
        await().during(Duration.ofMillis(500)).until(() -> accepted.get() == 2);
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
    }

    /** The first addresses of the name are dead. */
    @ParameterizedTest
    @EnumSource
    void isReachedByTheFirstCall_atTheAddressThatWorks(TunnelKind tunnel) {
        TestApplication consumer = star.consumer(star.properties(tunnel));
        clients(consumer).resolver(host -> addresses("127.0.0.3", "127.0.0.4", "127.0.0.2"));
        Shop shop = shop(consumer);

        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");

        ConnectionOpener opener = HighwayRuntime.of(consumer.model())
                .destinations()
                .of("shanghai")
                .endpoints()
                .get(0)
                .connection()
                .opener();
        try (ConnectivityCheck check = new ConnectivityCheck(opener)) {
            assertThat(check.run())
                    .filteredOn(step -> step.name() == HighwayProbe.Step.Name.CONNECT)
                    .singleElement()
                    .satisfies(step -> assertThat(step.detail()).startsWith("127.0.0.2 port "));
        }
    }

    /** The first address of the name is one of something that accepts connections only. */
    @ParameterizedTest
    @CsvSource({ // a listener keeps its port for a moment
        "DUBBO, true, 127.0.0.5",
        "TRIPLE, true, 127.0.0.6",
        "DUBBO, false, 127.0.0.7",
        "TRIPLE, false, 127.0.0.8"
    })
    void isReached_atTheAddressThatAnswers(Tunnel tunnel, boolean closes, String first) throws IOException {
        try (ServerSocket useless = new ServerSocket(star.gateway().port(), 50, InetAddress.getByName(first))) {
            Sockets.inBackground(() -> {
                while (true) {
                    Socket client = useless.accept();
                    if (closes) {
                        client.close();
                    }
                }
            });
            TestApplication consumer =
                    star.consumer(star.properties(tunnel, "highway.gateways.connect-timeout", "500ms"));
            clients(consumer).resolver(host -> addresses(first, "127.0.0.2"));
            Shop shop = shop(consumer);

            await().ignoreExceptions().until(() -> shop.sell("tea").equals("shanghai:tea"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void isDownWithTheCauseForAllItsAddresses_whichIsLoggedOnce(Tunnel tunnel) {
        TestApplication consumer = star.consumer(star.properties(tunnel));
        clients(consumer).resolver(host -> addresses("127.0.0.4", "127.0.0.3"));
        try (CapturedLog log = new CapturedLog()) {
            Shop shop = shop(consumer);
            await().untilAsserted(() -> assertThatThrownBy(() -> shop.sell("tea"))
                    .hasMessageContaining("Connection refused (127.0.0.3, 127.0.0.4 port "));

            await().during(Duration.ofSeconds(1))
                    .until(() -> log.ofSdk("is down (").size() <= 2);
        }
    }

    /** A name of many addresses, of which DNS tells one at a time. */
    @Test
    void isNotFollowed_whileTheNameLeadsToTheConnectionNowAndThen() {
        accepted.set(0);
        TestApplication consumer = star.consumer(star.properties(Tunnel.TRIPLE));
        assertThat(shop(consumer).sell("tea")).isEqualTo("shanghai:tea");
        AtomicInteger looks = new AtomicInteger();
        clients(consumer).resolver(host -> addresses(looks.incrementAndGet() % 10 == 0 ? "127.0.0.1" : "127.0.0.2"));

        look(consumer);

        await().until(() -> looks.get() > 15);
        assertThat(accepted).hasValue(0);
    }

    private static Shop shop(TestApplication consumer) {
        Shop shop = consumer.reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo))
                .get();
        return Highway.to("shanghai").bind(Shop.class, shop);
    }

    private static GatewayClients clients(TestApplication consumer) {
        return GatewayClients.of(consumer.model().getFrameworkModel());
    }

    private static void look(TestApplication consumer) {
        consumer.model().getBeanFactory().getBean(ConnectionPool.class).look(Duration.ofMillis(50));
    }

    @ParameterizedTest
    @EnumSource
    void isFollowed_andNoCallIsLost(Tunnel tunnel) throws Exception {
        accepted.set(0);
        TestApplication consumer = star.consumer(star.properties(tunnel, "highway.islands.shanghai.timeout", "60s"));
        Shop shop = shop(consumer);
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        GatewayClients clients = clients(consumer);
        look(consumer);
        CompletableFuture<String> inFlight = CompletableFuture.supplyAsync(() -> shop.slow(30_000));

        try (CapturedLog log = new CapturedLog();
                Callers callers = new Callers(shop, Callers.CallForm.SYNC)) {
            callers.awaitMoreOfEach(10);

            clients.resolver(host -> addresses("127.0.0.2"));

            await().until(() -> accepted.get() > 0);
            callers.awaitMoreOfEach(50);
            assertThat(inFlight).isNotDone();
            star.shanghai.shop.hurry();
            assertThat(inFlight.get(10, TimeUnit.SECONDS)).isEqualTo("shanghai:30000");
            assertThat(log.ofSdk("INFO", "new calls use a new connection")).hasSize(1);

            clients.resolver(host -> addresses("127.0.0.3")); // where nothing listens

            await().until(() ->
                    !log.ofSdk("WARN", "no new connection can be made (").isEmpty());
            callers.awaitMoreOfEach(100);
            assertThat(log.ofSdk("WARN", "no new connection can be made (")).hasSize(1);

            clients.resolver(host -> List.of());
            callers.awaitMoreOfEach(100);
            callers.assertNothingFailed();
        }
    }
}

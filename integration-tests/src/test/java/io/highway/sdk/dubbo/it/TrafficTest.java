// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.data.Percentage.withPercentage;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.caller.endpoint.Destinations;
import io.highway.sdk.dubbo.internal.network.connection.GatewayClients;
import io.highway.sdk.dubbo.internal.network.connection.IslandTraffic;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.fixtures.faults.FaultyLinks;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The bytes that are counted for an island are those on the wire. */
@Tag("network")
class TrafficTest {

    private static final int CALLS = 40;

    private final FaultyLinks links = new FaultyLinks();
    private Star star;
    private FaultyLink link;
    private TestApplication consumer;
    private Shop shop;

    @BeforeEach
    void start() {
        star = new Star();
        link = links.link(0, star.gateway().port());
    }

    @AfterEach
    void stop() {
        star.close();
        links.close();
    }

    private void refer(Tunnel tunnel, String... more) {
        Map<String, String> properties = star.properties(tunnel, more);
        properties.put("highway.heartbeat.interval", "none");
        properties.put("highway.gateways." + tunnel.key(), "gateway.zhejiang.test:" + link.port());
        consumer = star.consumer(properties);
        shop = consumer.reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo))
                .get();
    }

    private IslandTraffic.Bytes bytes(Tunnel tunnel, String island) {
        return GatewayClients.of(consumer.model().getFrameworkModel())
                .traffic(TunnelKind.valueOf(tunnel.name()), TrafficClass.INTERACTIVE)
                .count(island);
    }

    private byte[] content() {
        byte[] content = new byte[20_000];
        new Random(1).nextBytes(content);
        return content;
    }

    @ParameterizedTest
    @CsvSource({
        "DUBBO, none, false",
        "TRIPLE, none, false",
        "TRIPLE, gzip, false",
        "DUBBO, none, true",
        "TRIPLE, none, true"
    })
    void countsWhatIsOnTheWire(Tunnel tunnel, String compression, boolean bytewise) throws Exception {
        if (bytewise) { // frames come in parts
            link.bytewise();
        }
        refer(tunnel, "highway.defaults.compression", compression);
        IslandTraffic.Bytes shanghai = bytes(tunnel, "shanghai");
        IslandTraffic.Bytes beijing = bytes(tunnel, "beijing");
        byte[] content = compression.equals("none") ? content() : new byte[20_000];
        Highway.to("shanghai").call(() -> shop.pack(content)); // connected
        long sentBefore = link.traffic().toTarget().sum();
        long receivedBefore = link.traffic().toClients().sum();
        long outBefore = shanghai.sent();
        long inBefore = shanghai.received();

        CompletableFuture<?>[] calls = IntStream.range(0, bytewise ? 4 : CALLS)
                .mapToObj(i ->
                        CompletableFuture.runAsync(() -> Highway.to("shanghai").run(() -> shop.pack(content))))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(calls).get(60, TimeUnit.SECONDS);

        long sent = link.traffic().toTarget().sum() - sentBefore;
        long received = link.traffic().toClients().sum() - receivedBefore;
        assertThat(shanghai.sent() - outBefore).as("out").isCloseTo(sent, withPercentage(3));
        assertThat(shanghai.received() - inBefore).as("in").isCloseTo(received, withPercentage(3));
        assertThat(beijing.sent() + beijing.received()).isZero();
    }

    /** Calls that wait for a stream count as others. */
    @Test
    void countsWhatIsOnTheWire_whereTheGatewayAllowsFewStreams() throws Exception {
        TestApplication narrow = star.closing(new TestApplication(
                "shanghai",
                Map.of( // as Dubbo 3.3 calls it, and 3.2
                        "highway.island", "shanghai",
                        "dubbo.protocol.triple.max-concurrent-streams", "2",
                        "dubbo.rpc.tri.max-concurrent-streams", "2")));
        String address = narrow.listen("tri");
        narrow.export(Shop.class, new ShopKeeper("shanghai"), service -> {}).start();
        link = links.link(0, Integer.parseInt(address.substring(address.indexOf(':') + 1)));
        refer(Tunnel.TRIPLE, "highway.defaults.timeout", "20s");
        IslandTraffic.Bytes shanghai = bytes(Tunnel.TRIPLE, "shanghai");
        byte[] content = content();
        Highway.to("shanghai").call(() -> shop.pack(content)); // connected
        long sentBefore = link.traffic().toTarget().sum();
        long receivedBefore = link.traffic().toClients().sum();
        long outBefore = shanghai.sent();
        long inBefore = shanghai.received();

        ExecutorService callers = Executors.newFixedThreadPool(8);
        try {
            CompletableFuture<?>[] calls = IntStream.range(0, CALLS)
                    .mapToObj(i -> CompletableFuture.runAsync(
                            () -> Highway.to("shanghai").run(() -> shop.pack(content)), callers))
                    .toArray(CompletableFuture<?>[]::new);
            CompletableFuture.allOf(calls).get(60, TimeUnit.SECONDS);
        } finally {
            callers.shutdownNow();
        }

        long sent = link.traffic().toTarget().sum() - sentBefore;
        long received = link.traffic().toClients().sum() - receivedBefore;
        assertThat(shanghai.sent() - outBefore).as("out").isCloseTo(sent, withPercentage(3));
        assertThat(shanghai.received() - inBefore).as("in").isCloseTo(received, withPercentage(3));
    }

    @ParameterizedTest
    @EnumSource
    void tellsIslandsApart_onOneConnection(Tunnel tunnel) {
        refer(tunnel);
        IslandTraffic.Bytes shanghai = bytes(tunnel, "shanghai");
        IslandTraffic.Bytes beijing = bytes(tunnel, "beijing");

        Highway.to("shanghai").call(() -> shop.pack(content()));
        Highway.to("beijing").call(() -> shop.sell("tea"));

        assertThat(shanghai.sent()).isBetween(20_000L, 21_000L);
        assertThat(shanghai.received()).isBetween(20_000L, 21_000L);
        assertThat(beijing.sent()).isBetween(100L, 1000L);
        assertThat(beijing.received()).isBetween(10L, 1000L);
    }

    /** The next call counts, over the open connection, although a part of an answer has just come. */
    @ParameterizedTest
    @EnumSource
    void parsesNothing_untilAnIslandIsCounted(Tunnel tunnel) throws Exception {
        refer(tunnel);
        Highway.to("shanghai").call(() -> shop.sell("tea")); // connected
        Channel connection = consumer.newestConnection("shanghai");
        CompletableFuture<Void> hasPart = new CompletableFuture<>();
        connection.pipeline().addFirst(new ChannelInboundHandlerAdapter() {
            private int received;

            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                received += ((ByteBuf) message).readableBytes();
                if (received > 5000) {
                    hasPart.complete(null);
                }
                context.fireChannelRead(message);
            }
        });
        link.limit(40_000);
        CompletableFuture<?> before =
                CompletableFuture.runAsync(() -> Highway.to("shanghai").run(() -> shop.pack(content())));
        hasPart.get(20, TimeUnit.SECONDS);
        assertThat(parsers(connection)).isZero();

        IslandTraffic.Bytes shanghai = bytes(tunnel, "shanghai");
        Highway.to("shanghai").call(() -> shop.pack(content()));

        before.get(20, TimeUnit.SECONDS);
        assertThat(consumer.newestConnection("shanghai")).isSameAs(connection);
        boolean isTriple = tunnel == Tunnel.TRIPLE;
        assertThat(parsers(connection)).isEqualTo(isTriple ? 1 : 0);
        assertThat(shanghai.sent()).isBetween(20_000L, 21_000L);
        // a frame of Dubbo counts when it is whole, so the answer before may count too
        assertThat(shanghai.received()).isBetween(20_000L, isTriple ? 21_000L : 42_000L);
    }

    private static long parsers(Channel connection) {
        return connection.pipeline().toMap().values().stream()
                .filter(handler -> handler.getClass().getName().contains(".IslandTrafficCounter$"))
                .count();
    }

    @ParameterizedTest
    @EnumSource
    void countsCallsInFlight_whereTheyAreNotLimited(Tunnel tunnel) {
        refer(tunnel);
        Destinations destinations = HighwayRuntime.of(consumer.model()).destinations();
        CompletableFuture<?> call =
                CompletableFuture.runAsync(() -> Highway.to("shanghai").run(() -> shop.slow(3000)));

        await().atMost(Duration.ofSeconds(20))
                .until(() -> destinations.of("shanghai").inFlight() == 1);
        assertThat(destinations.of("beijing").inFlight()).isZero();
        await().until(() -> {
            star.shanghai.shop.hurry();
            return call.isDone();
        });
        catchThrowable(() -> call.get(20, TimeUnit.SECONDS));
        await().atMost(Duration.ofSeconds(20))
                .until(() -> destinations.of("shanghai").inFlight() == 0);
    }
}

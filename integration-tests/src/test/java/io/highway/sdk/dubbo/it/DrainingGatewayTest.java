// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.caller.endpoint.Destination;
import io.highway.sdk.dubbo.internal.network.connection.ConnectionPool;
import io.highway.sdk.dubbo.internal.network.connection.ReconnectingLink;
import io.highway.tools.fixtures.ports.FreePorts;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.RpcContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A gateway that ends its HTTP/2 connections by GOAWAY and accepts new ones, as nginx does at a reload and after
 * {@code keepalive_requests}.
 */
@Tag("network")
class DrainingGatewayTest {

    private static final int LONG_MILLIS = 3000;

    /** As tools/gateways/install.sh installs it. */
    private static final Path NGINX = Path.of("/usr/sbin/nginx");

    private static Star star;

    @BeforeAll
    static void start() {
        star = new Star();
    }

    @AfterAll
    static void stop() {
        star.close();
    }

    private static Map<String, String> properties(String address) {
        return star.properties(
                Tunnel.TRIPLE,
                "highway.gateways.triple",
                address,
                "highway.heartbeat.interval",
                "none",
                "highway.defaults.timeout",
                "10s");
    }

    private static String address(RawTriplePeer peer) {
        return "gateway.zhejiang.test:" + peer.port();
    }

    private static Shop shop(String address) {
        Shop shop = star.reference(Shop.class, properties(address), config -> {});
        return Highway.to("shanghai").bind(Shop.class, shop);
    }

    static void answer(ChannelHandlerContext stream, String text) {
        RawTriplePeer.write(stream, RawTriplePeer.begin(), false);
        RawTriplePeer.message(stream, text);
        RawTriplePeer.write(stream, new DefaultHttp2Headers().set("grpc-status", "0"), true);
        stream.flush();
    }

    @Test
    void deliversTheCallInFlight_andAllOthers() throws Exception {
        try (RawTriplePeer peer = new RawTriplePeer("gateway.zhejiang.test")) {
            CompletableFuture<ChannelHandlerContext> first = new CompletableFuture<>();
            peer.answer = stream -> {
                if (!first.complete(stream)) {
                    answer(stream, "tea");
                }
            };
            Shop shop = shop(address(peer));
            CompletableFuture<String> inFlight = CompletableFuture.supplyAsync(() -> shop.sell("slow"));
            ChannelHandlerContext late = first.get(20, TimeUnit.SECONDS);

            try (Callers callers = new Callers(shop, Callers.CallForm.SYNC)) {
                for (int i = 0; i < 3; i++) {
                    peer.drain();
                    callers.awaitMoreOfEach(50);
                }
                assertThat(inFlight).isNotDone();
                late.executor().execute(() -> answer(late, "late"));
                assertThat(inFlight.get(10, TimeUnit.SECONDS)).isEqualTo("late");
                callers.awaitMoreOfEach(50);
                callers.assertNothingFailed();
            }
        }
    }

    /** It had come before its GOAWAY, and the next connection is up before the caller learns of it. */
    @Test
    void sendsACallAgain_thatItDidNotForward() throws Exception {
        try (RawTriplePeer peer = new RawTriplePeer("gateway.zhejiang.test")) {
            peer.answer = stream -> answer(stream, "tea");
            Shop shop = shop(address(peer));
            assertThat(shop.sell("tea")).isEqualTo("tea"); // so that the next one waits for no connection
            CompletableFuture<ChannelHandlerContext> first = new CompletableFuture<>();
            peer.answer = stream -> {
                if (!first.complete(stream)) {
                    answer(stream, "tea");
                }
            };
            CompletableFuture<String> refused = CompletableFuture.supplyAsync(() -> shop.sell("tea"));
            ChannelHandlerContext late = first.get(20, TimeUnit.SECONDS);
            peer.drain();
            assertThat(shop.sell("tea")).isEqualTo("tea"); // over the next connection

            late.executor().execute(() -> refuse(late));

            assertThat(refused.get(10, TimeUnit.SECONDS)).isEqualTo("tea");
        }
    }

    @Test
    void sendsACallAgain_whileAnotherGatewayRefusesCalls() throws Exception {
        try (RawTriplePeer sick = new RawTriplePeer("gateway.zhejiang.test");
                RawTriplePeer peer = new RawTriplePeer("gateway.zhejiang.test")) {
            peer.answer = stream -> answer(stream, "tea");
            Shop shop = shop(address(sick) + "," + address(peer));
            await().until(() -> sick.accepted.get() > 0 && peer.accepted.get() > 0);
            await().until(
                            () -> { // its breaker opens
                                List<CompletableFuture<String>> calls = IntStream.range(0, 60)
                                        .mapToObj(i -> {
                                            RpcContext.getClientAttachment().setAttachment("timeout", "300");
                                            return shop.sellLater("tea");
                                        })
                                        .toList();
                                calls.forEach(call ->
                                        call.handle((answer, failure) -> "").join());
                                return sick.executed.get() >= 20;
                            });

            peer.refusesNext.set(true);
            assertThat(shop.sell("tea")).isEqualTo("tea");
        }
    }

    /** Another process of the gateway, which is about to drain, may have accepted it, and does not say so any more. */
    @Test
    void replacesTheNextConnectionOnce() {
        try (RawTriplePeer peer = new RawTriplePeer("gateway.zhejiang.test")) {
            peer.answer = stream -> answer(stream, "tea");
            Shop shop = shop(address(peer));

            try (Callers callers = new Callers(shop, Callers.CallForm.SYNC)) {
                callers.awaitMoreOfEach(10);
                peer.drain();

                await().until(() -> peer.accepted.get() == 3);
                await().during(Duration.ofSeconds(2)).until(() -> peer.accepted.get() == 3);
                callers.assertNothingFailed();
            }
        }
    }

    private static void refuse(ChannelHandlerContext stream) {
        Http2Headers headers =
                RawTriplePeer.begin().set("grpc-status", "14").set("highway-not-forwarded", "shanghai;draining");
        RawTriplePeer.write(stream, headers, true);
        stream.flush();
    }

    /** Calls wait for the next connection, whatever attempts before this one have met. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void losesNoCall_afterItWasDown(boolean accepted) throws Exception {
        int port = FreePorts.next();
        ServerSocket useless = accepted ? useless(port) : new ServerSocket();
        Shop shop = shop("gateway.zhejiang.test:" + port);
        await().during(Duration.ofSeconds(2)).untilAsserted(() -> assertThatThrownBy(() -> shop.sell("tea"))
                .hasMessageContaining(accepted ? "closed the connection" : "refused"));
        useless.close();

        try (RawTriplePeer peer = RawTriplePeer.at("gateway.zhejiang.test", port)) {
            peer.answer = stream -> answer(stream, "tea");
            await().pollInterval(Duration.ofMillis(5)).ignoreExceptions().until(() -> shop.sell("tea")
                    .equals("tea"));

            try (Callers callers = new Callers(shop, Callers.CallForm.SYNC)) {
                for (int i = 0; i < 3; i++) {
                    peer.drain();
                    callers.awaitMoreOfEach(50);
                }
                callers.assertNothingFailed();
            }
        }
    }

    /** Accepts connections and closes them. */
    private static ServerSocket useless(int port) throws IOException {
        ServerSocket listener = new ServerSocket(port, 50, InetAddress.getByName("gateway.zhejiang.test"));
        Sockets.inBackground(() -> {
            while (true) {
                listener.accept().close();
            }
        });
        return listener;
    }

    /** A gateway that stops: no policy names it any more, and the call is delivered. */
    @Test
    void keepsTheConnectionOfTheCallInFlight_whenItRefusesOthers_andLeavesThePolicy() throws Exception {
        try (RawTriplePeer peer = new RawTriplePeer("gateway.zhejiang.test")) {
            CompletableFuture<ChannelHandlerContext> begun = new CompletableFuture<>();
            peer.answer = begun::complete;
            TestApplication application = star.consumer(properties(address(peer)));
            Shop shop = Highway.to("shanghai").bind(Shop.class, reference(application));
            CompletableFuture<String> inFlight = CompletableFuture.supplyAsync(() -> shop.sell("slow"));
            ChannelHandlerContext late = begun.get(20, TimeUnit.SECONDS);
            ReconnectingLink connection = gateway(application);
            ConnectionPool pool = application.model().getBeanFactory().getBean(ConnectionPool.class);

            peer.refuseConnections();
            peer.drain();
            await().until(() -> connection.problem().contains("refused"));
            pool.grace(Duration.ZERO);
            pool.retain(Set.of());

            await().during(Duration.ofSeconds(1)).until(() -> !connection.isClosed());
            late.executor().execute(() -> answer(late, "late"));
            assertThat(inFlight.get(5, TimeUnit.SECONDS)).isEqualTo("late");
            await().until(connection::isClosed);
        }
    }

    @Test
    void deliversTheCallInFlight_whenTheNextConnectionFallsSilent() throws Exception {
        try (RawTriplePeer peer = new RawTriplePeer("gateway.zhejiang.test")) {
            CompletableFuture<ChannelHandlerContext> begun = new CompletableFuture<>();
            peer.answer = stream -> {
                if (!begun.complete(stream)) {
                    answer(stream, "tea");
                }
            };
            TestApplication application = star.consumer(properties(address(peer)));
            Shop shop = Highway.to("shanghai").bind(Shop.class, reference(application));
            CompletableFuture<String> inFlight = CompletableFuture.supplyAsync(() -> {
                RpcContext.getClientAttachment().setAttachment("timeout", "30000");
                return shop.sell("slow");
            });
            ChannelHandlerContext late = begun.get(20, TimeUnit.SECONDS);
            ReconnectingLink used = gateway(application);
            peer.drain();
            assertThat(shop.sell("tea")).isEqualTo("tea"); // over the next connection
            assertThat(gateway(application)).isSameAs(used);
            assertThat(used.isUp()).isTrue();
            Object second = connection(application);

            peer.muteNewest();

            await().atMost(Duration.ofSeconds(20)).until(() -> connection(application) != second);
            await().ignoreExceptions().until(() -> shop.sell("tea").equals("tea"));
            assertThat(inFlight).isNotDone();
            late.executor().execute(() -> answer(late, "late"));
            assertThat(inFlight.get(5, TimeUnit.SECONDS)).isEqualTo("late");
        }
    }

    @Test
    void losesNoCall_thoughItEndsEachConnectionAfterFifty() {
        try (RawTriplePeer peer = new RawTriplePeer("gateway.zhejiang.test")) {
            peer.answer = stream -> answer(stream, "tea");
            peer.callsPerConnection = 50;
            Shop shop = shop(address(peer));
            AtomicInteger left = new AtomicInteger(4000);
            List<CompletableFuture<Void>> callers = IntStream.range(0, 16)
                    .mapToObj(i -> CompletableFuture.runAsync(
                            () -> {
                                while (left.getAndDecrement() > 0) {
                                    assertThat(shop.sell("tea")).isEqualTo("tea");
                                }
                            },
                            task -> new Thread(task).start()))
                    .toList();

            assertThat(callers).allSatisfy(caller -> assertThat(caller).succeedsWithin(Duration.ofSeconds(30)));
            assertThat(peer.executed).hasValue(4000);
            assertThat(peer.accepted).hasValueGreaterThanOrEqualTo(80);
        }
    }

    /** Its frames are on a connection that drains. */
    @Test
    void aStreamGoesOn_besideCallsOverTheNextConnection() throws Exception {
        try (RawTriplePeer peer = new RawTriplePeer("gateway.zhejiang.test")) {
            TestApplication application = star.consumer(properties(address(peer)));
            Feed shared = application
                    .reference(Feed.class, config -> {
                        config.setUrl("dubbo://" + star.homeDubbo);
                        config.setCheck(false);
                    })
                    .get();
            Feed feed = Highway.to("shanghai").bind(Feed.class, shared);
            peer.answer = stream -> {
                RawTriplePeer.write(stream, RawTriplePeer.begin(), false);
                RawTriplePeer.message(stream, "first");
            };
            peer.further = stream -> RawTriplePeer.message(stream, "further");
            Collected<String> old = new Collected<>();
            StreamObserver<String> questions = feed.join(old);
            questions.onNext("1");
            await().until(() -> old.values.size() == 1);
            peer.answer = stream -> answer(stream, "counted");

            peer.drain();

            await().ignoreExceptions()
                    .until(
                            () -> { // a stream that has begun is not sent again
                                Collected<String> moved = new Collected<>();
                                feed.count(1, moved);
                                return moved.all().equals(List.of("counted"));
                            });
            long begun = System.nanoTime();
            for (int i = 2; i < 12; i++) {
                CountDownLatch written = new CountDownLatch(1);
                Collected<String> next = new Collected<>();
                connection(application).eventLoop().execute(() -> awaitUninterruptibly(written));
                questions.onNext("more");
                feed.count(1, next);
                written.countDown();
                int expected = i;
                await().pollInterval(Duration.ofMillis(5)).until(() -> old.values.size() == expected);
                assertThat(next.all()).containsExactly("counted");
            }
            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .as("each would wait for the next PING, two seconds")
                    .isLessThan(Duration.ofSeconds(10));
            assertThat(old.done).isNotDone();
            assertThat(peer.accepted).hasValueGreaterThanOrEqualTo(2);
        }
    }

    /** With its default of 1000 requests per connection, too. */
    @Test
    @Tag("long")
    void deliversAllCalls_whileNginxReloads(@TempDir Path folder) throws Exception {
        assumeThat(NGINX).exists();
        int port = FreePorts.next();
        String[] command = nginx(folder, port);
        Process nginx = new ProcessBuilder(command).inheritIO().start();
        try {
            Shop shop = shop("gateway.zhejiang.test:" + port);
            await().ignoreExceptions().until(() -> shop.sell("tea").equals("shanghai:tea"));
            CompletableFuture<String> inFlight = CompletableFuture.supplyAsync(() -> shop.slow(LONG_MILLIS));
            try (Callers callers = new Callers(shop, Callers.CallForm.COMPLETABLE_FUTURE)) {
                for (int i = 0; i < 3; i++) {
                    String[] reload = Stream.concat(Stream.of(command), Stream.of("-s", "reload"))
                            .toArray(String[]::new);
                    assertThat(new ProcessBuilder(reload).inheritIO().start().waitFor())
                            .isZero();
                    callers.awaitMoreOfEach(150);
                }
                assertThat(inFlight.get(10, TimeUnit.SECONDS)).isEqualTo("shanghai:" + LONG_MILLIS);
                await().atMost(Duration.ofSeconds(20)).until(() -> callers.calls() > 2500);
                callers.assertNothingFailed();
            }
        } finally {
            nginx.destroy();
            assertThat(nginx.waitFor(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static String[] nginx(Path folder, int port) throws IOException {
        String provider = star.shanghai.tripleAddress.substring(star.shanghai.tripleAddress.indexOf(':'));
        Path file = folder.resolve("nginx.conf");
        String temporary = Stream.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
                .map(kind -> kind + "_temp_path " + folder + "/" + kind + ";")
                .collect(Collectors.joining("\n"));
        Files.writeString(
                file,
                """
                daemon off;
                worker_processes 1;
                pid %1$s/pid;
                events {}
                http {
                  access_log off;
                  %2$s
                  ignore_invalid_headers off;
                  underscores_in_headers on;
                  upstream shanghai { server 127.0.0.1%3$s; keepalive 64; }
                  server {
                    listen 127.0.0.1:%4$d http2;
                    location / { grpc_pass grpc://shanghai; grpc_next_upstream off; }
                  }
                }
                """
                        .formatted(folder, temporary, provider, port));
        return new String[] {NGINX.toString(), "-e", folder + "/error.log", "-c", file.toString()};
    }

    private static Shop reference(TestApplication application) {
        return application
                .reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo))
                .get();
    }

    private static ReconnectingLink gateway(TestApplication application) {
        Destination shanghai =
                HighwayRuntime.of(application.model()).destinations().of("shanghai");
        return shanghai.endpoints().get(0).connection();
    }

    private static Channel connection(TestApplication application) {
        return (Channel) gateway(application).opener().latestConnection();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            assertThat(latch.await(5, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

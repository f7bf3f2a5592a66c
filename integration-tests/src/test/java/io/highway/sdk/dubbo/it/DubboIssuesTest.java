// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.highway.tools.fixtures.certificates.Authority;
import io.highway.tools.fixtures.certificates.Identity;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SniHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.threadpool.ThreadlessExecutor;
import org.apache.dubbo.common.utils.JsonUtils;
import org.apache.dubbo.rpc.FutureContext;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.protocol.tri.compressor.DeCompressor;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What should hold of Dubbo, and does not with 3.3.6: docs/maintain/upstream.md links the text of an issue for each.
 * Without the SDK, and with {@code -Dupstream=true} only.
 */
@Tag("network")
@Tag("any-dubbo")
@EnabledIfSystemProperty(named = "upstream", matches = "true")
class DubboIssuesTest {

    private static final Map<String, String> PLAIN = Map.of("highway.enabled", "false");
    private static final String HOST = "gateway.zhejiang.test";

    /** {@code dubbo.protocol.triple.max-body-size}. */
    private static final int MOST_OF_A_BODY = 8 * 1024 * 1024;

    @Test
    void aTripleServer_startsTheConnectionWindowAtTheStandardSize() throws Exception {
        try (TestApplication provider = new TestApplication("shanghai", PLAIN)) {
            String[] address = provider.listen("tri").split(":", -1);
            provider.export(Shop.class, new ShopKeeper("shanghai"), service -> {})
                    .start();

            assertThat(TripleWindowTest.staysOpen(address[0], Integer.parseInt(address[1])))
                    .isTrue();
        }
    }

    @Test
    void aTripleReference_takesANewConnection_whileTheOldOneDrains() throws Exception {
        try (RawTriplePeer peer = new RawTriplePeer(HOST);
                TestApplication consumer = new TestApplication("zhejiang", PLAIN)) {
            CompletableFuture<ChannelHandlerContext> begun = new CompletableFuture<>();
            peer.answer = stream -> {
                if (!begun.complete(stream)) {
                    DrainingGatewayTest.answer(stream, "tea");
                }
            };
            Shop shop = consumer.reference(Shop.class, config -> {
                        config.setUrl("tri://" + HOST + ":" + peer.port());
                        config.setTimeout(20_000);
                    })
                    .get();
            CompletableFuture<String> inFlight = CompletableFuture.supplyAsync(() -> shop.sell("slow"));
            begun.get(10, TimeUnit.SECONDS);

            peer.drain();

            assertThat(CompletableFuture.supplyAsync(() -> shop.sell("tea")))
                    .succeedsWithin(Duration.ofSeconds(3))
                    .isEqualTo("tea");
            assertThat(inFlight).isNotDone();
        }
    }

    @Test
    void callsThatWriteAtATime_takeTurnsByWholeFrames() throws Exception {
        int bytes = 80 * 1024;
        try (RawTriplePeer peer = new RawTriplePeer(HOST);
                TestApplication consumer = new TestApplication("zhejiang", PLAIN)) {
            Shop shop = consumer.reference(Shop.class, config -> {
                        config.setUrl("tri://" + HOST + ":" + peer.port());
                        config.setTimeout(20_000);
                    })
                    .get();
            for (int i = 0; i < 20; i++) {
                CompletableFuture<byte[]> unanswered = CompletableFuture.supplyAsync(
                        () -> shop.pack(new byte[bytes]), task -> new Thread(task).start());
            }

            await().until(() -> peer.dataBytes.get() >= 20 * bytes);
            assertThat(peer.dataBytes.get() / peer.dataFrames.get()).isGreaterThan(8 * 1024);
        }
    }

    @Test
    void aMessage_isInflatedUpToALimit() {
        FrameworkModel framework = new FrameworkModel();
        try {
            DeCompressor gzip = DeCompressor.getCompressor(framework, "gzip");
            byte[] bomb = MessageBombs.of("gzip", 64 * 1024 * 1024);

            assertThatThrownBy(() -> gzip.decompress(bomb)).isInstanceOf(RuntimeException.class);
        } finally {
            framework.destroy();
        }
    }

    @Test
    void aRequestThatAsksForAnUpgrade_isBufferedUpToALimit() throws Exception {
        try (TestApplication provider = new TestApplication("shanghai", PLAIN)) {
            String[] address = provider.listen("tri").split(":", -1);
            provider.export(Shop.class, new ShopKeeper("shanghai"), service -> {})
                    .start();
            String head = "POST /" + Shop.class.getName() + "/sell HTTP/1.1\r\nhost: shanghai.test\r\n"
                    + "connection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n"
                    + "content-type: application/json\r\ncontent-length: " + 4 * MOST_OF_A_BODY + "\r\n\r\n";

            try (Socket socket = new Socket(address[0], Integer.parseInt(address[1]))) {
                socket.setSoTimeout(5_000);
                socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
                socket.getOutputStream().write(new byte[2 * MOST_OF_A_BODY]);

                assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                        .isEqualTo("HTTP/1.1 413");
            }
        }
    }

    @Test
    @EnabledForJreRange(minVersion = 24)
    void json_isFound_whereNotEveryLibraryIs() {
        assertThat(JsonUtils.toJson("")).isEqualTo("\"\"");
    }

    @Test
    void aWaitingThread_wakesUp_whenItsExecutorIsShutDown() {
        for (int round = 0; round < 1000; round++) {
            ThreadlessExecutor executor = new ThreadlessExecutor();
            FutureTask<Boolean> woken = new FutureTask<>(() -> {
                executor.waitAndDrain(System.nanoTime() + TimeUnit.SECONDS.toNanos(20));
                return true;
            });
            Thread waiting = new Thread(woken, "waiting");
            waiting.setDaemon(true);
            waiting.start();
            while (waiting.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }

            executor.shutdownNow();

            assertThat(woken).as("round " + round).succeedsWithin(Duration.ofSeconds(5));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dubbo", "tri"})
    void aThread_keepsNoAnswer_ofASynchronousCall(String protocol) throws Exception {
        try (TestApplication provider = new TestApplication("shanghai", PLAIN);
                TestApplication consumer = new TestApplication("zhejiang", PLAIN)) {
            String address = provider.listen(protocol);
            provider.export(Shop.class, new ShopKeeper("shanghai"), service -> {})
                    .start();
            Shop shop = consumer.reference(Shop.class, config -> config.setUrl(protocol + "://" + address))
                    .get();

            assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");

            assertThat(FutureContext.getContext().getCompletableFuture()).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dubbo", "tri"})
    void aTlsClient_namesItsServer_andAcceptsNoOther(String protocol, @TempDir Path folder) throws Exception {
        Authority authority = new Authority("authority", folder);
        Identity client = authority.identity("client");
        Map<String, String> properties = Map.of(
                "highway.enabled", "false",
                "dubbo.ssl.client-key-cert-chain-path", client.certificate().toString(),
                "dubbo.ssl.client-private-key-path", client.privateKey().toString(),
                "dubbo.ssl.client-trust-cert-collection-path",
                        authority.certificate().toString());
        try (TlsPeer right = new TlsPeer(authority.identity("right", HOST));
                TlsPeer wrong = new TlsPeer(authority.identity("wrong", "other.test"));
                TestApplication consumer = new TestApplication("zhejiang", properties)) {
            for (TlsPeer peer : List.of(right, wrong)) {
                consumer.reference(Shop.class, config -> {
                            config.setUrl(protocol + "://" + HOST + ":" + peer.port());
                            config.setCheck(false);
                        })
                        .get();
            }

            SoftAssertions.assertSoftly(expected -> {
                expected.assertThat(right.serverName)
                        .succeedsWithin(Duration.ofSeconds(10))
                        .isEqualTo(HOST);
                expected.assertThat(right.isAccepted)
                        .succeedsWithin(Duration.ofSeconds(10))
                        .isEqualTo(true);
                expected.assertThat(wrong.isAccepted)
                        .succeedsWithin(Duration.ofSeconds(10))
                        .isEqualTo(false);
            });
        }
    }

    /** A server that notes the first handshake. */
    private static final class TlsPeer implements AutoCloseable {

        final CompletableFuture<String> serverName = new CompletableFuture<>();
        final CompletableFuture<Boolean> isAccepted = new CompletableFuture<>();

        @SuppressWarnings("deprecation") // its successor is not in Netty 4.1
        private final NioEventLoopGroup loop = new NioEventLoopGroup(1);

        private final Channel listener;

        TlsPeer(Identity own) throws Exception {
            SslContext context = SslContextBuilder.forServer(
                            own.certificate().toFile(), own.privateKey().toFile())
                    .build();
            listener = new ServerBootstrap()
                    .group(loop)
                    .channel(NioServerSocketChannel.class)
                    .childHandler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel accepted) {
                            accepted.pipeline().addLast(new SniHandler((name, found) -> {
                                serverName.complete(String.valueOf(name));
                                return found.setSuccess(context);
                            }));
                            accepted.pipeline().addLast(new ChannelInboundHandlerAdapter() {
                                @Override
                                public void userEventTriggered(ChannelHandlerContext peer, Object event) {
                                    if (event instanceof SslHandshakeCompletionEvent handshake) {
                                        isAccepted.complete(handshake.isSuccess());
                                    }
                                }
                            });
                        }
                    })
                    .bind(InetAddress.getByName(HOST), 0)
                    .sync()
                    .channel();
        }

        int port() {
            return ((InetSocketAddress) listener.localAddress()).getPort();
        }

        @Override
        public void close() {
            listener.close();
            loop.shutdownGracefully();
        }
    }
}

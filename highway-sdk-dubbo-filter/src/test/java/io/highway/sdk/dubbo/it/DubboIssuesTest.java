// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.ChannelHandlerContext;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.protocol.tri.compressor.DeCompressor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * What should hold of Dubbo, and does not with 3.3.6: docs/maintain/upstream.md has the text of an issue for each. Without the SDK, and
 * with {@code -Dupstream=true} only.
 */
@Tag("network")
@Tag("any-dubbo")
@EnabledIfSystemProperty(named = "upstream", matches = "true")
class DubboIssuesTest {

    private static final Map<String, String> PLAIN = Map.of("highway.enabled", "false");
    private static final String HOST = "gateway.zhejiang.test";

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
}

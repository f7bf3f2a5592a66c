// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways.springcloud;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.web.embedded.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.cloud.gateway.config.HttpClientCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.netty.http.Http2SettingsSpec;
import reactor.netty.http.HttpProtocol;

/** HTTP/2 without TLS on both sides, as wide as Triple is; there are no properties for it. Not for the HTTP tunnel. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("server.http2.enabled")
class Http2 {

    /** As Dubbo's own servers have them, so that a message travels in as few frames as without a gateway. */
    private static final int FRAME = 8 << 20;

    /** Of a stream; Netty makes that of a connection as wide, and twice. */
    private static final int WINDOW = 8 << 20;

    /** Every attachment is a header; Netty would allow 8 KB for all of a call's. */
    private static final long HEADERS = 256 << 10;

    /** Reactor Netty would allow 100 calls at a time on a connection, and an application has only one. */
    private static final long CALLS = Integer.MAX_VALUE;

    @Bean
    WebServerFactoryCustomizer<NettyReactiveWebServerFactory> wideServer() {
        return factory -> factory.addServerCustomizers(server -> server.http2Settings(Http2::wide));
    }

    /** Providers and other gateways expect HTTP/2 from the first byte on. */
    @Bean
    HttpClientCustomizer priorKnowledge() {
        return client -> client.protocol(HttpProtocol.H2C).http2Settings(Http2::wide);
    }

    private static void wide(Http2SettingsSpec.Builder settings) {
        settings.maxFrameSize(FRAME)
                .initialWindowSize(WINDOW)
                .maxConcurrentStreams(CALLS)
                .maxHeaderListSize(HEADERS);
    }
}

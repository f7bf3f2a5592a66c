// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.receiver;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.api.ProtocolDetector;
import org.apache.dubbo.remoting.api.WireProtocol;
import org.apache.dubbo.remoting.api.pu.ChannelHandlerPretender;
import org.apache.dubbo.remoting.api.pu.ChannelOperator;
import org.apache.dubbo.remoting.api.ssl.ContextOperator;
import org.apache.dubbo.remoting.buffer.ChannelBuffer;
import org.apache.dubbo.remoting.buffer.ChannelBuffers;

/**
 * Triple's wire protocol with an {@link HttpReceiver} in front of its handlers. It is asked after the server has removed
 * TLS, and for connections only that Dubbo has told apart from those of its other protocols.
 */
public final class HttpReceiving implements WireProtocol {

    private static final List<String> OURS = List.of("POST /highway", "GET /highway", "HEAD /highway");
    private static final String HTTP_2 = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    private final WireProtocol triple;
    private final CallServer server;

    /** Receives calls at one server. */
    public HttpReceiving(URL server, WireProtocol triple) {
        this.triple = triple;
        this.server = new CallServer(server);
    }

    @Override
    public ProtocolDetector detector() {
        ProtocolDetector detector = triple.detector();
        return DubboHandlers.SERVE_HTTP_1 ? detector : new WithHttp1(detector);
    }

    @Override
    public void configServerProtocolHandler(URL url, ChannelOperator operator) {
        DubboHandlers dubbo = new DubboHandlers(() -> triple.configServerProtocolHandler(url, operator));
        operator.configChannelHandler(List.of(new ChannelHandlerPretender(new HttpReceiver(server, dubbo))));
    }

    @Override
    public void configClientPipeline(URL url, ChannelOperator operator, ContextOperator contexts) {
        triple.configClientPipeline(url, operator, contexts);
    }

    @Override
    public void close() {
        triple.close();
    }

    /** Answers as that of Dubbo 3.2 does for HTTP/2, whose answers have no constructor that Dubbo 3.3 has, too. */
    private record WithHttp1(ProtocolDetector http2) implements ProtocolDetector {

        @Override
        public Result detect(ChannelBuffer in) {
            int known = Math.min(in.readableBytes(), "POST /highway".length());
            byte[] begin = new byte[known];
            in.getBytes(in.readerIndex(), begin);
            String text = new String(begin, StandardCharsets.US_ASCII);
            if (OURS.stream().anyMatch(text::startsWith)) {
                return http2.detect(as(HTTP_2));
            }
            boolean mayBecomeOurs = OURS.stream().anyMatch(ours -> ours.startsWith(text));
            return mayBecomeOurs ? http2.detect(as(HTTP_2.substring(0, 1))) : http2.detect(in);
        }

        private static ChannelBuffer as(String text) {
            return ChannelBuffers.wrappedBuffer(text.getBytes(StandardCharsets.US_ASCII));
        }
    }
}

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
    private static final String UNKNOWN = "-".repeat(HTTP_2.length());

    private final WireProtocol triple;
    private final CallServer server;

    /** Receives calls at one server. */
    public HttpReceiving(URL server, WireProtocol triple) {
        this.triple = triple;
        this.server = new CallServer(server);
    }

    @Override
    public ProtocolDetector detector() {
        return new WithHttp1(triple.detector(), server.isAlone());
    }

    @Override
    public void configServerProtocolHandler(URL url, ChannelOperator operator) {
        Runnable dubbos = () -> triple.configServerProtocolHandler(url, operator);
        operator.configChannelHandler(List.of(new ChannelHandlerPretender(new HttpReceiver(server, dubbos))));
    }

    @Override
    public void configClientPipeline(URL url, ChannelOperator operator, ContextOperator contexts) {
        triple.configClientPipeline(url, operator, contexts);
    }

    @Override
    public void close() {
        triple.close();
    }

    /**
     * Adds HTTP/1.1 to that of Dubbo 3.2, and lets the first bytes arrive one by one, which Dubbo 3.3 does not recognise. Its
     * answers are Dubbo's, to other bytes, since no constructor of an answer is the same in both.
     *
     * @param isAlone whether nothing else is recognised
     */
    private record WithHttp1(ProtocolDetector dubbos, boolean isAlone) implements ProtocolDetector {

        @Override
        public Result detect(ChannelBuffer in) {
            byte[] begin = new byte[Math.min(in.readableBytes(), OURS.get(0).length())];
            in.getBytes(in.readerIndex(), begin);
            String text = new String(begin, StandardCharsets.US_ASCII);
            boolean isOurs = OURS.stream().anyMatch(text::startsWith);
            if (!DubboRequests.SERVE_HTTP_1 && isOurs) {
                return dubbos.detect(as(HTTP_2));
            }
            boolean mayBecomeOurs =
                    OURS.stream().anyMatch(ours -> ours.length() > text.length() && ours.startsWith(text));
            if (mayBecomeOurs) {
                return dubbos.detect(as(HTTP_2.substring(0, 1)));
            }
            return isAlone && !isOurs ? dubbos.detect(as(UNKNOWN)) : dubbos.detect(in);
        }

        private static ChannelBuffer as(String text) {
            return ChannelBuffers.wrappedBuffer(text.getBytes(StandardCharsets.US_ASCII));
        }
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.transport;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.lang.Prioritized;
import org.apache.dubbo.remoting.http12.h2.H2StreamChannel;
import org.apache.dubbo.remoting.http12.h2.Http2Header;
import org.apache.dubbo.remoting.http12.h2.Http2InputMessage;
import org.apache.dubbo.remoting.http12.h2.Http2InputMessageFrame;
import org.apache.dubbo.remoting.http12.h2.Http2ServerTransportListenerFactory;
import org.apache.dubbo.remoting.http12.h2.Http2TransportListener;
import org.apache.dubbo.remoting.http12.message.StreamingDecoder;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.protocol.tri.compressor.DeCompressor;
import org.apache.dubbo.rpc.protocol.tri.h12.grpc.GrpcHttp2ServerTransportListener;
import org.apache.dubbo.rpc.protocol.tri.h12.grpc.GrpcHttp2ServerTransportListenerFactory;
import org.apache.dubbo.rpc.protocol.tri.h12.grpc.GrpcStreamingDecoder;

/**
 * Hands Dubbo's Triple server every message whole and not compressed, however the way has cut or the caller compressed it.
 * Up to 3.3.6 it reads the first message of a call with a decoder of its own ({@code LazyFindMethodListener}), which knows no
 * compression and throws away the bytes behind that message (apache/dubbo#16414). Dubbo 3.2 does not ask for this class.
 */
public final class WholeMessages implements Http2ServerTransportListenerFactory, Prioritized {

    private static final byte NOT_COMPRESSED = 0;
    private static final int PREFIX_BYTES = 5;

    private final Http2ServerTransportListenerFactory dubbos = new GrpcHttp2ServerTransportListenerFactory();

    /** Made by Dubbo. */
    public WholeMessages() {}

    @Override
    public Http2TransportListener newInstance(H2StreamChannel stream, URL url, FrameworkModel framework) {
        return TripleServers.of(framework).serveGateways()
                ? new Listener(stream, url, framework)
                : dubbos.newInstance(stream, url, framework);
    }

    @Override
    public boolean supportContentType(String contentType) {
        return dubbos.supportContentType(contentType);
    }

    /** Before Dubbo's own. */
    @Override
    public int getPriority() {
        return MAX_PRIORITY;
    }

    /** One call. */
    private static final class Listener extends GrpcHttp2ServerTransportListener {

        private final FrameworkModel framework;
        private final GrpcStreamingDecoder decoder = new GrpcStreamingDecoder();

        Listener(H2StreamChannel stream, URL url, FrameworkModel framework) {
            super(stream, url, framework);
            this.framework = framework;
            decoder.setFragmentListener(new Whole());
            decoder.request(Integer.MAX_VALUE);
        }

        @Override
        protected void onMetadataCompletion(Http2Header metadata) {
            super.onMetadataCompletion(metadata); // refuses what nobody can read
            decoder.setDeCompressor(DeCompressor.getCompressor(framework, metadata.header("grpc-encoding")));
        }

        @Override
        protected void doOnData(Http2InputMessage message) {
            decoder.decode(message.getBody());
            if (message.isEndStream()) {
                super.doOnData(new Http2InputMessageFrame(InputStream.nullInputStream(), true));
            }
        }

        private void handOver(InputStream message) {
            byte[] prefix = ByteBuffer.allocate(PREFIX_BYTES)
                    .put(NOT_COMPRESSED)
                    .putInt(available(message))
                    .array();
            super.doOnData(new Http2InputMessageFrame(new ByteArrayInputStream(prefix), false));
            super.doOnData(new Http2InputMessageFrame(message, false));
        }

        private static int available(InputStream message) {
            try {
                return message.available();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            super.close();
            decoder.onStreamClosed();
        }

        private final class Whole implements StreamingDecoder.FragmentListener {

            @Override
            public void onFragmentMessage(InputStream message) {
                handOver(message);
            }
        }
    }
}

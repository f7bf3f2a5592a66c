// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.server;

import io.highway.sdk.dubbo.internal.facts.DubboRequestFacts;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.Version;
import org.apache.dubbo.common.io.Bytes;
import org.apache.dubbo.remoting.Channel;
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.remoting.exchange.HeartBeatRequest;
import org.apache.dubbo.remoting.exchange.Request;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.protocol.dubbo.DubboCodec;
import org.jspecify.annotations.Nullable;

/**
 * Dubbo's codec for a server. It decodes nothing of a peer to which the {@link PreDecodeCheck} is closed: requests become
 * {@link UndecodedCall}s, events are passed on if they are null or a letter, and answers, which such a peer can only
 * invent, are dropped. The path of other peers is Dubbo's.
 */
public final class GuardedCodec extends DubboCodec {

    private static final String NAME = "highway-served";

    private static final int FLAGS = 2;
    private static final int ID = 4;

    private final FrameworkModel framework;
    private final ServerContext servers;

    /** Called by Dubbo. */
    public GuardedCodec(FrameworkModel framework) {
        super(framework);
        this.framework = framework;
        this.servers = ServerContext.of(framework);
    }

    /** The URL of a server with this codec, if it has Dubbo's. */
    public static URL on(URL server) {
        return server.getParameter(Constants.CODEC_KEY, "").equals(DubboCodec.NAME)
                ? server.addParameter(Constants.CODEC_KEY, NAME)
                : server;
    }

    @Override
    protected @Nullable Object decodeBody(Channel channel, InputStream body, byte[] header) throws IOException {
        PreDecodeCheck asked = servers.guard();
        if (asked == null || !asked.isClosedTo(channel.getRemoteAddress())) {
            return super.decodeBody(channel, body, header);
        }
        byte[] bytes = body.readAllBytes();
        boolean isRequest = (header[FLAGS] & FLAG_REQUEST) != 0;
        boolean isEvent = (header[FLAGS] & FLAG_EVENT) != 0;
        byte serialization = (byte) (header[FLAGS] & SERIALIZATION_MASK);
        if (isRequest && !isEvent) {
            Request request = request(header);
            request.setPayload(bytes.length);
            request.setData(new UndecodedCall(framework, channel, request, bytes, serialization, true));
            return request;
        }
        if (isEvent && DubboRequestFacts.isEvent(Unpooled.wrappedBuffer(bytes), serialization)) {
            return super.decodeBody(channel, new ByteArrayInputStream(bytes), header);
        }
        Request nothing = new HeartBeatRequest(Bytes.bytes2long(header, ID));
        nothing.setEvent(true);
        nothing.setTwoWay(false);
        return nothing;
    }

    private static Request request(byte[] header) {
        Request request = new Request(Bytes.bytes2long(header, ID));
        request.setVersion(Version.getProtocolVersion());
        request.setTwoWay((header[FLAGS] & FLAG_TWOWAY) != 0);
        return request;
    }
}

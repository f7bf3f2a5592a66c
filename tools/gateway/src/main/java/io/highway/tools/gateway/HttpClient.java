// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import io.highway.sdk.dubbo.internal.network.frame.FrameHeader;
import io.highway.tools.gateway.DubboUpstream.Caller;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpMessage;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The connection of one client of the HTTP tunnel. Its requests are answered one after the other, and each is sent once. For
 * providers without the SDK the frame in the body goes on by the Dubbo protocol.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty reports a failed write by closing the channel
final class HttpClient extends SimpleChannelInboundHandler<FullHttpRequest> {
    /** The path of health checks; those of calls go on with island, service and method. */
    private static final String HEALTH = "/highway";

    private static final String ISLAND = "highway-island";
    private static final String ENCODING = "highway-encoding";

    /** Of a connection, not of a message. */
    private static final List<CharSequence> HOP_BY_HOP = List.of(
            HttpHeaderNames.CONNECTION,
            HttpHeaderNames.TRANSFER_ENCODING,
            HttpHeaderNames.TE,
            HttpHeaderNames.UPGRADE,
            HttpHeaderNames.EXPECT,
            "keep-alive",
            "proxy-connection");

    private final Channel channel;
    private final Flow flow;
    private final Forwarder forwarder;
    private final Deque<FullHttpRequest> waiting = new ArrayDeque<>();
    private @Nullable FullHttpRequest current;
    private @Nullable Channel upstream;

    HttpClient(Channel channel, Forwarder forwarder) {
        this.channel = channel;
        this.flow = new Flow(channel);
        this.forwarder = forwarder;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        waiting.add(request.retain());
        if (current == null) {
            forwardNext();
        } else {
            channel.config().setAutoRead(false);
        }
    }

    private void forwardNext() {
        FullHttpRequest request = waiting.poll();
        if (request != null) {
            current = request;
            forwarder.traffic().begin();
            forward(request);
        } else {
            channel.config().setAutoRead(true);
        }
    }

    private void forward(FullHttpRequest request) {
        String island = request.headers().get(ISLAND);
        if (request.decoderResult().isFailure()) {
            answer(empty(HttpResponseStatus.BAD_REQUEST));
        } else if (!request.uri().equals(HEALTH) && !request.uri().startsWith(HEALTH + "/")) {
            answer(empty(HttpResponseStatus.NOT_FOUND));
        } else if (request.method().equals(HttpMethod.GET) && island == null) {
            boolean draining = forwarder.traffic().isDraining();
            answer(empty(draining ? HttpResponseStatus.SERVICE_UNAVAILABLE : HttpResponseStatus.NO_CONTENT));
        } else if (forwarder.routes().guarded() || !forwarder.routes().facesProviders(island)) {
            forwarder.connect(Protocol.HTTP, island, service(request.uri())).whenComplete((to, failure) -> {
                if (current != request) { // the client has gone
                    if (failure == null) {
                        forwarder.http().release(to);
                    }
                } else if (failure != null) {
                    refuse(request, Refusal.of(failure));
                } else {
                    send(request, to, forwarder.routes().facesProviders(island));
                }
            });
        } else {
            unwrap(request, island);
        }
    }

    /** Of {@code /highway/<island>/<service>/<method>}; group and version are in the body only. */
    private static ServiceName service(String path) {
        int from = path.indexOf('/', HEALTH.length() + 1) + 1;
        int to = path.lastIndexOf('/');
        return ServiceName.of(null, from > 0 && from < to ? path.substring(from, to) : path, null);
    }

    private void send(FullHttpRequest request, Channel to, boolean provider) {
        upstream = to;
        forwarder.traffic().forwarded();
        FullHttpRequest sent =
                new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, request.method(), request.uri(), content(request));
        sent.headers().set(request.headers());
        oneHop(sent);
        HttpUpstream.of(to).send(sent, response -> {
            upstream = null;
            if (response == null) {
                answer(empty(HttpResponseStatus.BAD_GATEWAY));
                return;
            }
            forwarder.http().release(to);
            FullHttpResponse answer =
                    new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, response.status(), content(response));
            answer.headers().set(response.headers());
            if (provider) {
                answer.headers().remove(TripleReplies.NOT_FORWARDED);
            }
            answer(answer);
        });
    }

    private static ByteBuf content(FullHttpMessage message) {
        return message.content().retain();
    }

    private static void oneHop(FullHttpMessage message) {
        HOP_BY_HOP.forEach(message.headers()::remove);
        HttpUtil.setContentLength(message, message.content().readableBytes());
    }

    /** To a provider that knows Dubbo frames and no HTTP tunnel. */
    private void unwrap(FullHttpRequest request, @Nullable String island) {
        if (request.headers().contains(ENCODING) || !FrameHeader.isWhole(request.content(), true)) {
            refuse(request, Refusal.unreadable("body: no Dubbo frame that is not compressed"));
            return;
        }
        ByteBuf frame = request.content();
        int at = frame.readerIndex();
        Caller caller = new Caller(
                flow,
                FrameHeader.id(frame, at),
                FrameHeader.serialization(frame, at),
                (answer, source) -> answer(answer));
        forwarder.connect(Protocol.DUBBO, island, service(request.uri())).whenComplete((to, failure) -> {
            if (current != request) { // the client has gone
                return;
            }
            if (failure != null) {
                refuse(request, Refusal.of(failure));
                return;
            }
            forwarder.traffic().forwarded();
            boolean twoWay = FrameHeader.isTwoWay(frame, at);
            DubboUpstream.of(to).send(content(request), caller);
            if (!twoWay) {
                answer(empty(HttpResponseStatus.OK));
            }
        });
    }

    private void refuse(FullHttpRequest request, Refusal refusal) {
        forwarder.traffic().refused(Protocol.HTTP, request.uri(), channel.remoteAddress(), refusal);
        FullHttpResponse response = empty(HttpResponseStatus.BAD_GATEWAY);
        String statement = refusal.statement(request.headers().get(ISLAND));
        response.headers().set(TripleReplies.NOT_FORWARDED, TripleReplies.encode(statement));
        answer(response);
    }

    private static FullHttpResponse empty(HttpResponseStatus status) {
        return new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.EMPTY_BUFFER);
    }

    /** Ends the current request, and begins the next one. */
    private void answer(FullHttpResponse response) {
        FullHttpRequest request = current;
        if (request == null) { // the client has gone
            response.release();
            return;
        }
        current = null;
        forwarder.traffic().end(1);
        oneHop(response);
        boolean last = !HttpUtil.isKeepAlive(request)
                || request.decoderResult().isFailure()
                || forwarder.traffic().isDraining();
        HttpUtil.setKeepAlive(response, !last);
        request.release();
        channel.writeAndFlush(response).addListener(written -> {
            if (last) {
                channel.close();
            }
        });
        if (!last) { // nothing may follow the last one
            forwardNext();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        flow.writabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        flow.release();
        if (current != null) {
            current.release();
            current = null;
            forwarder.traffic().end(1);
        }
        waiting.forEach(FullHttpRequest::release);
        waiting.clear();
        if (upstream != null) {
            upstream.close();
        }
    }

    /** Ends the current request, whose frame went on by the Dubbo protocol. */
    private void answer(ByteBuf frame) {
        FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, frame);
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, "application/x-dubbo");
        answer(response);
    }
}

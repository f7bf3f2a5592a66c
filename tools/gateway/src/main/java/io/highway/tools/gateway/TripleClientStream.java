// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;

/** A Triple call that has just begun: its headers name the destination; a {@link TripleRelay} carries it from there. */
@SuppressWarnings("FutureReturnValueIgnored") // Netty reports a failed write by closing the channel
final class TripleClientStream extends ChannelInboundHandlerAdapter {
    private final Forwarder forwarder;

    TripleClientStream(Forwarder forwarder) {
        this.forwarder = forwarder;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof Http2HeadersFrame headers) {
            forwarder.traffic().begin();
            context.channel()
                    .closeFuture()
                    .addListener(closed -> forwarder.traffic().end(1));
            forward(context, headers);
        } else {
            ReferenceCountUtil.release(message);
        }
    }

    private void forward(ChannelHandlerContext context, Http2HeadersFrame request) {
        Channel client = context.channel();
        Http2Headers headers = request.headers();
        String path = String.valueOf(headers.path());
        int method = path.lastIndexOf('/');
        ServiceName service = ServiceName.of(
                text(headers.get("tri-service-group")),
                method > 0 ? path.substring(1, method) : path,
                text(headers.get("tri-service-version")));
        String island = text(headers.get("highway-island"));
        client.config().setAutoRead(false);
        forwarder.connect(Protocol.TRIPLE, island, service).whenComplete((upstream, failure) -> {
            if (failure != null) {
                refuse(context, island, path, Refusal.of(failure));
            } else if (client.isActive()) {
                openStream(context, upstream, request, island);
            }
        });
    }

    private void openStream(
            ChannelHandlerContext context, Channel upstream, Http2HeadersFrame request, @Nullable String island) {
        Channel client = context.channel();
        new Http2StreamChannelBootstrap(upstream)
                .handler(TripleRelay.ofResponse(
                        client,
                        forwarder.routes().facesProviders(island),
                        forwarder.routes().guarded(),
                        () -> forwarder.triple().avoid(upstream)))
                .open()
                .addListener(opened -> {
                    if (!opened.isSuccess()) {
                        refuse(
                                context,
                                island,
                                request.headers().path(),
                                Refusal.unreachable(String.valueOf(upstream.remoteAddress())));
                        return;
                    }
                    Channel stream = (Channel) opened.getNow();
                    if (!client.isActive()) {
                        stream.close();
                        return;
                    }
                    forwarder.traffic().forwarded(request.headers().get("grpc-encoding"));
                    TripleRelay relay = new TripleRelay(stream);
                    client.pipeline().replace(this, null, relay);
                    MessageFiles recording = forwarder.recording();
                    if (recording != null) {
                        MessageRecorder.record(
                                recording, island, request.headers().path(), client, stream);
                    }
                    relay.relayHeaders(request);
                    stream.flush();
                    client.config().setAutoRead(true);
                });
    }

    /** Later data of the client is dropped; a Triple client resets its half of the stream by itself. */
    private void refuse(ChannelHandlerContext context, @Nullable String island, CharSequence path, Refusal refusal) {
        forwarder
                .traffic()
                .refused(Protocol.TRIPLE, path, context.channel().parent().remoteAddress(), refusal);
        context.writeAndFlush(TripleReplies.notForwarded(refusal, island));
        context.channel().config().setAutoRead(true);
    }

    private static @Nullable String text(@Nullable CharSequence value) {
        return value == null ? null : value.toString();
    }
}

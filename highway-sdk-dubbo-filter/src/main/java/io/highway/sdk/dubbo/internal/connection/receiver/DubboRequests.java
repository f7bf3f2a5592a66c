// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.receiver;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.List;
import org.apache.dubbo.remoting.api.ProtocolDetector;

/**
 * The requests of one connection that are for Dubbo: their bytes go on to its handlers, which are added behind the
 * {@link HttpReceiver} with the first of them. Its methods run on the connection's event loop.
 */
final class DubboRequests {

    /** Dubbo 3.2, where this is an enum, has no HTTP/1.1. */
    static final boolean SERVE_HTTP_1 = !ProtocolDetector.Result.class.isEnum();

    private final ChannelHandlerContext receiver;
    private final Runnable configure;
    private final Runnable ended;
    private BodyFraming framing = BodyFraming.of(0);
    private boolean isInstalled;
    private boolean isAnswering;

    /**
     * None yet.
     *
     * @param configure makes Dubbo add its handlers at the end of the pipeline
     * @param ended called later each time that a request is answered
     */
    DubboRequests(ChannelHandlerContext receiver, Runnable configure, Runnable ended) {
        this.receiver = receiver;
        this.configure = configure;
        this.ended = ended;
    }

    /** Passes the head of a request on, whose body follows. */
    void begin(ByteBuf head, BodyFraming body) {
        install();
        framing = body;
        isAnswering = true;
        passOn(head);
    }

    /** Whether the body of the last one has been passed on. */
    boolean isWhole() {
        return framing.isComplete();
    }

    /** Whether the last one is whole and answered. */
    boolean isEnded() {
        return isWhole() && !isAnswering;
    }

    /** Passes on what there is of the body of the last one; where its end is ambiguous, nothing. */
    void passBodyOn(ByteBuf unread) throws MalformedRequestException {
        if (isWhole()) {
            return;
        }
        int start = unread.readerIndex();
        try {
            for (int taken; (taken = framing.next(unread)) > 0; ) {
                unread.skipBytes(taken);
            }
        } catch (MalformedRequestException e) {
            unread.readerIndex(start);
            throw e;
        }
        passOn(unread.retainedSlice(start, unread.readerIndex() - start));
    }

    private void passOn(ByteBuf data) {
        receiver.fireChannelRead(data);
        receiver.fireChannelReadComplete();
    }

    /** The rest of the connection is Dubbo's. */
    void takeAll() {
        install();
        receiver.pipeline().remove(receiver.handler());
    }

    private void install() {
        if (isInstalled) {
            return;
        }
        isInstalled = true;
        ChannelPipeline pipeline = receiver.pipeline();
        List<String> names = pipeline.names();
        for (String name : names.subList(names.indexOf(receiver.name()) + 1, names.size())) {
            if (pipeline.get(name) != null) { // what Dubbo adds behind every handler, and will add again
                pipeline.remove(name);
            }
        }
        configure.run();
        ChannelHandlerContext codec = pipeline.context(HttpServerCodec.class);
        if (codec != null) {
            pipeline.addAfter(codec.name(), null, new AnswerEnds(this::answered));
        }
    }

    /** Its handlers finish with this request first. */
    private void answered() {
        isAnswering = false;
        receiver.channel().eventLoop().execute(ended);
    }

    private static final class AnswerEnds extends ChannelOutboundHandlerAdapter {

        private final Runnable answered;

        AnswerEnds(Runnable answered) {
            this.answered = answered;
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // the promise tells
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            boolean isInterim = message instanceof HttpResponse answer
                    && answer.status().codeClass() == HttpStatusClass.INFORMATIONAL;
            context.write(message, promise);
            if (message instanceof LastHttpContent && !isInterim) {
                answered.run();
            }
        }
    }
}

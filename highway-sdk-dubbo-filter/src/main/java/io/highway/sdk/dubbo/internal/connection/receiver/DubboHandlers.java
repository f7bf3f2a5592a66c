// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.receiver;

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

/** Dubbo's handlers of one connection, behind the {@link HttpReceiver}, from the first request on that is for them. */
final class DubboHandlers {

    /** Dubbo 3.2, where this is an enum, has no HTTP/1.1. */
    static final boolean SERVE_HTTP_1 = !ProtocolDetector.Result.class.isEnum();

    private final Runnable configure;
    private boolean isInstalled;

    /** {@code configure} makes Dubbo add its handlers at the end of the pipeline. */
    DubboHandlers(Runnable configure) {
        this.configure = configure;
    }

    /**
     * Adds them, unless they are there.
     *
     * @param answered called for each answer over HTTP/1.1 when its end is written
     */
    void install(ChannelHandlerContext receiver, Runnable answered) {
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
            pipeline.addAfter(codec.name(), null, new AnswerEnds(answered));
        }
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

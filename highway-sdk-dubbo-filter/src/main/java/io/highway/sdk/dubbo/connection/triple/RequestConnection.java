// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.connection.triple;

import io.highway.sdk.dubbo.connection.channel.BufferedBytes;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Connection;
import java.util.concurrent.Executor;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.threadpool.manager.FrameworkExecutorRepository;
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.rpc.model.FrameworkModel;

/**
 * What the requests of one connection of a Triple server share.
 *
 * @param context of the handler that passes their frames on
 * @param payload the largest message in bytes
 * @param servers what the servers of this process share
 * @param inflating runs long tasks
 */
record RequestConnection(
        ChannelHandlerContext context,
        Http2Connection http2,
        BufferedBytes.Connection buffered,
        FrameworkModel framework,
        int payload,
        TripleServerCompatibility servers,
        Executor inflating) {

    static RequestConnection of(
            URL server, ChannelHandlerContext context, Http2Connection http2, BufferedBytes.Connection buffered) {
        FrameworkModel framework = server.getOrDefaultFrameworkModel();
        int payload = server.getParameter(Constants.PAYLOAD_KEY, Constants.DEFAULT_PAYLOAD);
        return new RequestConnection(
                context,
                http2,
                buffered,
                framework,
                payload > 0 ? payload : TripleServerCompatibility.MOST,
                TripleServerCompatibility.of(framework),
                framework
                        .getBeanFactory()
                        .getBean(FrameworkExecutorRepository.class)
                        .getSharedExecutor());
    }
}

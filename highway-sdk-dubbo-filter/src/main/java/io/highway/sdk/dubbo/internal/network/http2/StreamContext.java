// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.http2;

import io.highway.sdk.dubbo.internal.background.BackgroundTasks;
import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.highway.sdk.dubbo.internal.network.compression.BoundedInflater;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2HeadersEncoder;
import java.util.concurrent.Executor;
import org.apache.dubbo.rpc.model.FrameworkModel;

/**
 * What the streams of one Triple connection share.
 *
 * @param context of the handler that passes their frames on
 * @param payload the largest message in bytes
 * @param inflating runs long tasks
 */
public record StreamContext(
        ChannelHandlerContext context,
        Http2Connection http2,
        MemoryBudget.Account memory,
        FrameworkModel framework,
        int payload,
        Executor inflating)
        implements RequestInflater.Connection {

    public static StreamContext of(
            FrameworkModel framework,
            int payload,
            ChannelHandlerContext context,
            Http2Connection http2,
            MemoryBudget.Account memory) {
        return new StreamContext(
                context,
                http2,
                memory,
                framework,
                payload > 0 ? payload : BoundedInflater.MOST,
                BackgroundTasks.threadsOfDubbo(framework));
    }

    /** The bytes that all messages of this process may have, as far as an array can have them. */
    int mostBuffered() {
        return (int) Math.min(BoundedInflater.MOST, memory.budget().limit());
    }

    /** The codec keeps as many of our headers in memory as the peer's settings say, up to 4 GB. */
    public static void limitHeaderTable(Http2ConnectionEncoder encoder) {
        Http2HeadersEncoder.Configuration table = encoder.configuration().headersConfiguration();
        if (table.maxHeaderTableSize() > Http2CodecUtil.DEFAULT_HEADER_TABLE_SIZE) {
            try {
                table.maxHeaderTableSize(Http2CodecUtil.DEFAULT_HEADER_TABLE_SIZE);
            } catch (Http2Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}

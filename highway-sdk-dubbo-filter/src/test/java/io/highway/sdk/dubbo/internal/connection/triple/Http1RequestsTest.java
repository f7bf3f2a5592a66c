// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.triple;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.ArrayList;
import java.util.List;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.junit.jupiter.api.Test;

class Http1RequestsTest {

    private static final int CHUNKS = 10_000;
    private static final int BUFFER = 64 * 1024;

    /** Each arrives in a separate buffer, of which it is a small part, as after a long chunk extension. */
    @Test
    void keepNoBufferOfSmallChunks() {
        FrameworkModel framework = new FrameworkModel();
        try {
            EmbeddedChannel connection =
                    new EmbeddedChannel(new Http1Requests(framework), new HttpObjectAggregator(CHUNKS));
            connection.writeInbound(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/shop"));
            List<ByteBuf> buffers = new ArrayList<>();

            for (int i = 0; i < CHUNKS; i++) {
                ByteBuf buffer = Unpooled.buffer(BUFFER).writerIndex(BUFFER);
                connection.writeInbound(new DefaultHttpContent(buffer.readRetainedSlice(1)));
                buffer.release();
                buffers.add(buffer.refCnt() == 0 ? Unpooled.EMPTY_BUFFER : buffer);
            }

            assertThat(buffers).containsOnly(Unpooled.EMPTY_BUFFER);
            connection.writeInbound(LastHttpContent.EMPTY_LAST_CONTENT);
            FullHttpRequest whole = connection.readInbound();
            assertThat(whole.content().readableBytes()).isEqualTo(CHUNKS);
            whole.release();
            connection.finishAndReleaseAll();
        } finally {
            framework.destroy();
        }
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.highway.sdk.dubbo.internal.network.frame.FrameCall;
import io.highway.sdk.dubbo.internal.network.frame.FrameCalls;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequestEncoder;
import io.netty.handler.codec.http.HttpResponseDecoder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.ServiceModel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpConnectionTest {

    private static final byte[] FRAME = HexFormat.of().parseHex("dabb021400000000000000010000000192");

    private final RpcInvocation invocation =
            new RpcInvocation((ServiceModel) null, "note", "Shop", "Shop", new Class<?>[0], new Object[0]);

    /** What the threads of callers have to do. */
    private final Queue<Runnable> ofCallers = new ArrayDeque<>();

    private final List<FrameCall> again = new ArrayList<>();
    private AttemptEvidence evidence;
    private final MemoryBudget memory = new MemoryBudget();
    private EmbeddedChannel channel;
    private HttpConnection connection;

    /** How many bytes leave before the connection is lost. */
    private int leaving = Integer.MAX_VALUE;

    @BeforeEach
    void connect() {
        evidence = AttemptEvidence.begin(invocation, "shanghai", "Shop", "note", null);
        evidence.passToInvoker();
        channel = new EmbeddedChannel();
        HttpConnection.Pool pool = new HttpConnection.Pool() {
            @Override
            public void send(FrameCall call) {
                again.add(call);
            }

            @Override
            public void free(HttpConnection free) {}

            @Override
            public void closed(HttpConnection closed, boolean hadCall) {}
        };
        AnswerMemory answers = new AnswerMemory(memory);
        connection = new HttpConnection(pool, "gateway.zhejiang.test:8080", channel, answers);
        channel.pipeline()
                .addLast(new ChannelOutboundHandlerAdapter() {
                    @Override
                    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
                        ByteBuf bytes = (ByteBuf) message;
                        if (bytes.readableBytes() <= leaving) {
                            leaving -= bytes.readableBytes();
                            context.write(message, promise);
                        } else {
                            context.write(bytes.readSlice(leaving));
                            promise.setFailure(new IOException("Broken pipe"));
                        }
                    }
                })
                .addLast(new HttpRequestEncoder(), new HttpResponseDecoder())
                .addLast(answers, new HttpObjectAggregator(1 << 20), connection);
        connection.greeted().complete(true);
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private FrameCall send() {
        FrameCall call = FrameCalls.call(invocation, true, ofCallers::add, evidence, connection);
        assertThat(evidence.sends(call)).isTrue();
        connection.send(call);
        channel.runPendingTasks();
        return call;
    }

    private void runCallers() {
        while (!ofCallers.isEmpty()) {
            ofCallers.poll().run();
        }
    }

    /** A gateway may send the body with its length, in chunks, or up to the end of the connection. */
    private static ByteBuf answer(String framing) {
        String head = "HTTP/1.1 200 OK\r\ncontent-type: application/x-dubbo\r\n";
        String end = "";
        switch (framing) {
            case "length" -> head += "content-length: " + FRAME.length + "\r\n\r\n";
            case "chunks" -> {
                head += "transfer-encoding: chunked\r\n\r\n" + Integer.toHexString(FRAME.length) + "\r\n";
                end = "\r\n0\r\n\r\n";
            }
            default -> head += "connection: close\r\n\r\n";
        }
        return Unpooled.wrappedBuffer(
                head.getBytes(StandardCharsets.US_ASCII), FRAME, end.getBytes(StandardCharsets.US_ASCII));
    }

    @ParameterizedTest
    @ValueSource(strings = {"length", "chunks", "close"})
    void anAnswerThatIsCutAtAnyByte_endsItsCallAsMaybeRun(String framing) {
        int length = answer(framing).readableBytes();
        for (int bytes = 0; bytes <= length; bytes++) {
            connect();
            FrameCall call = send();

            channel.writeInbound(answer(framing).readSlice(bytes));
            channel.close();
            runCallers();

            assertThat(call.answer()).isDone();
            assertThat(call.answer().isCompletedExceptionally())
                    .as("with %d of %d bytes", bytes, length)
                    .isEqualTo(bytes < length);
            assertThat(evidence.neverLeft()).isFalse();
            assertThat(evidence.unwritten()).isNull();
            assertThat(again).isEmpty();
            channel.finishAndReleaseAll();
        }
    }

    @Test
    void aWholeAnswer_countsUntilItIsDecoded() {
        FrameCall call = send();
        int length = 2 * MemoryBudget.STEP;
        String head = "HTTP/1.1 200 OK\r\ncontent-type: application/x-dubbo\r\ncontent-length: " + length + "\r\n\r\n";

        channel.writeInbound(Unpooled.wrappedBuffer(head.getBytes(StandardCharsets.US_ASCII), new byte[length]));
        assertThat(memory.bytes()).isEqualTo(length);
        runCallers();

        assertThat(call.answer()).isDone();
        assertThat(memory.bytes()).isZero();
    }

    /** Gateways on Tomcat send none. */
    @ParameterizedTest
    @ValueSource(strings = {"200 OK", "200 ", "200 Fine"})
    void aRefusal_countsWithAnyReasonPhrase(String status) {
        FrameCall call = send();
        String refusal = "HTTP/1.1 " + status + "\r\nhighway-refused: shanghai;busy\r\ncontent-length: 0\r\n\r\n";

        channel.writeInbound(Unpooled.copiedBuffer(refusal, StandardCharsets.US_ASCII));
        runCallers();

        assertThat(call.answer()).isCompletedWithValueMatching(answer -> "shanghai;busy"
                .equals(answer.getAttachment("highway-refused")));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 1000})
    void aRequestThatIsCut_endsItsCall_andIsNotSentAgain(int bytes) {
        leaving = bytes;
        FrameCall call = send();
        channel.runPendingTasks();
        runCallers();

        assertThat(channel.isOpen()).isEqualTo(bytes == 1000); // as long as all of it
        assertThat(call.answer().isDone()).isEqualTo(bytes < 1000);
        assertThat(evidence.neverLeft()).isFalse();
        assertThat(again).isEmpty();
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.highway.sdk.dubbo.internal.evidence.LostConnectionException;
import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HexFormat;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.dubbo.common.threadpool.ThreadlessExecutor;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.model.ServiceModel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FrameConnectionTest {

    private final RpcInvocation invocation =
            new RpcInvocation((ServiceModel) null, "note", "Shop", "Shop", new Class<?>[0], new Object[0]);

    /** What the threads of callers have to do. */
    private final Queue<Runnable> ofCallers = new ArrayDeque<>();

    private Executor executor = ofCallers::add;
    private final AtomicBoolean failsWrites = new AtomicBoolean();
    private AttemptEvidence evidence;
    private final FrameworkModel framework = new FrameworkModel();
    private EmbeddedChannel channel;
    private FrameConnection connection;

    @BeforeEach
    void connect() {
        evidence = AttemptEvidence.begin(invocation, "shanghai", "Shop", "note", null);
        evidence.passToInvoker();
        channel = new EmbeddedChannel(new ChannelOutboundHandlerAdapter() {
            @Override
            public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
                if (failsWrites.get()) {
                    ReferenceCountUtil.release(message);
                    promise.setFailure(new IOException("Broken pipe"));
                } else {
                    context.write(message, promise);
                }
            }
        });
        FrameAggregator frames = FrameAggregator.ofClient(framework);
        connection = new FrameConnection(channel, frames);
        channel.pipeline().addLast(frames, connection);
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
        framework.destroy();
    }

    /** Queues a call with the id 1. */
    private FrameCall send(boolean isTwoWay) {
        FrameCall call = FrameCalls.call(invocation, isTwoWay, executor, evidence, connection);
        assertThat(evidence.sends(call)).isTrue();
        connection.send(call);
        return call;
    }

    private static ByteBuf bytes(String hex) {
        return Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex));
    }

    private static ByteBuf answer(long id) {
        return bytes("dabb0214" + HexFormat.of().toHexDigits(id) + "00000001" + "92");
    }

    private void runCallers() {
        while (!ofCallers.isEmpty()) {
            ofCallers.poll().run();
        }
    }

    @Test
    void endsACallInFlight_whenItIsLost() {
        FrameCall call = send(true);
        channel.runPendingTasks();

        channel.close();
        runCallers();

        assertThat(call.answer())
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(LostConnectionException.class);
        assertThat(evidence.neverLeft()).isFalse();
        assertThat(connection.hasCallsInFlight()).isFalse();
    }

    @Test
    void keepsTheAnswer_thatWaitsForAThread_whenItIsLost() {
        FrameCall call = send(true);
        channel.runPendingTasks();
        channel.writeInbound(answer(1));

        channel.close();

        assertThat(call.answer()).isNotDone();
        assertThat(ofCallers).hasSize(1);
    }

    @Test
    void aWholeAnswer_countsUntilItIsDecoded() {
        MemoryBudget memory = MemoryBudget.of(framework);
        FrameCall call = send(true);
        channel.runPendingTasks();
        byte[] body = new byte[2 * MemoryBudget.STEP];

        channel.writeInbound(
                bytes("dabb021400000000000000010002"),
                Unpooled.wrappedBuffer(bytes("0000"), Unpooled.wrappedBuffer(body)));
        assertThat(memory.bytes()).isEqualTo(16 + body.length);
        runCallers();

        assertThat(call.answer()).isDone();
        assertThat(memory.bytes()).isZero();
        assertThat(channel.runScheduledPendingTasks()).as("nothing keeps it").isEqualTo(-1);
    }

    @Test
    void anAnswer_thatNobodyWaitsFor_doesNotCount() {
        executor = new ThreadlessExecutor();
        ((ThreadlessExecutor) executor).shutdown();
        FrameCall call = send(true);
        channel.runPendingTasks();

        channel.writeInbound(
                bytes("dabb021400000000000000010002"),
                Unpooled.wrappedBuffer(bytes("0000"), Unpooled.wrappedBuffer(new byte[2 * MemoryBudget.STEP])));

        assertThat(call.answer()).isNotDone();
        assertThat(MemoryBudget.of(framework).bytes()).isZero();
    }

    @Test
    void provesThatACallWasNotSent_whoseWriteFails() {
        FrameCall call = send(true);
        failsWrites.set(true);
        channel.runPendingTasks();
        runCallers();

        assertThat(call.answer()).isCompletedExceptionally();
        assertThat(evidence.unwritten()).hasMessage("Broken pipe");
        assertThat(connection.hasCallsInFlight()).isFalse();
    }

    @Test
    void neverWritesACall_thatWasAbandonedInTheQueue() {
        FrameCall call = send(true);

        assertThat(evidence.abandon()).isTrue();
        channel.runPendingTasks();
        runCallers();

        assertThat(channel.outboundMessages()).isEmpty();
        assertThat(call.answer()).isCompletedExceptionally();
        assertThat(call.body().bytes().refCnt()).isZero();
    }

    @Test
    void writesNoCall_onceItIsClosed() {
        channel.close();

        FrameCall call = send(true);
        channel.runPendingTasks();
        runCallers();

        assertThat(call.answer()).isCompletedExceptionally();
        assertThat(evidence.neverLeft()).isTrue();
    }

    @Test
    void endsAOneWayCall_onceItIsWritten() {
        FrameCall call = send(false);
        channel.runPendingTasks();
        runCallers();

        assertThat(call.answer()).isCompleted();
        assertThat(connection.hasCallsInFlight()).isFalse();
    }

    @Test
    void answersHeartbeats_andTakesNoCalls_onceTheGatewayDrains() {
        channel.writeInbound(bytes("dabbe200" + "0000000000000007" + "00000001" + "4e"));

        assertThat(channel.<ByteBuf>readOutbound())
                .isEqualTo(bytes("dabb2214" + "0000000000000007" + "00000001" + "4e"));
        assertThat(connection.isSound()).isTrue();

        channel.writeInbound(bytes("dabba200" + "0000000000000001" + "00000002" + "0152"));

        assertThat(connection.isSound()).isFalse();
        assertThat(connection.isDraining()).isTrue();
    }

    /** The gateway would refuse it, and cannot say so. */
    @Test
    void writesNoOneWayCall_onceTheGatewayDrains() {
        FrameCall call = send(false);
        channel.writeInbound(bytes("dabba200" + "0000000000000001" + "00000002" + "0152"));
        channel.runPendingTasks();
        runCallers();

        assertThat(channel.outboundMessages()).isEmpty();
        assertThat(call.answer()).isCompletedExceptionally();
        assertThat(evidence.neverLeft()).isTrue();
    }

    /** A consumer filter has sent the first one again. */
    @Test
    void takesNoProofFromAnEarlierRequest() {
        FrameCall first = send(true);
        evidence.beginAgain();
        FrameCall second = send(true);
        channel.runPendingTasks();

        evidence.notWritten(first, new IOException("closed"));

        assertThat(evidence.unwritten()).isNull();
        assertThat(second.abandon()).isFalse();
    }

    /** Dubbo's pools without a queue do so when all threads are busy. */
    @Test
    void endsACall_whoseExecutorTakesNothing_onAnotherThread() {
        executor = task -> {
            throw new RejectedExecutionException();
        };
        FrameCall call = send(true);
        channel.runPendingTasks();
        CompletableFuture<Thread> ended = call.answer().handle((answer, failure) -> Thread.currentThread());

        channel.close();

        assertThat(ended).succeedsWithin(Duration.ofSeconds(10)).isNotSameAs(Thread.currentThread());
    }

    @Test
    void isClosed_whenItsCallsHaveEnded() {
        FrameCall call = send(true);
        channel.runPendingTasks();

        connection.close();
        channel.runPendingTasks();
        assertThat(channel.isOpen()).isTrue();
        channel.writeInbound(answer(1));

        assertThat(channel.isOpen()).isFalse();
        assertThat(call.answer()).isNotDone();
    }

    @Test
    void isClosed_afterTenThousandAnswersThatNobodyWaitsFor() {
        for (int i = 1; i < 10_000; i++) {
            channel.writeInbound(answer(-i));
        }
        assertThat(channel.isOpen()).isTrue();

        channel.writeInbound(answer(-1));

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void anAnswerThatIsCutAtAnyByte_endsItsCallAsMaybeRun() {
        int length = answer(1).readableBytes();
        for (int bytes = 0; bytes <= length; bytes++) {
            connect();
            channel.pipeline()
                    .addBefore(
                            channel.pipeline().context(connection).name(),
                            null,
                            FrameAggregator.ofClient(FrameworkModel.defaultModel()));
            FrameCall call = send(true);
            channel.runPendingTasks();

            channel.writeInbound(answer(1).readRetainedSlice(bytes));
            channel.close();
            runCallers();

            assertThat(call.answer()).isDone();
            assertThat(call.answer().isCompletedExceptionally())
                    .as("with %d bytes", bytes)
                    .isEqualTo(bytes < length);
            assertThat(evidence.neverLeft()).isFalse();
            assertThat(evidence.unwritten()).isNull();
            channel.finishAndReleaseAll();
        }
    }
}

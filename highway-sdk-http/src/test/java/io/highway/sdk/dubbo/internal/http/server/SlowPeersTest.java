// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How long a peer may take for its requests. */
@Tag("any-dubbo")
class SlowPeersTest {

    private static final String HEALTH_CHECK = "GET /highway HTTP/1.1\r\nhost: h\r\n\r\n";

    private final FrameworkModel framework = new FrameworkModel();
    private final EmbeddedChannel connection = new EmbeddedChannel();

    SlowPeersTest() {
        URL url = URL.valueOf("tri://127.0.0.1:1/none")
                .setScopeModel(framework.newApplication().getDefaultModule());
        connection.freezeTime();
        connection.pipeline().addLast(new HttpRequestHandler(new CallDispatcher(url)));
    }

    @AfterEach
    void close() {
        connection.finishAndReleaseAll();
        framework.destroy();
    }

    private void write(String text) {
        connection.writeInbound(Unpooled.copiedBuffer(text, US_ASCII));
    }

    private void seconds(int seconds) {
        connection.advanceTimeBy(seconds, TimeUnit.SECONDS);
        connection.runScheduledPendingTasks();
    }

    private String read() {
        StringBuilder answers = new StringBuilder();
        for (ByteBuf part; (part = connection.readOutbound()) != null; part.release()) {
            answers.append(part.toString(US_ASCII));
        }
        return answers.isEmpty() ? "nothing" : answers.toString();
    }

    @Test
    void haveTenSecondsForAHead_howeverTheyDivideIt() {
        for (String piece : "POST /hig".split("", -1)) {
            write(piece);
            seconds(1);
        }
        assertThat(connection.isOpen()).isFalse();
        assertThat(read()).isEqualTo("nothing");
    }

    @Test
    void haveThirtySecondsForTheNextBytesOfABody() {
        write("POST /highway/shanghai/a.B/c HTTP/1.1\r\nhost: h\r\ncontent-type: application/x-dubbo\r\n"
                + "content-length: 99\r\n\r\n");
        for (int i = 0; i < 3; i++) {
            seconds(29);
            write("x");
        }
        assertThat(connection.isOpen()).isTrue();

        seconds(30);
        assertThat(connection.isOpen()).isFalse();
        assertThat(read()).isEqualTo("nothing");
    }

    @Test
    void mayBeIdleFor75SecondsBetweenRequests() {
        for (int i = 0; i < 2; i++) {
            write(HEALTH_CHECK);
            assertThat(read()).startsWith("HTTP/1.1 204 ");
            seconds(74);
            assertThat(connection.isOpen()).isTrue();
        }

        seconds(1);
        assertThat(connection.isOpen()).isFalse();
    }

    @Test
    void haveTenSecondsForAHead_thatIsReadWhileTheLastAnswerIsWritten() {
        connection.config().setWriteBufferWaterMark(new WriteBufferWaterMark(1, 2));
        write(HEALTH_CHECK + "GET /hig");
        assertThat(read()).startsWith("HTTP/1.1 204 ");

        seconds(10);
        assertThat(connection.isOpen()).isFalse();
    }

    private void readAnswers(boolean areRead) {
        connection.unsafe().outboundBuffer().setUserDefinedWritability(1, areRead);
        connection.runPendingTasks();
    }

    private void everySecond(int seconds) {
        for (int i = 0; i < seconds; i++) {
            seconds(1);
        }
    }

    @Test
    void areClosed_ifTheyReadNoAnswers_onceMemoryIsScarce() {
        MemoryBudget budget = MemoryBudget.of(framework);
        write(HEALTH_CHECK);
        assertThat(read()).startsWith("HTTP/1.1 204 ");
        readAnswers(false);
        write(HEALTH_CHECK);
        everySecond(20);
        assertThat(connection.isOpen()).isTrue();
        readAnswers(true);
        assertThat(read()).startsWith("HTTP/1.1 204 ");
        readAnswers(false);
        write(HEALTH_CHECK);
        assertThat(connection.config().isAutoRead()).isTrue();

        budget.limit(1);
        write(HEALTH_CHECK);
        everySecond(20);
        assertThat(connection.isOpen()).as("what it holds is small").isTrue();
        write(HEALTH_CHECK.repeat(1 + 1024 / HEALTH_CHECK.length()));
        AtomicReference<MemoryBudget.Body> other = new AtomicReference<>();
        other.set(
                budget.open(connection.eventLoop(), () -> other.get().mayGrow()).begin(() -> {}));
        other.get().add(2048);
        assertThat(other.get().mayGrow()).isFalse();
        assertThat(connection.isOpen()).isTrue();
        await().untilAsserted(() -> {
            connection.runPendingTasks();
            assertThat(connection.isOpen()).isFalse();
        });
        assertThat(budget.bytes()).isEqualTo(2048);
    }

    @Test
    void holdNoMemory_onceTheirCompressedRequestIsRefused() {
        String requests = "POST /highway/shanghai/a.B/c HTTP/1.1\r\nhost: h\r\ncontent-type: application/x-dubbo\r\n"
                + "highway-encoding: gzip\r\ncontent-length: 4\r\n\r\nnone" + HEALTH_CHECK;
        // Not by write(), which would also run a refusal that a thread of the pool has handed over by then.
        connection.pipeline().fireChannelRead(Unpooled.copiedBuffer(requests, US_ASCII));
        MemoryBudget buffered = MemoryBudget.of(framework);
        assertThat(buffered.bytes()).isGreaterThanOrEqualTo(HEALTH_CHECK.length());

        await().untilAsserted(() -> {
            connection.runPendingTasks();
            assertThat(read()).startsWith("HTTP/1.1 400 ");
        });
        assertThat(connection.isOpen()).isTrue();
        assertThat(buffered.bytes()).isZero();
    }

    @Test
    void holdNoBuffer_thatWasAllocatedForMore() {
        ByteBuf whole = Unpooled.buffer(64 * 1024).writeBytes(HEALTH_CHECK.getBytes(US_ASCII));
        ByteBuf more = Unpooled.buffer(64 * 1024).writeBytes((HEALTH_CHECK + "GET ").getBytes(US_ASCII));
        connection.writeInbound(whole, more);

        assertThat(whole.refCnt()).isZero();
        assertThat(more.refCnt()).isZero();
        assertThat(MemoryBudget.of(framework).bytes()).isEqualTo("GET ".length());
    }

    @Test
    void holdNoMoreThanIsCounted_ofAHead() {
        String half = "POST /highway/shanghai/a.B/c HTTP/1.1\r\nhost: h\r\nx: y";
        write(half);
        assertThat(MemoryBudget.of(framework).bytes()).isEqualTo(half.length());
        write("\r\n".repeat(2));
        assertThat(read()).startsWith("HTTP/1.1 400 ");
        assertThat(MemoryBudget.of(framework).bytes()).isZero();
    }

    @Test
    void areClosedASecondAfterARefusal() {
        write("POST /highway HTTP/1.1\r\nhost: h\r\n\r\n");
        assertThat(read()).startsWith("HTTP/1.1 400 ").contains("connection: close");
        write("more");
        assertThat(connection.isOpen()).isTrue();

        seconds(1);
        assertThat(connection.isOpen()).isFalse();
        assertThat(read()).isEqualTo("nothing");
    }

    @Test
    void haveTenSecondsForTheirFirstBytes() {
        seconds(9);
        assertThat(connection.isOpen()).isTrue();

        seconds(1);
        assertThat(connection.isOpen()).isFalse();
        assertThat(read()).isEqualTo("nothing");
    }
}

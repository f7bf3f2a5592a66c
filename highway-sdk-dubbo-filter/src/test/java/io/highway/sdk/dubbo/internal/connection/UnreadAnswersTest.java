// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.internal.limits.BufferedBytes;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UnreadAnswersTest {

    private static final int LIMIT = 8 * 1024 * 1024;
    private static final int QUARTER = LIMIT / 4;

    private final BufferedBytes buffered = new BufferedBytes();
    private int reads;
    private EmbeddedChannel connection;

    @BeforeEach
    void connect() {
        buffered.limit(LIMIT);
        connection = connection();
        connection.freezeTime();
        reads = 0;
    }

    private EmbeddedChannel connection() {
        return new EmbeddedChannel(
                new ChannelOutboundHandlerAdapter() {
                    @Override
                    public void read(ChannelHandlerContext context) {
                        reads++;
                        context.read();
                    }
                },
                new UnreadAnswers(buffered));
    }

    @AfterEach
    void close() {
        connection.finishAndReleaseAll();
        assertThat(buffered.unread()).hasValue(0);
    }

    /** They wait as those of a peer that does not read. */
    @SuppressWarnings("FutureReturnValueIgnored")
    private static void answer(EmbeddedChannel to, int bytes) {
        to.write(Unpooled.wrappedBuffer(new byte[bytes]));
    }

    @Test
    void areReadOn_upToAQuarterOfTheLimit() {
        answer(connection, QUARTER - 1000);

        connection.read();

        assertThat(reads).isEqualTo(1);
    }

    @Test
    void holdUpTheirConnection_untilTheyAreRead() {
        answer(connection, QUARTER + 1);

        connection.read();
        assertThat(reads).isZero();
        connection.flush();

        assertThat(reads).isEqualTo(1);
        connection.read();
        assertThat(reads).isEqualTo(2);
    }

    @Test
    void ofSeveralConnections_shareTheQuarter() {
        EmbeddedChannel other = connection();
        answer(other, QUARTER);
        answer(connection, QUARTER / 2 + 1000);
        reads = 0; // a new connection is read

        connection.read();

        assertThat(reads).isZero();
        other.finishAndReleaseAll();
    }

    @Test
    void endTheirConnection_whenNoneIsReadForTenSeconds() {
        answer(connection, QUARTER + 1);
        connection.read();

        connection.advanceTimeBy(9, TimeUnit.SECONDS);
        connection.runScheduledPendingTasks();
        assertThat(connection.isOpen()).isTrue();
        connection.advanceTimeBy(1, TimeUnit.SECONDS);
        connection.runScheduledPendingTasks();

        assertThat(connection.isOpen()).isFalse();
    }

    /** Calls that run on are answered, and their answers add to those that wait. */
    @Test
    void endNoConnection_forAnswersThatCome() {
        answer(connection, QUARTER + 1);
        connection.read();
        answer(connection, QUARTER);

        connection.advanceTimeBy(10, TimeUnit.SECONDS);
        connection.runScheduledPendingTasks();
        assertThat(connection.isOpen()).isTrue();
        connection.advanceTimeBy(10, TimeUnit.SECONDS);
        connection.runScheduledPendingTasks();

        assertThat(connection.isOpen()).isFalse();
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BufferedBytesTest {

    private static final int LIMIT = 1024 * 1024;

    private final BufferedBytes buffered = new BufferedBytes();

    private BufferedBytes.Body body(int bytes) {
        BufferedBytes.Body begun = buffered.connection(new EmbeddedChannel().eventLoop(), () -> {}, () -> false)
                .begin();
        begun.add(bytes);
        return begun;
    }

    /** Its peer may send a frame of the whole limit, as slowly as is allowed. */
    @Test
    void othersDoNotWait_forAMessageThatIsLargerThanThePayload() {
        buffered.limit(LIMIT);
        BufferedBytes.Body large = body(LIMIT);
        large.oversized();
        BufferedBytes.Body small = body(LIMIT / 8);

        assertThat(large.mayGrow()).isFalse();
        assertThat(small.mayGrow()).isTrue();
    }

    /** Its header may arrive in parts, and tells its length only when others have begun to wait for it. */
    @Test
    void othersDoNotWaitAnyLonger_forAMessageThatTurnsOutToBeLarger() {
        buffered.limit(LIMIT);
        BufferedBytes.Body large = body(LIMIT);
        BufferedBytes.Body small = body(LIMIT / 8);
        assertThat(large.mayGrow()).isTrue();

        large.oversized();

        assertThat(large.mayGrow()).isFalse();
        assertThat(small.mayGrow()).isTrue();
    }

    /** Each of them may have less than every connection may have, and together they would end the process. */
    @Test
    void manyConnections_takeLittleMoreThanTwiceTheLimit() {
        buffered.limit(LIMIT);
        List<BufferedBytes.Body> bodies =
                IntStream.range(0, 500).mapToObj(number -> body(0)).toList();

        for (BufferedBytes.Body body : bodies) {
            for (int read = 0; read < 30 && body.mayGrow(); read++) {
                body.add(2048);
            }
        }

        assertThat(buffered.bytes()).isBetween(2L * LIMIT, 3L * LIMIT + 60_000);
        bodies.subList(0, 100).forEach(BufferedBytes.Body::release);
        assertThat(bodies.subList(100, bodies.size())).anyMatch(BufferedBytes.Body::mayGrow);
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.internal.memory.MemoryBudget.Account;
import io.highway.sdk.dubbo.internal.memory.MemoryBudget.Body;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryBudgetTest {

    private static final int KB = 1024;
    private static final int LIMIT = 1024 * KB;

    private final Queue<Runnable> looks = new ArrayDeque<>();
    private final MemoryBudget budget = new MemoryBudget(looks::add);
    private final EmbeddedChannel loop = new EmbeddedChannel();
    private final List<Body> waiting = new ArrayList<>();
    private final List<Body> refused = new ArrayList<>();

    @BeforeEach
    void limit() {
        budget.limit(LIMIT);
    }

    private Account connection() {
        return budget.open(loop.eventLoop(), () -> List.copyOf(waiting).forEach(Body::mayGrow));
    }

    private boolean mayGrow(Body body) {
        waiting.add(body);
        return body.mayGrow();
    }

    private Body body(Account connection, long bytes) {
        Body[] self = new Body[1];
        self[0] = connection.begin(() -> {
            refused.add(self[0]);
            waiting.remove(self[0]);
            self[0].release();
        });
        self[0].add(bytes);
        return self[0];
    }

    private Body body(long bytes) {
        return body(connection(), bytes);
    }

    /** A second has passed. */
    private void look() {
        lookOnly();
        loop.runPendingTasks();
    }

    private void lookOnly() {
        Runnable look = looks.poll();
        if (look != null) {
            look.run();
        }
    }

    @ParameterizedTest
    @CsvSource({
        // KB of its connection's other bodies, of all others, of a body; whether it may grow
        "0, 0, 512, true", // within the limit
        "0, 800, 90, true", // up to seven eighths
        "0, 800, 200, false", // the last eighth is for small ones
        "0, 1500, 60, true", // of a small connection
        "512, 1500, 60, true", // of small ones, which have not used up their eighth
        "0, 2100, 60, true", // the same over twice the limit
        "0, 1500, 80, false", // large
    })
    void aBodyMayGrow(int ofConnection, int ofOthers, int own, boolean may) {
        Account connection = connection();
        body(connection, ofConnection * KB).incomplete(false);
        body(ofOthers * KB).incomplete(false);
        Body chosen = body(2L * LIMIT);
        boolean unused = chosen.mayGrow(); // is the one that may grow over the limit
        chosen.remove(2L * LIMIT - 1);

        assertThat(mayGrow(body(connection, own * KB))).isEqualTo(may);
    }

    /** Each of them may have less than every connection may have, and together they would end the process. */
    @Test
    void manyConnections_takeLittleMoreThanTwiceTheLimit() {
        List<Body> bodies = IntStream.range(0, 500).mapToObj(number -> body(0)).toList();

        for (Body body : bodies) {
            for (int read = 0; read < 30 && mayGrow(body); read++) {
                body.add(2 * KB);
            }
        }

        assertThat(budget.bytes()).isBetween(2L * LIMIT, 3L * LIMIT + 60_000);
        bodies.subList(0, 480).forEach(Body::release);
        assertThat(bodies.subList(480, 500)).allMatch(this::mayGrow);
    }

    @Test
    void overTheLimit_theLargestOfTheConnectionThatHoldsMostMayGrow_untilItIsReleased() {
        Body alone = body(400 * KB);
        Account most = connection();
        Body first = body(most, 300 * KB);
        Body second = body(most, 350 * KB);

        assertThat(mayGrow(first)).isFalse();
        assertThat(mayGrow(alone)).isFalse();
        assertThat(mayGrow(second)).isTrue();

        second.add(LIMIT / 4);
        second.incomplete(false);
        assertThat(mayGrow(first)).as("its call runs").isFalse();
        body(LIMIT).incomplete(false);
        second.release();
        assertThat(mayGrow(alone)).isTrue();
        assertThat(mayGrow(first)).isFalse();
    }

    @Test
    void whatGainsNothingForASecond_isRefused_andTheNextIsRead() {
        Body stalled = body(900 * KB);
        Body other = body(300 * KB);
        assertThat(mayGrow(other)).isFalse();

        look();
        assertThat(refused).as("it had less than a second").isEmpty();
        stalled.add(MemoryBudget.STEP);
        look();
        assertThat(refused).as("it has gained enough").isEmpty();
        look();

        assertThat(refused).containsExactly(stalled);
        assertThat(mayGrow(other)).isTrue();
        look();
        assertThat(refused).containsExactly(stalled);
    }

    /** Those of one link share it, so that each of them gains little. */
    @Test
    void whatWaits_andGainsEnoughTogether_isNotRefused() {
        List<Body> bodies =
                IntStream.range(0, 12).mapToObj(number -> body(100 * KB)).toList();
        bodies.forEach(this::mayGrow);
        look();

        for (int second = 0; second < 4; second++) {
            bodies.forEach(body -> body.add(2 * KB));
            look();
        }
        assertThat(refused).isEmpty();
        bodies.forEach(body -> body.add(KB));
        look();

        assertThat(refused).hasSize(1);
    }

    /** The thread that decodes it may be busy. */
    @Test
    void whileAWholeAnswerIsDecoded_nothingIsRefused() {
        Body answer = body(900 * KB);
        answer.begun();
        Body other = body(300 * KB);
        other.begun();
        assertThat(mayGrow(answer)).isTrue();
        assertThat(mayGrow(other)).isFalse();
        answer.incomplete(false);

        look();
        look();
        look();
        assertThat(refused).isEmpty();

        answer.release();
        assertThat(mayGrow(other)).isTrue();
    }

    @Test
    void overTwiceTheLimit_asManyAreRefusedAsExceedIt() {
        List<Body> bodies =
                IntStream.range(0, 30).mapToObj(number -> body(100 * KB)).toList();
        bodies.forEach(this::mayGrow);

        look();
        look();

        assertThat(refused).hasSize(10);
        assertThat(budget.bytes()).isLessThan(2L * LIMIT);
    }

    @Test
    void whatAServiceHasBegunToRead_isRefusedLast_andWhatIsWholeNever() {
        Body stream = body(600 * KB);
        stream.begun();
        Body whole = body(600 * KB);
        whole.incomplete(false);
        Body quiet = body(200 * KB);
        quiet.begun();
        Body request = body(100 * KB);
        boolean unused = mayGrow(quiet) || mayGrow(request);

        look();
        look();
        assertThat(refused).containsExactly(request);
        look();
        assertThat(refused).containsExactly(request, stream);
        body(LIMIT).incomplete(false);
        look();
        quiet.incomplete(false);
        look();
        look();
        assertThat(refused).doesNotContain(whole, quiet);
    }

    @Test
    void whatIsCompletedMeanwhile_isNotRefused() {
        Body stalled = body(2 * LIMIT);
        assertThat(mayGrow(stalled)).isTrue();
        assertThat(mayGrow(body(LIMIT))).isFalse();

        look();
        lookOnly();
        stalled.incomplete(false);
        loop.runPendingTasks();

        assertThat(refused).isEmpty();
    }

    @Test
    void aStreamWaitsForItsService() {
        Body stream = body(LIMIT / 4);
        long message = stream.passOn(LIMIT / 4);
        assertThat(mayGrow(stream)).isFalse();

        stream.taken(message);
        assertThat(mayGrow(stream)).isTrue();
        assertThat(budget.bytes()).isZero();
    }

    @Test
    void nothingCountsTwice_norAfterItsRelease() {
        Body body = body(100 * KB);
        body.remove(50 * KB);
        assertThat(budget.bytes()).isEqualTo(50 * KB);

        body.release();
        body.release();
        body.remove(KB);
        body.add(100 * KB);

        assertThat(budget.bytes()).isZero();
        assertThat(mayGrow(body(800 * KB))).as("nor as small").isTrue();
    }

    @Test
    void theCallOfALostConnection_countsForAWhile() {
        Body large = body(100 * KB);
        Body small = body(KB);

        large.releaseLater();
        small.releaseLater();
        assertThat(budget.bytes()).isEqualTo(100 * KB);

        Body released = body(100 * KB);
        released.releaseLater();
        released.release();
        assertThat(budget.bytes()).isEqualTo(100 * KB);
        loop.advanceTimeBy(MemoryBudget.KEPT_SECONDS, TimeUnit.SECONDS);
        loop.runScheduledPendingTasks();
        assertThat(budget.bytes()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"1073741824, 262144", "67108864, 131072", "8388608, 65536"})
    void aStreamHasAWindowByTheLimit(long limit, int window) {
        budget.limit(limit);

        assertThat(budget.streamWindow()).isEqualTo(window);
    }
}

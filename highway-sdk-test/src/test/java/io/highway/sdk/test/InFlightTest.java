// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.Reason;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Asynchronous calls of slow islands, by the clock of the test; calls have three seconds unless configured. */
@HighwayTest(
        home = "zhejiang",
        islands = {"shanghai", "beijing", "guangzhou"},
        properties = {"highway.islands.beijing.tunnel=dubbo", "highway.islands.guangzhou.tunnel=http"})
class InFlightTest {

    interface Quotes {

        CompletableFuture<String> later(String item);

        String now(String item);
    }

    private record Service(String island) implements Quotes {

        @Override
        public CompletableFuture<String> later(String item) {
            return CompletableFuture.completedFuture(now(item));
        }

        @Override
        public String now(String item) {
            return item + " in " + island;
        }
    }

    private static Quotes slow(Islands islands, String island, Quotes quotes, int seconds) {
        islands.at(island).serves(Quotes.class, new Service(island)).delays(Duration.ofSeconds(seconds));
        return Highway.to(island).bind(Quotes.class, quotes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"shanghai", "beijing", "guangzhou"})
    void isInFlight_untilTheTestAdvances(String island, Islands islands, Quotes quotes) {
        CompletableFuture<String> answer = slow(islands, island, quotes, 2).later("tea");

        islands.advance(Duration.ofMillis(1999));
        assertThat(answer).isNotDone();
        assertThat(islands.outcomes()).isEmpty();
        islands.advance(Duration.ofMillis(1));

        assertThat(answer).isCompletedWithValue("tea in " + island);
        assertThat(islands.outcomes()).extracting(CallOutcome::duration).containsExactly(Duration.ofSeconds(2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"shanghai", "beijing", "guangzhou"})
    void timesOut(String island, Islands islands, Quotes quotes) {
        CompletableFuture<String> answer = slow(islands, island, quotes, 4).later("tea");

        islands.advance(Duration.ofMillis(2999));
        assertThat(answer).isNotDone();
        islands.advance(Duration.ofSeconds(2));

        assertThatThrownBy(answer::join).cause().isInstanceOfSatisfying(HighwayException.class, late -> {
            assertThat(late.reason()).isEqualTo(Reason.TIMEOUT);
            assertThat(late.mayHaveRun()).isTrue();
        });
        assertThat(islands.at(island).calls()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"shanghai", "beijing", "guangzhou"})
    void isCancelled(String island, Islands islands, Quotes quotes) {
        CompletableFuture<String> answer = slow(islands, island, quotes, 2).later("tea");

        answer.cancel(true);
        islands.advance(Duration.ofSeconds(4));

        assertThat(answer).isCancelled();
        assertThat(islands.outcomes()).extracting(CallOutcome::outcome).containsExactly(Outcome.SENT_UNKNOWN);
        assertThat(islands.at(island).calls()).hasSize(1);
    }

    @Test
    void endsTwoSlowIslands_eachAtItsTime(Islands islands, Quotes quotes) {
        CompletableFuture<String> inBeijing =
                slow(islands, "beijing", quotes, 2).later("tea");
        CompletableFuture<String> inShanghai =
                slow(islands, "shanghai", quotes, 1).later("tea");
        CompletableFuture<Object> first = CompletableFuture.anyOf(inBeijing, inShanghai);

        islands.advance(Duration.ofSeconds(1));
        assertThat(first).isCompletedWithValue("tea in shanghai");
        assertThat(inBeijing).isNotDone();
        islands.advance(Duration.ofSeconds(1));

        assertThat(inBeijing).isCompletedWithValue("tea in beijing");
        assertThat(islands.outcomes())
                .extracting(CallOutcome::duration)
                .containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(2));
    }

    @Test
    void endsCallsInTheOrderOfTheirTimes_alsoThoseThatFollow(Islands islands, Quotes quotes) {
        Quotes beijing = slow(islands, "beijing", quotes, 1);
        CompletableFuture<String> both =
                slow(islands, "shanghai", quotes, 1).later("tea").thenCompose(beijing::later);

        islands.advance(Duration.ofSeconds(5));

        assertThat(both).isCompletedWithValue("tea in shanghai in beijing");
        assertThat(islands.outcomes()).extracting(CallOutcome::duration).containsOnly(Duration.ofSeconds(1));
    }

    @Test
    void countsTheTimeOfSynchronousCalls(Islands islands, Quotes quotes) {
        CompletableFuture<String> inBeijing =
                slow(islands, "beijing", quotes, 2).later("tea");

        assertThat(slow(islands, "shanghai", quotes, 1).now("tea")).isEqualTo("tea in shanghai");
        assertThat(inBeijing).isNotDone();
        islands.advance(Duration.ofSeconds(1));

        assertThat(inBeijing).isCompletedWithValue("tea in beijing");
    }

    @Test
    void endsInRealTime_whereTestedCodeWaits(Islands islands, Quotes quotes) {
        islands.at("shanghai").serves(Quotes.class, new Service("shanghai")).delays(Duration.ofMillis(200));
        Quotes shanghai = Highway.to("shanghai").bind(Quotes.class, quotes);

        assertThat(shanghai.later("tea").join()).isEqualTo("tea in shanghai");
        assertThat(islands.outcomes()).extracting(CallOutcome::duration).containsExactly(Duration.ofMillis(200));
    }

    @Test
    void endsWithTheTest(Islands islands, Quotes quotes) {
        CompletableFuture<String> answer = slow(islands, "shanghai", quotes, 2).later("tea");

        islands.reset();

        assertThat(answer).isCompletedWithValue("tea in shanghai");
        assertThat(islands.outcomes()).isEmpty();
    }

    @Test
    void endsWithTheTest_asDoCallsThatFollowIt(Islands islands, Quotes quotes) {
        Quotes shanghai = slow(islands, "shanghai", quotes, 2);
        CompletableFuture<String> second = shanghai.later("tea").thenCompose(first -> shanghai.later("rice"));

        islands.reset();

        assertThat(second).isCompletedWithValue("rice in shanghai");
        assertThat(islands.outcomes()).isEmpty();
    }
}

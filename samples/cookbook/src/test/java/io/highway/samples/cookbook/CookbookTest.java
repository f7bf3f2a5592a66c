// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.cookbook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.test.Islands;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;

/** Each program of {@code docs/start/cookbook.md} does what the page says. */
class CookbookTest extends Kitchen {

    @Autowired
    AsyncNotifications notifications;

    @Autowired
    MeterRegistry meters;

    /** A call for an island that a test does not declare would fail the test. */
    @AfterEach
    void forgetUnknownIslands(Islands islands) {
        islands.reset();
    }

    @Test
    void synchronousCall() {
        assertThat(new SynchronousCall(sms).send("hello")).isEqualTo("hello in shanghai");
        assertThat(sms.send("hello")).isEqualTo("hello in zhejiang");
    }

    @Test
    void futureComposition() throws Exception {
        FutureComposition futures = new FutureComposition(sms);

        assertThat(futures.sendToBoth("hello").get(20, TimeUnit.SECONDS))
                .isEqualTo("hello in shanghai, hello in beijing");
        assertThat(futures.forward("hello").get(20, TimeUnit.SECONDS)).isEqualTo("hello in shanghai in beijing");
    }

    @Test
    void reactiveCalls() {
        List<String> answers = new ReactiveCalls(sms)
                .sendToEach(List.of("shanghai", "beijing"), "hello")
                .collectList()
                .block(Duration.ofSeconds(20));

        assertThat(answers).containsExactlyInAnyOrder("hello in shanghai", "hello in beijing");
    }

    @Test
    void asyncNotifications() throws Exception {
        String inScope =
                Highway.to("beijing").call(() -> notifications.send("hello")).get(20, TimeUnit.SECONDS);
        String outside = notifications.send("hello").get(20, TimeUnit.SECONDS);

        assertThat(List.of(inScope, outside)).containsExactly("hello in beijing", "hello in zhejiang");
    }

    @Test
    void eachIsland() {
        assertThat(new EachIsland(sms).sendToEach(List.of("shanghai", "tokyo", "beijing"), "hello"))
                .containsExactly(
                        Map.entry("shanghai", "hello in shanghai"),
                        Map.entry("tokyo", "not sent"),
                        Map.entry("beijing", "hello in beijing"));
    }

    @ParameterizedTest
    @CsvSource({
        "user-1, 24, shanghai",
        "user-2, 50, beijing",
        "10001, 55, beijing",
        "张三, 46, shanghai",
        "310000, 0, shanghai"
    })
    void unitIslands(String key, int unit, String island) {
        assertThat(UnitIslands.unit(key)).isEqualTo(unit);
        assertThat(new UnitIslands().islandOf(key)).isEqualTo(island);
    }

    @Test
    void ownFallback_onlyForCallsThatHaveNotRun(Islands islands) {
        OwnFallback fallback = new OwnFallback(sms);
        islands.at("guangdong").isDown();

        assertThat(fallback.send("shanghai", "hello")).isEqualTo("hello in shanghai");
        assertThat(fallback.send("guangdong", "hello")).isEqualTo("hello in zhejiang");
        assertThatThrownBy(() -> fallback.send("shanghai", FAILS))
                .isInstanceOf(HighwayException.class)
                .hasMessageContaining("it may have run");
    }

    @Test
    void batch_ofWhichFourCallsRunAtATime() throws Exception {
        List<String> texts = IntStream.range(0, 200).mapToObj(String::valueOf).toList();
        MOST_AT_A_TIME.set(0);

        List<String> answers = new Batch(sms).sendAll("guangdong", texts).get(20, TimeUnit.SECONDS);

        assertThat(answers)
                .containsExactlyElementsOf(
                        texts.stream().map(text -> text + " in guangdong").toList());
        assertThat(MOST_AT_A_TIME).satisfies(most -> assertThat(most.get()).isBetween(1, 4));
    }

    @Test
    void areaIslands_thenTheConfiguration() {
        assertThat(sms.sendTo("010", "hello")).isEqualTo("hello in beijing");
        assertThat(sms.sendTo("310000", "hello")).isEqualTo("hello in shanghai");
        assertThatThrownBy(() -> sms.sendTo("0755", "hello")).isInstanceOf(HighwayException.class);
    }

    @Test
    void callMeters() {
        String call = SmsService.class.getName() + "#send";
        long delivered = meters.timer("sms.delivered", "call", call).count();
        double refused =
                meters.counter("sms.failed", "reason", "unknown-island").count();

        new EachIsland(sms).sendToEach(List.of("shanghai", "tokyo"), "hello");

        assertThat(meters.timer("sms.delivered", "call", call).count()).isEqualTo(delivered + 1);
        assertThat(meters.counter("sms.failed", "reason", "unknown-island").count())
                .isEqualTo(refused + 1);
    }
}

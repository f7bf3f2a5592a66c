// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.highway.sdk.Highway;
import io.highway.sdk.Island;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The snippets of {@code docs/guides/testing.md}, which {@code DocsTest} compares. */
class GuideTest {

    /** The service of the guide. */
    @Island("shanghai")
    public interface Stock {

        int count(String item);
    }

    @Nested
    @HighwayTest(
            home = "zhejiang",
            islands = {"shanghai", "beijing"},
            properties = {"highway.islands.shanghai.fallback=home", "beijing:highway.guard.rules.no.action=deny"})
    class StockTest {

        @Test
        void homeAnswers_whenShanghaiIsDown(Islands islands, Stock stock) {
            islands.at("shanghai").serves(Stock.class, item -> 7).isDown();
            islands.home().serves(Stock.class, item -> 1);

            assertThat(stock.count("tea")).isEqualTo(1);
            assertThat(islands.at("shanghai").calls()).isEmpty();
        }

        @Test
        void isRefused_byTheGuard(Islands islands, Stock stock) {
            islands.at("beijing").serves(Stock.class, item -> 7);
            Stock inBeijing = Highway.to("beijing").bind(Stock.class, stock);

            HighwayException refused = assertThrows(HighwayException.class, () -> inBeijing.count("tea"));

            assertThat(refused.reason()).isEqualTo(Reason.REFUSED_THERE);
        }

        @Test
        void mayHaveRun_whenTheSecondAnswerIsLost(Islands islands, Stock stock) {
            islands.at("shanghai").serves(Stock.class, item -> 7).onCall(2).losesAnswers();
            assertThat(stock.count("tea")).isEqualTo(7);

            HighwayException lost = assertThrows(HighwayException.class, () -> stock.count("tea"));

            assertThat(lost.mayHaveRun()).isTrue();
            assertThat(islands.at("shanghai").calls(Stock.class)).hasSize(2);
        }
    }

    @Test
    void runsWithoutTheExtension() {
        try (Islands islands = Islands.builder().islands("shanghai").start()) {
            islands.at("shanghai").serves(Stock.class, item -> 7).breakerOpen();
            Stock stock = islands.reference(Stock.class);
            assertThrows(HighwayException.class, () -> stock.count("tea"));

            islands.advance(Duration.ofSeconds(5)); // no time passes: the clock is the test's

            assertThat(stock.count("tea")).isEqualTo(7);
        }
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package com.example.stock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.test.HighwayTest;
import io.highway.sdk.test.Islands;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a new user tests first, written with README.md and docs/guides/testing.md only. */
@HighwayTest(
        home = "zhejiang",
        islands = {"shanghai", "beijing"},
        properties = "highway.islands.beijing.fallback=home")
class StockTest {

    private record Stock(int pieces) implements StockService {

        @Override
        public int count(String item) {
            return pieces;
        }

        @Override
        public int countIn(String item, String province) {
            return pieces;
        }
    }

    @BeforeEach
    void serve(Islands islands) {
        islands.home().serves(StockService.class, new Stock(1));
        islands.at("shanghai").serves(StockService.class, new Stock(7));
        islands.at("beijing").serves(StockService.class, new Stock(5));
    }

    @Test
    void isNotSent_whenShanghaiIsDown(Islands islands, StockService stock) {
        islands.at("shanghai").isDown();

        HighwayException failure = assertThrows(HighwayException.class, () -> stock.count("tea"));

        assertThat(failure.mayHaveRun()).isFalse();
        assertThat(islands.at("shanghai").calls()).isEmpty();
    }

    @Test
    void mayHaveRun_whenTheAnswerIsLost(Islands islands, StockService stock) {
        islands.at("shanghai").losesAnswers();

        HighwayException failure = assertThrows(HighwayException.class, () -> stock.count("tea"));

        assertThat(failure.mayHaveRun()).isTrue();
        assertThat(islands.at("shanghai").calls()).hasSize(1);
    }

    @Test
    void isRefused(Islands islands, StockService stock) {
        islands.at("shanghai").refuses(Reason.REFUSED_THERE);

        HighwayException failure = assertThrows(HighwayException.class, () -> stock.count("tea"));

        assertThat(failure.reason()).isEqualTo(Reason.REFUSED_THERE);
        assertThat(failure.mayHaveRun()).isFalse();
    }

    @Test
    void prefersTheScope(StockService stock) {
        int inBeijing = Highway.to("beijing").call(() -> stock.count("tea"));
        int atHome = Highway.home().call(() -> stock.count("tea"));

        assertThat(stock.count("tea")).isEqualTo(7);
        assertThat(inBeijing).isEqualTo(5);
        assertThat(atHome).isEqualTo(1);
    }

    @Test
    void goesToTheIslandOfTheKey(StockService stock) {
        assertThat(stock.countIn("tea", "beijing")).isEqualTo(5);
    }

    @Test
    void homeAnswers_whenBeijingIsDown(Islands islands, StockService stock) {
        islands.at("beijing").isDown();

        assertThat(stock.countIn("tea", "beijing")).isEqualTo(1);
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.kit.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.test.HighwayTest;
import io.highway.sdk.test.Islands;
import io.highway.tools.kit.user.StockService.Order;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ObjectAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a caller sees of islands. */
@HighwayTest(
        home = "zhejiang",
        islands = {"shanghai", "beijing"},
        properties = {
            "highway.islands.beijing.keys=north",
            "highway.islands.beijing.fallback=home",
            "highway.islands.shanghai.sign.key-id=k1",
            "highway.islands.shanghai.sign.secret=0123456789abcdef0123456789abcdef",
            "shanghai:highway.sign.accept.k1=0123456789abcdef0123456789abcdef",
            "shanghai:highway.sign.accept-from.k1=zhejiang/*"
        })
public final class IslandsTest {

    private static final Order ORDER = new Order("tea", "Li");

    @BeforeEach
    void serve(Islands islands) {
        islands.at("shanghai").serves(StockService.class, new Stock("shanghai"));
        islands.at("beijing").serves(StockService.class, new Stock("beijing"));
        islands.home().serves(StockService.class, new Stock("home"));
    }

    @Test
    void isNotSent_whenDown(Islands islands, StockService stock) {
        islands.at("shanghai").isDown();

        failure(stock).returns(false, HighwayException::mayHaveRun);
        assertThat(islands.at("shanghai").calls()).isEmpty();
    }

    @Test
    void mayHaveRun_whenTheAnswerIsLost(Islands islands, StockService stock) {
        islands.at("shanghai").losesAnswers();

        failure(stock).returns(Reason.TIMEOUT, HighwayException::reason).returns(true, HighwayException::mayHaveRun);
    }

    @Test
    void isRefused(Islands islands, StockService stock) {
        islands.at("shanghai").refuses(Reason.REFUSED_THERE);

        failure(stock)
                .returns(Reason.REFUSED_THERE, HighwayException::reason)
                .returns(false, HighwayException::mayHaveRun);
    }

    @Test
    void prefersTheScope(StockService stock) throws Exception {
        assertThat(stock.reserve(ORDER)).startsWith("shanghai:");
        assertThat(Highway.to("beijing").callChecked(() -> stock.reserve(ORDER)))
                .startsWith("beijing:");
        assertThat(Highway.home().callChecked(() -> stock.reserve(ORDER))).startsWith("home:");
    }

    @Test
    void goesToTheIslandOfTheKey(StockService stock) {
        assertThat(stock.count("north")).isEqualTo("beijing");
    }

    @Test
    void homeAnswers_onlyWhatWasNotSent(Islands islands, StockService stock) {
        islands.at("beijing").losesAnswers();
        assertThat(catchThrowable(() -> stock.count("north"))).isInstanceOf(HighwayException.class);
        assertThat(islands.home().calls()).isEmpty();

        islands.at("beijing").isDown();
        assertThat(stock.count("north")).isEqualTo("home");
    }

    private static ObjectAssert<HighwayException> failure(StockService stock) {
        return assertThat(catchThrowable(() -> stock.reserve(ORDER)))
                .asInstanceOf(InstanceOfAssertFactories.type(HighwayException.class));
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import org.junit.jupiter.api.Test;

/** A call to an island that the test does not declare, whose exception the tested code has caught. */
class UndeclaredIslandTest {

    @Test
    void failsTheTest_whereAndWhy() {
        try (Islands islands =
                Islands.builder().home("zhejiang").islands("shanghai").start()) {
            SmsService sms = islands.reference(SmsService.class);
            islands.at("shanghai").serves(SmsService.class, text -> "ok");
            Throwable caught = catchThrowable(() -> Highway.to("hangzhou").call(() -> sms.send("a")));

            assertThat(caught).isInstanceOf(HighwayException.class);
            assertThatThrownBy(islands::verify)
                    .isInstanceOf(AssertionError.class)
                    .hasMessage(SmsService.class.getName()
                            + "#send asked for island \"hangzhou\" (from scope), which the test does not declare: no"
                            + " configuration for island \"hangzhou\". Declare it, correct the code, or call islands.reset()"
                            + " after it, if the test is about that");
            islands.reset();
            islands.verify();
        }
    }

    @Test
    void failsTheFirstTest_ifItWasCalledBefore() {
        try (Islands islands = Islands.builder().islands("shanghai").start()) {
            SmsService sms = islands.reference(SmsService.class);
            Throwable caught = catchThrowable(() -> Highway.to("hangzhou").call(() -> sms.send("a")));

            assertThat(caught).isInstanceOf(HighwayException.class);
            assertThatThrownBy(() -> islands.begin("first"))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("hangzhou");
        }
    }

    @Test
    void explainsTheKey_ofAnUndeclaredIsland() {
        try (Islands islands = Islands.builder().islands("shanghai", "beijing").start()) {
            Shop shop = islands.reference(Shop.class);
            Throwable caught = catchThrowable(() -> shop.sellIn("330000", "tea"));

            assertThat(caught).isInstanceOf(HighwayException.class);
            assertThatThrownBy(islands::verify)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContainingAll(
                            "#sellIn asked for the island of key \"330000\"", "no configuration for island");
        }
    }

    @Test
    void hasNoProperties() {
        Islands.Builder builder = Islands.builder()
                .islands("shanghai")
                .property("highway.islands.shanghai.tunnel", "dubbo")
                .home("zhejiang");
        try (Islands islands = builder.start()) {
            assertThat(islands.keys()).containsEntry("highway.islands.shanghai.tunnel", "dubbo");
        }
        builder.property("bejing", "highway.guard.mode", "shadow");

        assertThatThrownBy(builder::start)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("properties: island \"bejing\" is not declared; the test has [shanghai, zhejiang]");
    }

    @Test
    void isNoIslandOfTheTest() {
        try (Islands islands = Islands.builder().islands("shanghai").start()) {
            assertThatThrownBy(() -> islands.at("hangzhou"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("island: \"hangzhou\" is not declared; the test has [home, shanghai]");
        }
    }
}

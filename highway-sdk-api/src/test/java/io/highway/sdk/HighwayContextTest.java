// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("try") // scopes are there to be closed
class HighwayContextTest {

    private static final Caller SHOP = Caller.of("zhejiang", "shop");

    static Stream<HighwayContext> contexts() {
        HighwayScope served = HighwayContext.servedFor(SHOP, 2).open();
        HighwayContext inARequest = Highway.to("shanghai").call(HighwayContext::capture);
        served.close();
        return Stream.of(
                HighwayContext.empty(),
                Highway.to("shanghai").call(HighwayContext::capture),
                Highway.home().call(HighwayContext::capture),
                HighwayContext.servedFor(SHOP, 2),
                HighwayContext.servedFor(null, 1),
                inARequest);
    }

    @AfterEach
    void nothingIsLeftOnTheThread() {
        assertThat(HighwayContext.capture()).isSameAs(HighwayContext.empty());
    }

    @ParameterizedTest
    @MethodSource("contexts")
    void isCapturedAsItWasOpened(HighwayContext context) {
        HighwayContext here;
        try (HighwayScope scope = context.open()) {
            assertThat(HighwayContext.capture().route()).isEqualTo(context.route());
            assertThat(Highway.caller()).isEqualTo(Optional.ofNullable(context.caller()));
            here = HighwayContext.capture();
        }
        HighwayContext there = CompletableFuture.supplyAsync(() -> {
                    try (HighwayScope scope = context.open()) {
                        return HighwayContext.capture();
                    }
                })
                .join();

        assertThat(here).isEqualTo(context).hasSameHashCodeAs(context);
        assertThat(there).isEqualTo(context);
        assertThat(here.hops()).isEqualTo(context.hops());
    }

    @ParameterizedTest
    @MethodSource("contexts")
    void hidesTheContextAround_andRestoresItWhenClosed(HighwayContext context) {
        try (HighwayScope around =
                        HighwayContext.servedFor(Caller.of("cloud", "app"), 7).open();
                HighwayScope scope = Highway.to("beijing").open()) {
            HighwayContext before = HighwayContext.capture();

            try (HighwayScope inside = context.open()) {
                assertThat(HighwayContext.capture()).isEqualTo(context).isNotEqualTo(before);
            }

            assertThat(HighwayContext.capture()).isEqualTo(before);
        }
    }

    @Test
    void tellsWhatItHolds() {
        HighwayContext served = HighwayContext.servedFor(SHOP, 2);
        HighwayContext home = Highway.home().call(HighwayContext::capture);

        assertThat(served.route()).isNull();
        assertThat(served.caller()).isEqualTo(SHOP);
        assertThat(served.hops()).isEqualTo(2);
        assertThat(served.isEmpty()).isFalse();
        assertThat(home.route()).isEqualTo(Highway.home());
        assertThat(home.isEmpty()).isFalse();
        assertThat(HighwayContext.empty().isEmpty()).isTrue();
        assertThat(HighwayContext.empty()).hasToString("empty");
        assertThat(home).hasToString("scope home");
        assertThat(HighwayContext.servedFor(null, 1)).hasToString("no scope, request of an unknown caller, hops 1");
        assertThat(served).hasToString("no scope, request of " + SHOP + ", hops 2");
    }

    @Test
    void differsFromOthers() {
        assertThat(HighwayContext.servedFor(SHOP, 2))
                .isEqualTo(HighwayContext.servedFor(SHOP, 2))
                .isNotEqualTo(HighwayContext.servedFor(SHOP, 3))
                .isNotEqualTo(HighwayContext.servedFor(null, 2))
                .isNotEqualTo(HighwayContext.empty())
                .isNotEqualTo(null);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void refusesARequestThatHasCrossedNoIsland(int hops) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HighwayContext.servedFor(SHOP, hops))
                .withMessage("hops: " + hops + " is not allowed; a request from another island has crossed at least 1."
                        + " For a request from home use HighwayContext.empty()");
    }
}

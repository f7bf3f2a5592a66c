// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highway.sdk.internal.Texts;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class HighwayScopeTest {

    @AfterEach
    void noScopeIsLeftOpen() {
        assertThat(HighwayContext.capture().route()).isNull();
    }

    @Test
    void appliesUntilItIsClosed() {
        HighwayScope scope = Highway.to("shanghai").open();

        assertThat(HighwayContext.capture().route()).isEqualTo(Highway.to("shanghai"));
        scope.close();
        assertThat(HighwayContext.capture().route()).isNull();
    }

    @Test
    void reportsTheLineThatOpenedAScope_whichCodeHasLost() {
        List<String> lost = new ArrayList<>();
        Consumer<String> ofThisClass = line -> {
            if (line.contains(HighwayScopeTest.class.getName())) {
                lost.add(line);
            }
        };
        HighwayScope around = HighwayContext.empty().open();
        try {
            openAndLose();
            Highway.to("beijing").open().close();
            HighwayScope kept = Highway.to("cloud").open();

            for (int i = 0; i < 100 && lost.isEmpty(); i++) {
                System.gc();
                InternalContexts.reportLostScopes(ofThisClass);
                Thread.onSpinWait();
            }

            assertThat(HighwayContext.capture().route()).isEqualTo(Highway.to("cloud"));
            kept.close();
            assertThat(HighwayContext.capture().route())
                    .as("is lost, not closed")
                    .isEqualTo(Highway.to("shanghai"));
        } finally {
            around.close();
        }
        InternalContexts.reportLostScopes(ofThisClass);
        assertThat(lost)
                .singleElement()
                .asString()
                .contains(HighwayScopeTest.class.getName() + ".openAndLose(HighwayScopeTest.java:");
    }

    private static void openAndLose() {
        HighwayScope unused = Highway.to("shanghai").open();
    }

    @Test
    void restoresTheOuterScope_whenNested() {
        List<HighwayRoute> seen = new ArrayList<>();

        Highway.to("shanghai").run(() -> {
            Highway.to("beijing").run(() -> {
                Highway.home().run(() -> seen.add(HighwayContext.capture().route()));
                seen.add(HighwayContext.capture().route());
            });
            seen.add(HighwayContext.capture().route());
        });

        assertThat(seen).containsExactly(Highway.home(), Highway.to("beijing"), Highway.to("shanghai"));
    }

    @Test
    void staysInTheInnermostScope_whenOuterOnesAreClosedFirst() {
        HighwayScope outer = Highway.to("shanghai").open();
        HighwayScope middle = Highway.to("beijing").open();
        HighwayScope inner = Highway.to("cloud").open();

        outer.close();
        assertThat(HighwayContext.capture().route()).isEqualTo(Highway.to("cloud"));
        middle.close();
        assertThat(HighwayContext.capture().route()).isEqualTo(Highway.to("cloud"));
        inner.close();
        assertThat(HighwayContext.capture().route()).isNull();
    }

    @Test
    void skipsAMiddleScopeThatWasClosedBefore() {
        HighwayScope outer = Highway.to("shanghai").open();
        HighwayScope middle = Highway.to("beijing").open();
        HighwayScope inner = Highway.to("cloud").open();

        middle.close();
        inner.close();

        assertThat(HighwayContext.capture().route()).isEqualTo(Highway.to("shanghai"));
        outer.close();
    }

    @Test
    void endsOnce_whenClosedTwice() {
        HighwayScope outer = Highway.to("shanghai").open();
        HighwayScope inner = Highway.to("beijing").open();

        inner.close();
        inner.close();

        assertThat(HighwayContext.capture().route()).isEqualTo(Highway.to("shanghai"));
        outer.close();
        outer.close();
    }

    @Test
    void leavesALaterScopeAlone_whenClosedAgain() {
        HighwayScope first = Highway.to("shanghai").open();
        first.close();
        HighwayScope second = Highway.to("beijing").open();

        first.close();

        assertThat(HighwayContext.capture().route()).isEqualTo(Highway.to("beijing"));
        second.close();
    }

    @Test
    void ends_whenClosedOnAnotherThread_andLeavesTheScopesThere() {
        HighwayScope outer = Highway.to("shanghai").open();
        HighwayScope inner = Highway.to("beijing").open();

        HighwayRoute there = CompletableFuture.supplyAsync(() -> {
                    HighwayScope own = Highway.to("cloud").open();
                    inner.close();
                    HighwayRoute seen = HighwayContext.capture().route();
                    own.close();
                    return seen;
                })
                .join();

        assertThat(there).isEqualTo(Highway.to("cloud"));
        assertThat(HighwayContext.capture().route()).isEqualTo(Highway.to("shanghai"));
        outer.close();
    }

    @Test
    void isNotSeenOnOtherThreads() {
        HighwayRoute there = Highway.to("shanghai").call(() -> CompletableFuture.supplyAsync(
                        () -> HighwayContext.capture().route())
                .join());

        assertThat(there).isNull();
    }

    @Test
    void returnsTheValueOfTheBody() {
        String tea = Highway.to("shanghai").call(() -> "tea");
        String checked = Highway.to("shanghai").callChecked(() -> "green tea");
        Object nothing = Highway.to("shanghai").call(() -> null);

        assertThat(tea).isEqualTo("tea");
        assertThat(checked).isEqualTo("green tea");
        assertThat(nothing).isNull();
    }

    @Test
    void restores_andPassesCheckedExceptionsUnchanged_whenTheBodyFails() {
        IOException broken = new IOException("broken");
        HighwayScope outer = Highway.to("shanghai").open();

        assertThatThrownBy(() -> Highway.to("beijing").callChecked(() -> {
                    throw broken;
                }))
                .isSameAs(broken);
        assertThat(HighwayContext.capture().route()).isEqualTo(Highway.to("shanghai"));
        assertThatThrownBy(() -> Highway.to("beijing").runChecked(() -> {
                    throw broken;
                }))
                .isSameAs(broken);
        assertThat(HighwayContext.capture().route()).isEqualTo(Highway.to("shanghai"));

        outer.close();
    }

    /** That this compiles is a part of the test: no other exception needs to be declared. */
    @Test
    void declaresWhatTheBodyThrows_andNothingElse() throws IOException {
        String read = Highway.to("shanghai").callChecked(HighwayScopeTest::read);
        Highway.to("shanghai").runChecked(() -> read());

        assertThat(read).isEqualTo("shanghai");
    }

    private static String read() throws IOException {
        HighwayRoute route = HighwayContext.capture().route();
        if (route == null) {
            throw new IOException("no scope");
        }
        return route.toString();
    }

    @Test
    void endsAScopeThatABodyForgot() {
        HighwayScope[] forgotten = new HighwayScope[1];

        Highway.to("shanghai").run(() -> {
            Highway.to("beijing").run(() -> forgotten[0] = Highway.to("cloud").open());
            assertThat(HighwayContext.capture().route()).isEqualTo(Highway.to("shanghai"));
        });

        assertThat(HighwayContext.capture().route()).isNull();
        forgotten[0].close();
        assertThat(HighwayContext.capture().route()).isNull();
    }

    @Test
    void endsAScopeThatWasLeftOpenInsideAContext() {
        HighwayScope around = HighwayContext.servedFor(null, 1).open();
        HighwayScope forgotten = Highway.to("cloud").open();

        around.close();

        assertThat(HighwayContext.capture()).isSameAs(HighwayContext.empty());
        forgotten.close();
    }

    @Test
    void leavesTheScopesOfAThreadAlone_whenAContextIsClosedOnAnother() throws Exception {
        HighwayScope around = HighwayContext.servedFor(null, 1).open();
        HighwayScope inner = Highway.to("cloud").open();

        CompletableFuture.runAsync(around::close).get();

        assertThat(HighwayContext.capture().route()).isEqualTo(Highway.to("cloud"));
        inner.close();
        assertThat(HighwayContext.capture().hops()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 100})
    void takesAnyNumberOfScopesInTurn_whenEachIsClosedAfterTheNextOnesAreOpened(int overlap) {
        Deque<HighwayScope> open = new ArrayDeque<>();

        for (int i = 0; i < 20_000; i++) {
            open.add(Highway.to("island-" + i).open());
            if (open.size() > overlap) {
                open.remove().close();
            }
        }

        assertThat(HighwayContext.capture().route()).isEqualTo(Highway.to("island-19999"));
        open.forEach(HighwayScope::close);
    }

    @Test
    void refusesToPileUp_whenScopesAreNotClosed() {
        List<HighwayScope> open = new ArrayList<>();

        assertThatThrownBy(() -> {
                    for (int i = 0; i < 100_000; i++) {
                        open.add(Highway.to("shanghai").open());
                    }
                })
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("1000 scopes are open on this thread")
                .hasMessageContaining("try-with-resources");
        assertThat(open).hasSize(1000);
        open.forEach(HighwayScope::close);
        assertThat(Highway.to("beijing").call(() -> HighwayContext.capture().route()))
                .isEqualTo(Highway.to("beijing"));
    }

    @Test
    void forcesHome_andReportsIt() {
        HighwayRoute inside = Highway.to("shanghai")
                .call(() -> Highway.home().call(() -> HighwayContext.capture().route()));

        assertThat(inside).isSameAs(Highway.home());
        assertThat(inside.island()).isNull();
        assertThat(inside).hasToString("home");
    }

    @Test
    void comparesRoutesByIsland() {
        assertThat(Highway.to("shanghai"))
                .isEqualTo(Highway.to("shanghai"))
                .hasSameHashCodeAs(Highway.to("shanghai"))
                .isNotEqualTo(Highway.to("beijing"))
                .isNotEqualTo(Highway.home())
                .isNotEqualTo("shanghai")
                .hasToString("shanghai");
        assertThat(Highway.to("shanghai").island()).contains("shanghai");
        assertThat(Highway.home()).isEqualTo(Highway.home()).isNotEqualTo(null);
    }

    @Test
    void capturesTheScopeAroundATask_andNotTheOneAroundItsRun() {
        List<HighwayRoute> seen = new ArrayList<>();
        Runnable task = Highway.to("shanghai")
                .call(() -> Highway.wrap(
                        (Runnable) () -> seen.add(HighwayContext.capture().route())));

        Highway.to("beijing").run(() -> {
            task.run();
            seen.add(HighwayContext.capture().route());
        });

        assertThat(seen).containsExactly(Highway.to("shanghai"), Highway.to("beijing"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Shanghai", "shang\r\nhai"})
    void refusesARouteToWhatIsNoIslandId(String island) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Highway.to(island))
                .withMessage(Texts.islandProblem("island", island));
    }

    @ParameterizedTest
    @NullSource
    void namesTheArgument_whenItIsNull(String island) {
        assertThatNullPointerException().isThrownBy(() -> Highway.to(island)).withMessage("island");
        assertThatNullPointerException()
                .isThrownBy(() -> Highway.home().call(null))
                .withMessage("body");
        assertThatNullPointerException()
                .isThrownBy(() -> Highway.home().run(null))
                .withMessage("body");
        assertThatNullPointerException()
                .isThrownBy(() -> Highway.home().callChecked(null))
                .withMessage("body");
        assertThatNullPointerException()
                .isThrownBy(() -> Highway.home().runChecked(null))
                .withMessage("body");
    }
}

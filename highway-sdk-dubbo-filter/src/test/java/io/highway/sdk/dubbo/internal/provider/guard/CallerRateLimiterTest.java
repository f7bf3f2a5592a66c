// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.Caller;
import io.highway.sdk.dubbo.internal.policy.GuardRule;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rates are so low that a slow machine changes nothing, or so high that no second matters. */
class CallerRateLimiterTest {

    private static final Caller SHOP = Caller.of("zhejiang", "shop");

    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(3)); // overflows soon
    private final CallerRateLimiter rates = new CallerRateLimiter(clock::get);

    private static GuardRule rule(String name, int perSecond) {
        return PolicyParser.parse(
                        RawSettings.of(
                                Map.of(
                                        "highway.island",
                                        "shanghai",
                                        "highway.guard.rules." + name + ".action",
                                        "allow",
                                        "highway.guard.rules." + name + ".rate",
                                        perSecond + "/s"),
                                "test"),
                        "static",
                        null)
                .orElseThrow()
                .guard()
                .rules()
                .get(0);
    }

    /** How many of these calls pass; within one second, since the real one may end in between. */
    private long passed(GuardRule rule, Caller caller, int calls) {
        return IntStream.range(0, calls)
                .filter(i -> rates.nanosToWait(rule, caller) == 0)
                .count();
    }

    @Test
    void admitsTheRate_andTellsWhenToRetry() {
        GuardRule five = rule("a", 5);

        long passed = passed(five, SHOP, 100);
        long wait = rates.nanosToWait(five, SHOP);

        assertThat(passed).isBetween(5L, 10L);
        assertThat(wait).isBetween(1L, TimeUnit.SECONDS.toNanos(1));
    }

    @Test
    void limitsEachCaller_whateverItsSignature() {
        GuardRule five = rule("a", 5);

        assertThat(passed(five, SHOP, 100)).isBetween(5L, 10L);
        assertThat(passed(five, Caller.of("zhejiang", "stock"), 100)).isBetween(5L, 10L);
        assertThat(passed(five, Caller.of("beijing", "shop"), 100)).isBetween(5L, 10L);
        assertThat(passed(five, null, 100)).isBetween(5L, 10L);
        assertThat(passed(five, Caller.signed("zhejiang", "shop", "zj1", Caller.Proof.APPLICATION), 100))
                .as("the same caller")
                .isLessThanOrEqualTo(5L);
    }

    /** A key that does not prove the application lets its owner write any name. */
    @Test
    void limitsAnIsland_whoseKeyDoesNotProveTheApplication() {
        GuardRule five = rule("a", 5);

        long passed = IntStream.range(0, 1_000)
                .filter(i ->
                        rates.nanosToWait(five, Caller.signed("zhejiang", "app" + i, "zj", Caller.Proof.ISLAND)) == 0)
                .count();

        assertThat(passed).isBetween(5L, 10L);
        assertThat(passed(five, Caller.signed("zhejiang", "shop", "app", Caller.Proof.APPLICATION), 100))
                .as("another key of the island proves it")
                .isBetween(5L, 10L);
        assertThat(passed(five, Caller.signed("beijing", "app1", "any", Caller.Proof.KEY), 100))
                .isBetween(5L, 10L);
    }

    @Test
    void keepsThePlacesOfOtherIslands_whateverNamesOneInvents() {
        GuardRule one = rule("a", 1);
        for (int i = 0; i < 11_000; i++) {
            rates.nanosToWait(one, Caller.of("zhejiang", "app" + i));
        }

        for (int i = 0; i < 100; i++) {
            assertThat(rates.nanosToWait(one, Caller.of("beijing", "app" + i))).isZero();
            assertThat(rates.nanosToWait(one, Caller.of("island" + i, "app"))).isZero();
        }
    }

    @Test
    void admitsAMillionPerSecond() {
        assertThat(passed(rule("a", 1_000_000), SHOP, 100_000)).isEqualTo(100_000);
    }

    @Test
    void keepsTheRatesOfRulesApart_andForgetsThoseOfRemovedRules() {
        GuardRule one = rule("a", 1);
        GuardRule other = rule("b", 1);
        assertThat(passed(one, SHOP, 10)).isLessThan(10);

        assertThat(rates.nanosToWait(other, SHOP)).isZero();
        rates.retain(List.of(other));

        assertThat(rates.nanosToWait(one, SHOP)).isZero();
    }

    @Test
    void sharesOneLimit_amongTheCallersAboveTheShareOfTheirIsland() {
        GuardRule rule = rule("a", 50);
        for (int i = 0; i < CallerRateLimiter.MAX_CALLERS_OF_ISLAND; i++) {
            assertThat(rates.nanosToWait(rule, Caller.of("zhejiang", "app" + i)))
                    .isZero();
        }

        long admitted = IntStream.range(0, 1_000)
                .filter(i -> rates.nanosToWait(rule, Caller.of("zhejiang", "other" + i)) == 0)
                .count();

        assertThat(admitted).as("of 1,000 callers with one call each").isBetween(50L, 150L);
        assertThat(rates.nanosToWait(rule, Caller.of("zhejiang", "app1")))
                .as("a caller with a limit of its own")
                .isZero();
    }

    @Test
    void givesTheLimitsOfIdleCallersToOthers() {
        GuardRule rule = rule("a", 50);
        for (int i = 0; i < CallerRateLimiter.MAX_CALLERS_OF_ISLAND; i++) {
            assertThat(rates.nanosToWait(rule, Caller.of("zhejiang", "app" + i)))
                    .isZero();
        }
        clock.addAndGet(TimeUnit.SECONDS.toNanos(5));
        assertThat(rates.nanosToWait(rule, Caller.of("zhejiang", "app1"))).isZero();

        long admitted = IntStream.range(0, 1_000)
                .filter(i -> rates.nanosToWait(rule, Caller.of("zhejiang", "other" + i)) == 0)
                .count();

        assertThat(admitted).isEqualTo(1_000);
    }

    @Test
    void takesEveryNameForWhatItIs() {
        GuardRule one = rule("a", 1);
        String longest = "x".repeat(200);

        for (String name : List.of("~", "a*", "%00", "${jndi:x}", longest, "UNKNOWN", "null")) {
            assertThat(rates.nanosToWait(one, Caller.of("zhejiang", name)))
                    .as(name)
                    .isZero();
        }
    }
}

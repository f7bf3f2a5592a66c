// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayCustomizer;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.NetworkListener;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TunnelKind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls are refused for a while once too many have failed or were slow. */
class BreakerTest {

    @RegisterExtension
    static final Shops shops = new Shops();

    private final List<String> breakers = new CopyOnWriteArrayList<>();
    private Islands islands;
    private TestIsland shanghai;

    private Shop shop(TunnelKind tunnel, String... keysAndValues) {
        islands = shops.own(tunnel, keysAndValues);
        shanghai = islands.at("shanghai");
        NetworkListener listener = new NetworkListener() {
            @Override
            public void onBreakerChange(BreakerChange change) {
                breakers.add(change.island() + (change.isOpen() ? " open" : " closed"));
            }
        };
        islands.application().getBeanFactory().registerBean((HighwayCustomizer)
                setup -> setup.networkListener(listener));
        return Highway.to("shanghai").bind(Shop.class, islands.reference(Shop.class));
    }

    private void timeOut(Shop shop, int calls) {
        shanghai.delays(Duration.ofSeconds(4));
        for (int i = 0; i < calls; i++) {
            assertThat(failure(shop).reason()).isEqualTo(Reason.TIMEOUT);
        }
        shanghai.recovers();
    }

    private static HighwayException failure(Shop shop) {
        return (HighwayException) catchThrowable(() -> shop.sell("tea"));
    }

    /** A call is refused at once, and nothing is sent. */
    private void assertRefused(Shop shop, String how) {
        int before = shanghai.calls().size();

        HighwayException failure = failure(shop);

        assertThat(failure.reason()).isEqualTo(Reason.BREAKER_OPEN);
        assertThat(failure.mayHaveRun()).isFalse();
        assertThat(failure).hasMessageMatching("(?s).*" + how + ".*");
        assertThat(shanghai.calls()).hasSize(before);
        assertThat(islands.outcomes().get(islands.outcomes().size() - 1).duration())
                .isZero();
    }

    @ParameterizedTest
    @EnumSource
    void refusesCallsAtOnce_afterTwentyThatTimedOut(TunnelKind tunnel) {
        Shop shop = shop(tunnel);
        timeOut(shop, 19);
        assertThat(breakers).isEmpty();
        timeOut(shop, 1);

        assertRefused(
                shop,
                "20 of the last 20 calls failed and 0 were slow; the last that failed: \\S+Shop#sell ended as timeout: .*");
        assertThat(catchThrowable(() -> shop.sellLater("tea").get()).getCause())
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.BREAKER_OPEN));
        assertThat(shanghai.calls()).hasSize(20);
        assertThat(breakers).containsExactly("shanghai open");
    }

    @ParameterizedTest
    @EnumSource
    void countsExceptionsOfTheServiceAsAnswers(TunnelKind tunnel) {
        Shop shop = shop(tunnel);

        for (int i = 0; i < 120; i++) {
            assertThatThrownBy(() -> shop.refuse("why")).isInstanceOf(Shop.SoldOutException.class);
            assertThatThrownBy(() -> shop.refuseLater("why").get()).hasCauseInstanceOf(Shop.SoldOutException.class);
        }

        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        assertThat(breakers).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void refusesNothing_ifTheFailureRateIsNone(TunnelKind tunnel) {
        Shop shop = shop(tunnel, "highway.islands.shanghai.breaker.failure-rate", "none");

        timeOut(shop, 40);

        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        assertThat(breakers).isEmpty();
        assertThatThrownBy(shanghai::breakerOpen)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("highway.islands.shanghai.breaker.failure-rate");
    }

    @ParameterizedTest
    @EnumSource
    void opensAgain_whileHalfOpen(TunnelKind tunnel) {
        Shop shop = shop(tunnel);
        shanghai.breakerOpen();
        islands.advance(Duration.ofSeconds(6));
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");

        shanghai.breakerOpen();

        assertRefused(shop, "breaker");
    }

    @ParameterizedTest
    @EnumSource
    void refusesCalls_afterTwentyThatWereSlow_ifSlowCallsAreConfigured(TunnelKind tunnel) {
        Shop shop = shop(tunnel, "highway.islands.shanghai.breaker.slow-call", "100ms");
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");

        shanghai.delays(Duration.ofMillis(150));
        for (int i = 0; i < 19; i++) { // with the one before, as many as the breaker needs
            assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        }

        assertRefused(shop, "0 of the last \\d+ calls failed and \\d+ were slow; the last slow one took 150 ms");
    }

    @ParameterizedTest
    @EnumSource
    void doesNotCountCallsAsSlow_thatBeganBeforeTheFirstWasAnswered(TunnelKind tunnel) {
        Shop shop = shop(tunnel, "highway.islands.shanghai.breaker.slow-call", "100ms");
        CompletableFuture<String> answer = new CompletableFuture<>();
        Shop waiting = mock(Shop.class);
        when(waiting.sellLater(any())).thenReturn(answer);
        shanghai.serves(Shop.class, waiting);
        List<CompletableFuture<String>> calls =
                Stream.generate(() -> shop.sellLater("tea")).limit(40).toList();

        islands.advance(Duration.ofMillis(150));
        answer.complete("late");

        assertThat(calls)
                .allSatisfy(call ->
                        assertThat(call).succeedsWithin(Duration.ofSeconds(10)).isEqualTo("late"));
        shanghai.serves(Shop.class, new ShopKeeper("shanghai"));
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        assertThat(breakers).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void letsCallsPassSoon_onceHeartbeatsAreAnswered(TunnelKind tunnel) {
        Shop shop = shop(tunnel, "highway.heartbeat.interval", "100ms");
        timeOut(shop, 20);
        assertThat(breakers).contains("shanghai open");

        await().atMost(Duration.ofSeconds(8)).ignoreExceptions().untilAsserted(() -> {
            assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
            assertThat(breakers).endsWith("shanghai closed");
        });

        for (int i = 0; i < 20; i++) {
            assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        }
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.tools.fixtures.faults.FaultyLink;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.dubbo.rpc.RpcContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls are refused for a while once too many have failed or were slow. */
@Tag("network")
@Tag("any-dubbo")
class BreakerTest extends OnFaultyStar {

    private Shop shop(Tunnel tunnel, String heartbeat, String... more) {
        String[] properties = new String[more.length + 2];
        properties[0] = "highway.heartbeat.interval";
        properties[1] = heartbeat;
        System.arraycopy(more, 0, properties, 2, more.length);
        FaultyLink link = star.link(star.star.gateway());
        return star.shop(events, tunnel, FaultyStar.address(link.port()), properties);
    }

    /** So many calls at once that take so long, and how each ended: null if it was answered. */
    private static List<Throwable> slow(Shop shop, int calls, int millis, int timeout) {
        List<CompletableFuture<String>> all = IntStream.range(0, calls)
                .mapToObj(i -> {
                    RpcContext.getClientAttachment().setAttachment("timeout", String.valueOf(timeout));
                    return RpcContext.getServiceContext().asyncCall(() -> shop.slow(millis));
                })
                .toList();
        return all.stream()
                .map(one -> {
                    Throwable thrown = catchThrowable(() -> one.get(10, TimeUnit.SECONDS));
                    return thrown instanceof ExecutionException ? thrown.getCause() : thrown;
                })
                .toList();
    }

    private static void assertTimedOut(List<Throwable> calls) {
        assertThat(calls).allSatisfy(call -> assertThat(call)
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TIMEOUT)));
    }

    @ParameterizedTest
    @EnumSource
    void refusesCallsAtOnce_afterTwentyThatTimedOut(Tunnel tunnel) {
        Shop shop = shop(tunnel, "none");
        assertTimedOut(slow(shop, 19, 3000, 100));
        assertThat(events.breakers).isEmpty();
        assertTimedOut(slow(shop, 1, 3000, 100));

        String why =
                "20 of the last 20 calls failed and 0 were slow; the last that failed: \\S+Shop#slow ended as timeout: .*";
        await().untilAsserted(() -> assertRefused(shop, why));
        star.shanghai().received.clear();
        assertRefused(shop, why);
        assertThat(catchThrowable(() -> shop.sellLater("tea").get()).getCause())
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.BREAKER_OPEN));
        assertThat(star.shanghai().received) // a call that timed out may arrive late
                .noneMatch(call -> call.method().startsWith("sell"));
        assertThat(events.breakers).containsExactly(new RecordedEvents.Breaker("shanghai", true));
    }

    @ParameterizedTest
    @EnumSource
    void countsExceptionsOfTheServiceAsAnswers(Tunnel tunnel) {
        Shop shop = shop(tunnel, "none");

        for (int i = 0; i < 120; i++) {
            assertThatThrownBy(() -> shop.refuse("why")).isInstanceOf(Shop.SoldOutException.class);
            assertThatThrownBy(() -> shop.refuseLater("why").get()).hasCauseInstanceOf(Shop.SoldOutException.class);
        }

        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        assertThat(events.breakers).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void refusesNothing_ifTheFailureRateIsNone(Tunnel tunnel) {
        Shop shop = shop(tunnel, "none", "highway.islands.shanghai.breaker.failure-rate", "none");

        assertTimedOut(slow(shop, 40, 3000, 100));

        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        assertThat(events.breakers).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void refusesCalls_afterTwentyThatWereSlow_ifSlowCallsAreConfigured(Tunnel tunnel) {
        Shop shop = shop(tunnel, "none", "highway.islands.shanghai.breaker.slow-call", "100ms");
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");

        assertThat(slow(shop, 20, 150, 5000)).containsOnlyNulls();

        await().untilAsserted(() -> assertRefused(
                shop, "0 of the last \\d+ calls failed and \\d+ were slow; the last slow one took \\d+ ms"));
    }

    @ParameterizedTest
    @EnumSource
    void doesNotCountCallsAsSlow_thatBeganBeforeTheFirstWasAnswered(Tunnel tunnel) {
        Shop shop = shop(tunnel, "none", "highway.islands.shanghai.breaker.slow-call", "100ms");

        assertThat(slow(shop, 40, 150, 5000)).containsOnlyNulls();

        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        assertThat(events.breakers).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void letsCallsPassSoon_onceHeartbeatsAreAnswered(Tunnel tunnel) {
        Shop shop = shop(tunnel, "10s");
        assertTimedOut(slow(shop, 20, 3000, 100));
        star.hurry();
        assertThat(events.breakers).contains(new RecordedEvents.Breaker("shanghai", true));

        await().atMost(Duration.ofSeconds(8)).ignoreExceptions().untilAsserted(() -> {
            assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
            assertThat(events.breakers).endsWith(new RecordedEvents.Breaker("shanghai", false));
        });

        for (int i = 0; i < 20; i++) {
            assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        }
    }
}

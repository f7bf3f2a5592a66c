// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.HighwayOutcome;
import io.highway.sdk.dubbo.Reason;
import io.highway.tools.fixtures.faults.FaultyLink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.dubbo.rpc.RpcContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How many calls to an island may be in flight at once. */
@Tag("network")
@Tag("any-dubbo")
class ConcurrencyLimitTest extends OnFaultyStar {

    private FaultyLink link;

    static Stream<Arguments> tunnelsAndWays() {
        return Stream.of(Tunnel.values())
                .flatMap(tunnel -> Stream.of(Callers.CallForm.values()).map(form -> Arguments.of(tunnel, form)));
    }

    private Shop shop(Tunnel tunnel, String... more) {
        link = star.link(star.star.gateway());
        List<String> properties = new ArrayList<>(List.of(
                "highway.islands.shanghai.timeout",
                "10s",
                "highway.islands.shanghai.breaker.failure-rate",
                "none",
                "highway.heartbeat.interval",
                "none"));
        properties.addAll(List.of(more));
        return star.shop(events, tunnel, FaultyStar.address(link.port()), properties.toArray(new String[0]));
    }

    private static CompletableFuture<String> occupy(Shop shop) {
        int before = star.shanghai().received.size();
        RpcContext.getClientAttachment().setAttachment("timeout", "10000");
        CompletableFuture<String> call = RpcContext.getServiceContext().asyncCall(() -> shop.slow(8000));
        await().pollInterval(Duration.ofMillis(5))
                .until(() -> star.shanghai().received.size() > before);
        return call;
    }

    private static Throwable end(Shop shop, Callers.CallForm form) {
        Throwable thrown = catchThrowable(() -> form.call(shop));
        return thrown instanceof ExecutionException ? thrown.getCause() : thrown;
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndWays")
    void refusesTheThirdCall_ifTwoMayBeInFlight(Tunnel tunnel, Callers.CallForm form) {
        Shop shop = shop(tunnel, "highway.islands.shanghai.max-concurrent", "2");
        List<CompletableFuture<String>> both = List.of(occupy(shop), occupy(shop));

        assertThat(end(shop, form))
                .isInstanceOfSatisfying(HighwayException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.BUSY);
                    assertThat(e.isLimitExceed()).isTrue();
                    assertThat(e.mayHaveRun()).isFalse();
                })
                .hasMessageContaining("the limit of calls in flight, 2, is reached");

        assertThat(star.shanghai().received)
                .extracting(ShopKeeper.Received::method)
                .containsExactly("slow", "slow");
        star.hurry();
        assertThat(both)
                .allSatisfy(one ->
                        assertThat(one).succeedsWithin(Duration.ofSeconds(3)).isEqualTo("shanghai:8000"));
        await().untilAsserted(() -> assertThat(end(shop, form)).isNull());
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndWays")
    void letsTheThirdCallWaitForItsTurn(Tunnel tunnel, Callers.CallForm form) {
        Shop shop =
                shop(tunnel, "highway.islands.shanghai.max-concurrent", "2", "highway.islands.shanghai.max-wait", "5s");
        occupy(shop);
        occupy(shop);
        CompletableFuture<Throwable> third = new CompletableFuture<>();
        Thread caller = new Thread(() -> third.complete(end(shop, form)));
        caller.start();
        await().pollInterval(Duration.ofMillis(5)).until(() -> caller.getState() == Thread.State.TIMED_WAITING);
        assertThat(star.shanghai().received).hasSize(2);

        LockSupport.unpark(star.shanghai().received.element().thread());

        assertThat(third).succeedsWithin(Duration.ofSeconds(3)).isNull();
    }

    @ParameterizedTest
    @EnumSource
    void keepsNoThreadWaiting_whenTheCallIsAsynchronous(Tunnel tunnel) {
        Shop shop =
                shop(tunnel, "highway.islands.shanghai.max-concurrent", "1", "highway.islands.shanghai.max-wait", "9s");
        CompletableFuture<String> first = occupy(shop);

        List<CompletableFuture<String>> waiting =
                List.of(shop.sellLater("tea"), RpcContext.getServiceContext().asyncCall(() -> shop.sell("tea")));

        assertThat(first).isNotDone();
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        star.hurry();
        assertThat(waiting)
                .allSatisfy(one ->
                        assertThat(one).succeedsWithin(Duration.ofSeconds(5)).isEqualTo("shanghai:tea"));
        assertThat(first).succeedsWithin(Duration.ofSeconds(5));
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndWays")
    void refusesTheThirdCall_onceItHasWaitedAsLongAsItMay(Tunnel tunnel, Callers.CallForm form) {
        Shop shop = shop(
                tunnel, "highway.islands.shanghai.max-concurrent", "2", "highway.islands.shanghai.max-wait", "200ms");
        occupy(shop);
        occupy(shop);

        long begin = System.nanoTime();
        assertThat(end(shop, form)).isInstanceOfSatisfying(HighwayException.class, e -> assertThat(e.reason())
                .isEqualTo(Reason.BUSY));

        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .isBetween(Duration.ofMillis(190), Duration.ofSeconds(3));
    }

    /** The source of a call's timeout. */
    enum Limit {
        POLICY,
        ATTACHMENT;

        String policy(int millis) {
            return this == POLICY ? millis + "ms" : "10s";
        }

        void attach(int millis) {
            if (this == ATTACHMENT) {
                RpcContext.getClientAttachment().setAttachment("timeout", String.valueOf(millis));
            }
        }
    }

    static Stream<Arguments> tunnelsAndLimits() {
        return Stream.of(Tunnel.values())
                .flatMap(tunnel -> Stream.of(Limit.values()).map(limit -> Arguments.of(tunnel, limit)));
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndLimits")
    void countsTheWaitAgainstTheTimeOfTheCall(Tunnel tunnel, Limit limit) {
        Shop shop = shop(
                tunnel,
                "highway.islands.shanghai.max-concurrent",
                "1",
                "highway.islands.shanghai.max-wait",
                "5s",
                "highway.islands.shanghai.timeout",
                limit.policy(2500));
        occupy(shop);
        CompletableFuture<Throwable> second = new CompletableFuture<>();
        long begin = System.nanoTime();
        Thread caller = new Thread(() -> {
            limit.attach(2500);
            second.complete(catchThrowable(() -> shop.slow(8000)));
        });
        caller.start();
        await().pollInterval(Duration.ofMillis(10)).until(() -> System.nanoTime() - begin > 1_200_000_000L);

        star.hurry();

        assertThat(second)
                .succeedsWithin(Duration.ofSeconds(8))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TIMEOUT));
        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .isBetween(Duration.ofMillis(2450), Duration.ofMillis(3500));
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndLimits")
    void waitsNoLongerThanTheCallMayTake(Tunnel tunnel, Limit limit) {
        Shop shop = shop(
                tunnel,
                "highway.islands.shanghai.max-concurrent",
                "1",
                "highway.islands.shanghai.max-wait",
                "3s",
                "highway.islands.shanghai.timeout",
                limit.policy(300));
        occupy(shop);

        long begin = System.nanoTime();
        limit.attach(300);
        CompletableFuture<String> later = RpcContext.getServiceContext().asyncCall(() -> shop.sell("tea"));
        limit.attach(300);
        assertLate(catchThrowable(() -> shop.sell("tea")));
        assertLate(catchThrowable(() -> later.get(3, TimeUnit.SECONDS)).getCause());

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofMillis(2500));
    }

    private static void assertLate(Throwable thrown) {
        assertThat(thrown).isInstanceOfSatisfying(HighwayException.class, e -> {
            assertThat(e.reason()).isEqualTo(Reason.NO_TIME_LEFT);
            assertThat(e.mayHaveRun()).isFalse();
        });
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndWays")
    void letsHomeServeTheThirdCall_ifItMayFallBack(Tunnel tunnel, Callers.CallForm form) throws Exception {
        Shop shop = shop(
                tunnel, "highway.islands.shanghai.max-concurrent", "2", "highway.islands.shanghai.fallback", "home");
        occupy(shop);
        occupy(shop);

        form.call(shop);

        assertThat(star.star.homeShop.received).hasSize(1);
        assertThat(events.outcomes).singleElement().satisfies(outcome -> {
            assertThat(outcome.servedAtHome()).isTrue();
            assertThat(outcome.reason()).isEqualTo(Reason.BUSY);
        });
        assertThat(HighwayOutcome.last().isPresent()).isEqualTo(form == Callers.CallForm.SYNC);
    }

    @ParameterizedTest
    @EnumSource
    void releasesThePermit_howeverACallEnds(Tunnel tunnel) throws Exception {
        Shop shop = shop(tunnel, "highway.islands.shanghai.max-concurrent", "1");
        for (int i = 0; i < 50; i++) {
            assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
            assertThatThrownBy(() -> shop.refuse("why")).isInstanceOf(Shop.SoldOutException.class);
            assertThat(shop.sellLater("tea").get()).isEqualTo("shanghai:tea");
            assertThatThrownBy(() -> shop.refuseLater("why").get()).hasCauseInstanceOf(Shop.SoldOutException.class);
            assertThat(RpcContext.getServiceContext()
                            .asyncCall(() -> shop.sell("tea"))
                            .get())
                    .isEqualTo("shanghai:tea");
        }
        for (int i = 0; i < 5; i++) {
            RpcContext.getClientAttachment().setAttachment("timeout", "50");
            assertThatThrownBy(() -> shop.slow(8000))
                    .isInstanceOfSatisfying(
                            HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TIMEOUT));
            RpcContext.getClientAttachment().setAttachment("timeout", "50");
            assertThat(RpcContext.getServiceContext().asyncCall(() -> shop.slow(8000)))
                    .failsWithin(Duration.ofSeconds(3));
            RpcContext.getServiceContext().asyncCall(() -> {
                shop.note("oneway");
            });
            assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        }
        CompletableFuture<String> lost = occupy(shop);

        link.reset();

        assertThat(lost).failsWithin(Duration.ofSeconds(3));
        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(shop.sell("tea")).isEqualTo("shanghai:tea"));
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.HighwayOutcome;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TunnelKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How many calls to an island may be in flight at once. */
class ConcurrencyLimitTest {

    private static final String LIMIT = "highway.islands.shanghai.max-concurrent";
    private static final String WAIT = "highway.islands.shanghai.max-wait";
    private static final String TIMEOUT = "highway.islands.shanghai.timeout";

    @RegisterExtension
    static final Shops shops = new Shops();

    private Islands islands;
    private Shop shop;
    private GenericService generic;

    static Stream<Arguments> tunnelsAndModes() {
        return Stream.of(TunnelKind.values())
                .flatMap(tunnel -> Stream.of(Mode.values()).map(mode -> Arguments.of(tunnel, mode)));
    }

    private void start(TunnelKind tunnel, String... keysAndValues) {
        islands = shops.own(tunnel, keysAndValues);
        shop = Highway.to("shanghai").bind(Shop.class, islands.reference(Shop.class));
        generic = Highway.to("shanghai").bind(GenericService.class, Shops.generic(islands));
    }

    /** A call that is in flight until its answer is completed. */
    private CompletableFuture<String> occupy() {
        CompletableFuture<String> answer = new CompletableFuture<>();
        Shop waiting = mock(Shop.class);
        doReturn(answer).when(waiting).sellLater(any());
        islands.at("shanghai").serves(Shop.class, waiting);
        CompletableFuture<String> unused = shop.sellLater("first");
        islands.at("shanghai").serves(Shop.class, new ShopKeeper("shanghai"));
        return answer;
    }

    private Throwable end(Mode mode) {
        return catchThrowable(() -> mode.sell(shop, generic, "tea"));
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void refusesTheThirdCall_ifTwoMayBeInFlight(TunnelKind tunnel, Mode mode) {
        start(tunnel, LIMIT, "2");
        List<CompletableFuture<String>> both = List.of(occupy(), occupy());

        assertThat(end(mode))
                .isInstanceOfSatisfying(HighwayException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.BUSY);
                    assertThat(e.isLimitExceed()).isTrue();
                    assertThat(e.mayHaveRun()).isFalse();
                })
                .hasMessageContaining("the limit of calls in flight, 2, is reached");

        both.forEach(answer -> answer.complete("first"));
        assertThat(end(mode)).isNull();
        await().untilAsserted(() -> assertThat(islands.at("shanghai").calls()).hasSize(3));
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void letsTheThirdCallWaitForItsTurn(TunnelKind tunnel, Mode mode) {
        start(tunnel, LIMIT, "2", WAIT, "3s");
        CompletableFuture<String> first = occupy();
        occupy();
        CompletableFuture<Throwable> third = new CompletableFuture<>();
        Thread caller = new Thread(() -> third.complete(end(mode)));
        caller.start();
        await().pollInterval(Duration.ofMillis(2)).until(() -> caller.getState() == Thread.State.TIMED_WAITING);
        assertThat(islands.at("shanghai").calls()).isEmpty(); // those in flight are not recorded yet

        first.complete("first");

        assertThat(third).succeedsWithin(Duration.ofSeconds(3)).isNull();
    }

    @ParameterizedTest
    @EnumSource
    void keepsNoThreadWaiting_whenTheCallIsAsynchronous(TunnelKind tunnel) {
        start(tunnel, LIMIT, "1", WAIT, "3s");
        CompletableFuture<String> first = occupy();

        List<CompletableFuture<String>> waiting =
                List.of(shop.sellLater("tea"), RpcContext.getServiceContext().asyncCall(() -> shop.sell("tea")));

        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        first.complete("first");
        assertThat(waiting)
                .allSatisfy(one ->
                        assertThat(one).succeedsWithin(Duration.ofSeconds(5)).isEqualTo("shanghai:tea"));
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void refusesTheThirdCall_onceItHasWaitedAsLongAsItMay(TunnelKind tunnel, Mode mode) {
        start(tunnel, LIMIT, "2", WAIT, "50ms");
        occupy();
        occupy();

        long begin = System.nanoTime();
        assertThat(end(mode)).isInstanceOfSatisfying(HighwayException.class, e -> assertThat(e.reason())
                .isEqualTo(Reason.BUSY));

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isBetween(Duration.ofMillis(45), Duration.ofSeconds(3));
    }

    @ParameterizedTest
    @EnumSource
    void countsTheWaitAgainstTheTimeOfTheCall(TunnelKind tunnel) {
        for (String timeout : new String[] {"1000", null}) { // of the call, of the policy
            start(tunnel, LIMIT, "1", WAIT, "3s", TIMEOUT, timeout == null ? "1s" : "3s");
            CompletableFuture<String> first = occupy();
            islands.at("shanghai").delays(Duration.ofMillis(700));
            RpcContext.getClientAttachment().setAttachment("timeout", timeout);
            CompletableFuture<String> second = shop.sellLater("tea");

            islands.advance(Duration.ofMillis(400));
            first.complete("first");

            assertThat(catchThrowable(() -> second.get(3, TimeUnit.SECONDS)).getCause())
                    .isInstanceOfSatisfying(
                            HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TIMEOUT));
            assertThat(islands.outcomes())
                    .filteredOn(outcome -> outcome.reason() == Reason.TIMEOUT)
                    .singleElement()
                    .satisfies(outcome -> assertThat(outcome.duration()).isEqualTo(Duration.ofSeconds(1)));
        }
    }

    /** By the policy or by the call. */
    @ParameterizedTest
    @EnumSource
    void waitsNoLongerThanTheCallMayTake(TunnelKind tunnel) {
        start(tunnel, LIMIT, "1", WAIT, "3s", TIMEOUT, "10s");
        occupy();
        assertNoTimeLeft("200");
        start(tunnel, LIMIT, "1", WAIT, "3s", TIMEOUT, "200ms");
        occupy();
        assertNoTimeLeft(null);
    }

    private void assertNoTimeLeft(String timeout) {
        RpcContext.getClientAttachment().setAttachment("timeout", timeout);
        CompletableFuture<String> later = RpcContext.getServiceContext().asyncCall(() -> shop.sell("tea"));
        CompletableFuture<Throwable> sync = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            RpcContext.getClientAttachment().setAttachment("timeout", timeout);
            sync.complete(end(Mode.SYNC));
        });
        caller.start();
        await().pollInterval(Duration.ofMillis(2)).until(() -> caller.getState() == Thread.State.TIMED_WAITING);

        islands.advance(Duration.ofMillis(200));

        assertLate(catchThrowable(() -> later.get(2, TimeUnit.SECONDS)).getCause());
        assertLate(sync.orTimeout(2, TimeUnit.SECONDS).join());
    }

    private static void assertLate(Throwable thrown) {
        assertThat(thrown).isInstanceOfSatisfying(HighwayException.class, e -> {
            assertThat(e.reason()).isEqualTo(Reason.NO_TIME_LEFT);
            assertThat(e.mayHaveRun()).isFalse();
        });
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void letsHomeServeTheThirdCall_ifItMayFallBack(TunnelKind tunnel, Mode mode) {
        start(tunnel, LIMIT, "2", "highway.islands.shanghai.fallback", "home");
        occupy();
        occupy();

        assertThat(end(mode)).isNull();

        assertThat(islands.home().calls()).hasSize(1);
        assertThat(islands.outcomes()).singleElement().satisfies(outcome -> {
            assertThat(outcome.servedAtHome()).isTrue();
            assertThat(outcome.reason()).isEqualTo(Reason.BUSY);
        });
        assertThat(HighwayOutcome.last().isPresent()).isEqualTo(mode == Mode.SYNC || mode == Mode.GENERIC);
    }

    @ParameterizedTest
    @EnumSource
    void releasesThePermit_howeverACallEnds(TunnelKind tunnel) throws Exception {
        start(tunnel, LIMIT, "1", "highway.islands.shanghai.breaker.failure-rate", "none");
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
        List<Throwable> late = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            islands.at("shanghai").losesAnswers();
            late.add(end(Mode.SYNC));
            late.add(end(Mode.ASYNC_CALL));
            islands.at("shanghai").recovers();
            RpcContext.getServiceContext().asyncCall(() -> shop.note("oneway"));
            assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        }
        assertThat(late).allSatisfy(thrown -> assertThat(thrown)
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TIMEOUT)));
    }
}

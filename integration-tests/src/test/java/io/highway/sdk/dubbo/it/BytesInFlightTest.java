// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.fixtures.faults.FaultyLinks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.rpc.RpcContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Large calls to an island that does not answer: so many as fit are in flight, and the rest is refused. */
@Tag("network")
class BytesInFlightTest {

    private static final int CALLS = 300;
    private static final int SIZE = 20_000;
    private static final int LIMIT = 1024 * 1024;

    private static Star star;

    @BeforeAll
    static void start() {
        star = new Star();
    }

    @AfterEach
    void hurry() {
        star.shanghai.shop.hurry();
        star.shanghai.shop.received.clear();
    }

    @AfterAll
    static void stop() {
        star.close();
    }

    private static Shop shop(Tunnel tunnel, String... more) {
        List<String> properties = new ArrayList<>(List.of(
                "highway.gateways.max-bytes-in-flight",
                "1MB",
                "highway.heartbeat.interval",
                "none",
                "highway.defaults.timeout",
                "20s"));
        properties.addAll(List.of(more));
        Shop shop = Highway.to("shanghai").bind(Shop.class, star.shop(tunnel, properties.toArray(String[]::new)));
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        star.shanghai.shop.received.clear();
        return shop;
    }

    /** A call that is answered once it is hurried. */
    private static CompletableFuture<String> slow(Shop shop, Shop.Order large) {
        return RpcContext.getServiceContext().asyncCall(() -> shop.keep(large));
    }

    private static Shop.Order large(int size) {
        return new Shop.Order("x".repeat(size), null);
    }

    private static boolean isRefused(CompletableFuture<String> call) {
        try {
            call.getNow(null);
            return false;
        } catch (CompletionException e) {
            assertThat(e.getCause())
                    .isInstanceOfSatisfying(HighwayException.class, ended -> {
                        assertThat(ended.reason()).isEqualTo(Reason.BUSY);
                        assertThat(ended.mayHaveRun()).isFalse();
                    })
                    .hasMessageContaining("highway.gateways.max-bytes-in-flight is " + LIMIT);
            return true;
        }
    }

    @ParameterizedTest
    @EnumSource
    void areBounded_andTheRestIsRefusedAtOnce(Tunnel tunnel) throws Exception {
        Shop shop = shop(tunnel);
        Shop.Order large = large(SIZE);

        List<CompletableFuture<String>> calls = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            calls.add(slow(shop, large));
        }

        List<CompletableFuture<String>> sent =
                calls.stream().filter(call -> !isRefused(call)).toList();
        assertThat(sent).hasSizeBetween(LIMIT / SIZE / 2, LIMIT / SIZE + 1);
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            star.shanghai.shop.hurry();
            assertThat(sent).allMatch(CompletableFuture::isDone);
        });
        for (CompletableFuture<String> call : sent) {
            assertThat(call.get(1, TimeUnit.SECONDS)).isEqualTo("shanghai:kept");
        }
        assertThat(star.shanghai.shop.received).hasSize(sent.size());
        CompletableFuture<String> next = slow(shop, large); // there is capacity again
        await().untilAsserted(() -> {
            star.shanghai.shop.hurry();
            assertThat(next).isCompletedWithValue("shanghai:kept");
        });
    }

    @ParameterizedTest
    @EnumSource
    void letsACallThatIsAloneThrough_howeverLargeItIs(Tunnel tunnel) {
        Shop shop = shop(tunnel);

        assertThat(shop.order(large(2 * LIMIT)).getItem()).hasSizeGreaterThan(2 * LIMIT);
        assertThat(shop.pack(new byte[2 * LIMIT])).hasSize(2 * LIMIT);
    }

    @ParameterizedTest
    @EnumSource
    void hasCapacityAgain_whenCallsHaveFailed(Tunnel tunnel) {
        Shop shop = shop(tunnel);
        Shop.Order large = large(600_000); // two do not fit

        for (int i = 0; i < 3; i++) { // Dubbo's own record of a call may outlive the call by some milliseconds
            await().untilAsserted(() -> assertThat(reasonOf(shop, large)).isEqualTo(Reason.TIMEOUT));
        }
    }

    private static Reason reasonOf(Shop shop, Shop.Order large) {
        RpcContext.getClientAttachment().setAttachment("timeout", "200");
        return catchThrowableOfType(HighwayException.class, () -> shop.keep(large))
                .reason();
    }

    @ParameterizedTest
    @EnumSource
    void countWhatCannotBeWritten_thoughNoCallerWaitsForIt(Tunnel tunnel) throws Exception {
        try (FaultyLink link = new FaultyLinks().link(0, star.gateway().port())) {
            Shop shop = shop(tunnel, "highway.gateways." + tunnel.key(), FaultyStar.address(link.port()));
            Shop.Order large = large(900_000);
            link.blackHole();

            await().atMost(Duration.ofSeconds(20)) // what the operating system takes has left, and calls have timed out
                    .untilAsserted(() -> {
                        RpcContext.getClientAttachment().setAttachment("timeout", "200");
                        assertThatThrownBy(() -> shop.keep(large)).hasMessageContaining("wait to be written");
                    });
        }
    }
}

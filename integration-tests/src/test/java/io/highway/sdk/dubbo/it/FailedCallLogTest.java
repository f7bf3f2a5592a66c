// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.tools.fixtures.logs.CapturedLog;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A call that fails is explained to its caller; Dubbo does not log it there besides. */
@Tag("network")
class FailedCallLogTest {

    private static final Map<Tunnel, Shop> SHOPS = new EnumMap<>(Tunnel.class);
    private static final Map<Tunnel, GenericService> GENERIC = new EnumMap<>(Tunnel.class);
    private static Star star;

    @BeforeAll
    static void start() {
        star = new Star();
        TestIsland guarded = star.closing(
                new TestIsland("shanghai", Map.of("highway.island", "shanghai", "highway.sign.accept.zj1", "sesame")));
        for (Tunnel tunnel : Tunnel.values()) {
            TestApplication consumer = star.consumer(star.properties(
                    tunnel,
                    "highway.islands.shanghai.gateways." + tunnel.key(),
                    guarded.gatewayAddress(),
                    "highway.islands.atlantis.retries",
                    "0",
                    "highway.islands.beijing.retries",
                    "0",
                    "highway.heartbeat.interval",
                    "none"));
            ShopReferences shop = ShopReferences.of(consumer, star.homeDubbo);
            SHOPS.put(tunnel, shop.typed());
            GENERIC.put(tunnel, shop.generic());
        }
    }

    @AfterAll
    static void stop() {
        star.close();
        SHOPS.clear();
        GENERIC.clear();
    }

    private enum Failing {
        REFUSED_BY_THE_GUARD("shanghai", "unsigned"),
        WITHOUT_A_ROUTE("atlantis", "not-forwarded"),
        LATE("beijing", "timeout") {
            @Override
            void call(Shop shop, GenericService generic, Mode mode) throws Throwable {
                RpcContext.getClientAttachment().setAttachment("timeout", "100");
                if (mode.isGeneric()) {
                    generic.$invoke("slow", new String[] {"int"}, new Object[] {500});
                } else {
                    shop.slow(500);
                }
            }
        };

        private final String island;
        private final String why;

        Failing(String island, String why) {
            this.island = island;
            this.why = why;
        }

        void call(Shop shop, GenericService generic, Mode mode) throws Throwable {
            mode.sell(shop, generic, "tea");
        }
    }

    static Stream<Arguments> failing() {
        return Stream.of(Failing.values()).flatMap(failing -> Stream.of(Tunnel.values())
                .flatMap(tunnel -> Stream.of(Mode.values()).map(mode -> Arguments.of(failing, tunnel, mode))));
    }

    @ParameterizedTest
    @MethodSource("failing")
    void dubboLogsNoErrorForIt(Failing failing, Tunnel tunnel, Mode mode) {
        try (CapturedLog log = new CapturedLog()) {
            Throwable thrown = catchThrowable(() -> Highway.to(failing.island)
                    .runChecked(() -> failing.call(SHOPS.get(tunnel), GENERIC.get(tunnel), mode)));

            assertThat(thrown).isInstanceOf(HighwayException.class).hasMessageContaining(failing.why);
            assertThat(log.lines("custom filter")).isEmpty();
            assertThat(log.lines("ERROR org.apache.dubbo.rpc.cluster"))
                    .isEmpty(); // the provider is in this process, too
        }
    }
}

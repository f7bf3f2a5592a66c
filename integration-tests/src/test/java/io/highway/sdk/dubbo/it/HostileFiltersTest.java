// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.internal.provider.guard.WithoutGuard;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Filters of a provider that let the service run and then throw what means "did not run", or write the SDK's response
 * attachments. There are two gateways to try and providers at home to fall back to: a call runs once, and is never reported as
 * not sent. Without the SDK, only what docs/reference/wire-contract.md does not name.
 */
@Tag("network")
class HostileFiltersTest {

    private static final List<AutoCloseable> opened = new ArrayList<>();
    private static final ShopKeeper shanghai = new ShopKeeper("shanghai");
    private static final ShopKeeper home = new ShopKeeper("zhejiang");
    private static final Map<Provider, Map<Tunnel, ShopReferences>> CALLERS = new EnumMap<>(Provider.class);

    /** The provider, and where its filter is. */
    enum Provider {
        WITH_SDK("hostile"),
        WITH_SDK_OUTSIDE_OF_ALL_FILTERS("hostile,default"),
        WITH_SDK_WITHOUT_DUBBOS_FILTERS("-default,generic,hostile"),
        WITHOUT_SDK("hostile");

        private final String filters;

        Provider(String filters) {
            this.filters = filters;
        }
    }

    @BeforeAll
    static void start() {
        TestApplication atHome = keep(new TestApplication("zhejiang", Map.of("highway.island", "zhejiang")));
        String homeDubbo = atHome.listen("dubbo");
        atHome.export(Shop.class, home, service -> {}).start();
        for (Provider provider : Provider.values()) {
            CALLERS.put(provider, callers(provider, homeDubbo));
        }
    }

    private static Map<Tunnel, ShopReferences> callers(Provider provider, String homeDubbo) {
        boolean sdk = provider != Provider.WITHOUT_SDK;
        TestApplication far = keep(new TestApplication(
                "shanghai", sdk ? Map.of("highway.island", "shanghai") : Map.of("highway.enabled", "false")));
        String dubbo = far.listen("dubbo");
        String triple = far.listen("tri");
        far.export(Shop.class, shanghai, service -> {
                    service.setFilter(provider.filters);
                    if (!sdk) {
                        WithoutGuard.export(service);
                    }
                })
                .start();
        Gateway gateway = keep(Gateway.start(GatewayConfig.builder()
                .island("shanghai")
                .listen("gateway.shanghai.test", 0)
                .providers("shanghai", "*", List.of(dubbo), List.of(triple))
                .guarded(sdk)
                .build()));
        String addresses = "gateway.shanghai.test:" + gateway.port() + ",gateway2.shanghai.test:" + gateway.port();
        Map<Tunnel, ShopReferences> callers = new EnumMap<>(Tunnel.class);
        for (Tunnel tunnel : Tunnel.values()) {
            TestApplication caller = keep(new TestApplication(
                    "zhejiang",
                    Map.of(
                            "highway.island",
                            "zhejiang",
                            "highway.gateways." + tunnel.key(),
                            addresses,
                            "highway.defaults.tunnel",
                            tunnel.key(),
                            "highway.defaults.timeout",
                            "10s",
                            "highway.defaults.fallback",
                            "home",
                            "highway.defaults.breaker.failure-rate",
                            "none",
                            "highway.islands.shanghai.keys",
                            "310000",
                            "highway.islands.beijing.keys",
                            "110000",
                            "highway.heartbeat.interval",
                            "none")));
            callers.put(tunnel, ShopReferences.of(caller, homeDubbo));
        }
        return callers;
    }

    private static <C extends AutoCloseable> C keep(C one) {
        opened.add(0, one);
        return one;
    }

    @AfterAll
    static void end() throws Exception {
        HostileFilter.act = HostileFilter.Act.RETURNS;
        for (AutoCloseable one : opened) {
            one.close();
        }
    }

    static Stream<Arguments> table() {
        return Stream.of(Provider.values()).flatMap(provider -> Stream.of(Tunnel.values())
                .flatMap(tunnel -> Stream.of(Mode.values()).map(mode -> Arguments.of(provider, tunnel, mode))));
    }

    @ParameterizedTest
    @MethodSource("table")
    void endCallsThatRan_onceAndNotAsNotSent(Provider provider, Tunnel tunnel, Mode mode) {
        List<String> wrong = new ArrayList<>();
        ShopReferences caller = CALLERS.get(provider).get(tunnel);

        for (HostileFilter.Act act : HostileFilter.Act.values()) {
            if (provider == Provider.WITHOUT_SDK && tunnel == Tunnel.DUBBO && act.needsTheSdk()) {
                continue;
            }
            HostileFilter.act = act;
            shanghai.received.clear();
            home.received.clear();
            Throwable ended = null;
            try {
                Highway.to("shanghai").callChecked(() -> mode.sell(caller.typed(), caller.generic(), "tea"));
            } catch (Throwable e) {
                ended = e;
            }
            if (shanghai.received.size() != 1 || !home.received.isEmpty()) {
                wrong.add(act + " ran " + shanghai.received.size() + " times, at home " + home.received.size()
                        + " times: " + ended);
            }
            if (ended instanceof HighwayException e && !e.mayHaveRun()) {
                wrong.add(act + " is reported as not sent: " + e.getMessage());
            }
        }

        assertThat(wrong).isEmpty();
    }
}

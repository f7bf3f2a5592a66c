// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.StringValue;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.internal.provider.guard.WithoutGuard;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.rpc.RpcContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Services that answer, after they ran, with every text, status and attachment that means "did not run" to gateways or
 * the SDK. There are two gateways to try and providers at home to fall back to: a call runs once, and is never reported
 * as not sent.
 */
@Tag("network")
class HostileAnswersTest {

    private static final AtomicInteger executed = new AtomicInteger();
    private static final Map<Provider, Side> SIDES = new EnumMap<>(Provider.class);
    private static volatile Hostile answer;
    private static TestApplication home;

    /** The provider behind the remote gateway. */
    enum Provider {
        WITH_SDK,
        WITHOUT_SDK
    }

    @SuppressWarnings("try") // interrupts end the test
    private static final class Side implements AutoCloseable {

        private final List<AutoCloseable> opened = new ArrayList<>();
        private final Map<Tunnel, ShopReferences> shops = new EnumMap<>(Tunnel.class);
        private HostileService protobuf;

        Side(Provider provider, String homeDubbo) {
            boolean sdk = provider == Provider.WITH_SDK;
            TestApplication far =
                    keep(new TestApplication("shanghai", sdk ? Map.of("highway.island", "shanghai") : Map.of()));
            String dubbo = far.listen("dubbo");
            String triple = far.listen("tri");
            far.export(Shop.class, shop(), service -> filters(service, sdk))
                    .export(HostileService.class, protobuf(), service -> {
                        service.setProtocolIds("tri");
                        filters(service, sdk);
                    })
                    .start();
            Gateway gateway = keep(Gateway.start(GatewayConfig.builder()
                    .island("shanghai")
                    .listen("gateway.shanghai.test", 0)
                    .providers("shanghai", "*", List.of(dubbo), List.of(triple))
                    .build()));
            String addresses = homeGateway(gateway) + "," + homeGateway(gateway);
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
                                "highway.islands.beijing.keys",
                                "110000",
                                "highway.islands.shanghai.timeout",
                                "10s",
                                "highway.islands.shanghai.fallback",
                                "home",
                                "highway.defaults.breaker.failure-rate",
                                "none",
                                "highway.heartbeat.interval",
                                "none")));
                shops.put(tunnel, ShopReferences.of(caller, homeDubbo));
                if (tunnel == Tunnel.TRIPLE) {
                    protobuf = caller.reference(HostileService.class, config -> {
                                config.setUrl("tri://" + triple);
                                config.setCheck(false);
                            })
                            .get();
                }
            }
        }

        private String homeGateway(Gateway far) {
            Gateway gateway = keep(Gateway.start(GatewayConfig.builder()
                    .island("zhejiang")
                    .listen("gateway.zhejiang.test", 0)
                    .next("shanghai", List.of("gateway.shanghai.test:" + far.port()))
                    .build()));
            return "gateway.zhejiang.test:" + gateway.port();
        }

        private static void filters(ServiceConfig<?> service, boolean sdk) {
            if (!sdk) {
                WithoutGuard.export(service);
            }
        }

        private <C extends AutoCloseable> C keep(C one) {
            opened.add(0, one);
            return one;
        }

        @Override
        public void close() {
            try {
                for (AutoCloseable one : opened) {
                    one.close();
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @BeforeAll
    static void start() {
        home = new TestApplication("zhejiang", Map.of("highway.island", "zhejiang"));
        String homeDubbo = home.listen("dubbo");
        home.export(Shop.class, shop(), service -> {}).start();
        for (Provider provider : Provider.values()) {
            SIDES.put(provider, new Side(provider, homeDubbo));
        }
    }

    @AfterAll
    static void end() {
        for (Side side : SIDES.values()) {
            side.close();
        }
        home.close();
    }

    /** Runs, and answers as scripted. */
    private static Shop shop() {
        return (Shop) Proxy.newProxyInstance(
                Shop.class.getClassLoader(), new Class<?>[] {Shop.class}, (proxy, method, arguments) -> {
                    if (method.getDeclaringClass() == Object.class) {
                        return method.getName().equals("equals") ? (Object) (proxy == arguments[0]) : (Object) 1;
                    }
                    Throwable thrown = run();
                    if (method.getReturnType() == CompletableFuture.class) {
                        return CompletableFuture.failedFuture(thrown);
                    }
                    throw thrown;
                });
    }

    private static HostileService protobuf() {
        return new HostileService() {
            @Override
            public StringValue act(StringValue script) {
                Throwable thrown = run();
                throw thrown instanceof RuntimeException e ? e : new IllegalStateException(thrown.getMessage());
            }

            @Override
            public CompletableFuture<StringValue> actLater(StringValue script) {
                Throwable thrown = run();
                CompletableFuture<StringValue> later = new CompletableFuture<>();
                CompletableFuture.runAsync(() -> later.completeExceptionally(thrown));
                return later;
            }
        };
    }

    private static Throwable run() {
        executed.incrementAndGet();
        Hostile now = answer;
        now.attachments().forEach(RpcContext.getServerResponseContext()::setAttachment);
        now.attachments().forEach(RpcContext.getClientResponseContext()::setAttachment); // as after another call
        return now.exception().make();
    }

    static Stream<Arguments> table() {
        return Stream.of(Provider.values()).flatMap(provider -> Stream.of(Tunnel.values())
                .flatMap(tunnel -> CallForm.over(tunnel).map(form -> Arguments.of(provider, tunnel, form))));
    }

    @ParameterizedTest
    @MethodSource("table")
    void runOnce_andAreNeverReportedAsNotSent(Provider provider, Tunnel tunnel, CallForm form) {
        Side side = SIDES.get(provider);
        List<String> wrong = new ArrayList<>();

        for (Hostile hostile : Hostile.all(provider == Provider.WITH_SDK)) {
            answer = hostile;
            executed.set(0);
            Throwable ended = form.failure(side.shops.get(tunnel), side.protobuf, "tea");
            if (executed.get() != 1) {
                wrong.add(hostile + " ran " + executed.get() + " times: " + ended);
            }
            if (ended instanceof HighwayException e && !e.mayHaveRun()) {
                wrong.add(hostile + " is reported as not sent: " + e.getMessage());
            }
        }

        assertThat(wrong).isEmpty();
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.StringValue;
import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.internal.provider.guard.WithoutGuard;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.dubbo.common.Version;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Calls A to B to C, with providers and gateways as they are: C's gateway does not forward, C's guard refuses, or C does not
 * have the service. B lets what it gets escape, with the attachments that Dubbo copies. B ran, so A's call counts as executed:
 * it has another gateway to try and providers at home to fall back to, and uses neither. The services and methods of B and C
 * are the same, which is the hardest case: without the SDK, B also passes on the headers of A's call.
 */
@Tag("network")
class NestedCallsTest {

    private static final String BY_TRIPLE = "-t";
    private static final AtomicInteger ranAtB = new AtomicInteger();
    private static final AtomicInteger ranElsewhere = new AtomicInteger();
    private static volatile Throwable nestedEnded;
    private static final Map<Provider, Chain> CHAINS = new EnumMap<>(Provider.class);
    private static final List<AutoCloseable> opened = new ArrayList<>();

    /** What B is. */
    enum Provider {
        WITH_SDK,
        WITHOUT_SDK,
        /** Without it, and A and B check no classes of answers, as in Dubbo 3.2: more of B's exceptions reach A. */
        WITHOUT_SDK_OR_CHECKS
    }

    /** Why C does not run the call. */
    enum Why {
        NO_ROUTE("shanghai;unknown-island"),
        UNREACHABLE("shanghai;upstream-unreachable"),
        REFUSED("HIGHWAY-REFUSED:wrong-island"),
        MISSING("Fail to decode request due to");

        /** What B sees of it without the SDK, over the Dubbo protocol. */
        private final String words;

        Why(String words) {
            this.words = words;
        }

        /** The island that B with the SDK asks for; each tunnel has another one. */
        private String island(Tunnel tunnel) {
            return switch (this) {
                        case NO_ROUTE -> "yunnan";
                        case UNREACHABLE -> "sichuan";
                        case REFUSED -> "beijing";
                        case MISSING -> "guangdong";
                    }
                    + (tunnel == Tunnel.TRIPLE ? BY_TRIPLE : "");
        }
    }

    /** Another service, which every instance has. */
    public interface Kiosk {

        String sell(String item);
    }

    /** C: one provider that refuses everything, one that lacks the service, and a gateway before each. */
    private static final class Destination {

        static final String DUBBO = "dubbo://";
        static final String TRIPLE = "tri://";

        final Map<String, String> refusing;
        final Map<String, String> lacking;
        final Gateway gateway;
        final Gateway beforeNothing;
        final Gateway beforeLacking;

        Destination() {
            refusing = provider("beijing", true);
            lacking = provider("guangdong", false);
            gateway = gateway("beijing", refusing);
            String nobody = "127.0.0.1:" + FreePorts.next();
            beforeNothing = gateway("sichuan", Map.of(DUBBO, nobody, TRIPLE, nobody), "shanghai");
            beforeLacking = gateway("guangdong", lacking);
        }

        private static Map<String, String> provider(String island, boolean hasIt) {
            TestApplication application = keep(new TestApplication(
                    island,
                    Map.of("highway.island", island, "highway.sign.accept.k1", "a-secret-of-32-characters-at-least")));
            String dubbo = application.listen("dubbo");
            String triple = application.listen("tri");
            if (hasIt) {
                application
                        .export(Shop.class, elsewhere(), service -> {})
                        .export(HostileService.class, protobufElsewhere(), service -> service.setProtocolIds("tri"));
            }
            application.export(Kiosk.class, text -> text, service -> {}).start();
            return Map.of(DUBBO, dubbo, TRIPLE, triple);
        }

        private static Gateway gateway(String island, Map<String, String> provider, String... more) {
            GatewayConfig.Builder config =
                    GatewayConfig.builder().island(island).listen("gateway." + island + ".test", 0);
            Stream.concat(Stream.of(island, island + BY_TRIPLE), Stream.of(more))
                    .forEach(route ->
                            config.providers(route, "*", List.of(provider.get(DUBBO)), List.of(provider.get(TRIPLE))));
            return keep(Gateway.start(config.build()));
        }

        private static String address(String island, Gateway gateway) {
            return "gateway." + island + ".test:" + gateway.port();
        }

        /** Where B without the SDK calls, with the headers of A's call. */
        String url(Why why, String scheme) {
            return scheme
                    + switch (why) {
                        case NO_ROUTE -> address("beijing", gateway);
                        case UNREACHABLE -> address("sichuan", beforeNothing);
                        case REFUSED -> refusing.get(scheme);
                        case MISSING -> lacking.get(scheme);
                    };
        }
    }

    /** What B calls, by how it gets there. */
    private record Next(Shop shop, HostileService protobuf) {}

    /** A and B. */
    private static final class Chain {

        private final Map<String, Next> next = new HashMap<>();
        private final Map<Tunnel, ShopReferences> shops = new EnumMap<>(Tunnel.class);
        private HostileService protobuf;

        Chain(Provider provider, Destination c, String homeDubbo) {
            boolean sdk = provider == Provider.WITH_SDK;
            Map<String, String> properties = new HashMap<>();
            Map<String, String> checks = provider == Provider.WITHOUT_SDK_OR_CHECKS
                    ? Map.of("dubbo.application.serialize-check-status", "WARN")
                    : Map.of();
            properties.putAll(checks);
            if (sdk) {
                GatewayConfig.Builder config =
                        GatewayConfig.builder().island("shanghai").listen("gateway2.shanghai.test", 0);
                for (String end : List.of("", BY_TRIPLE)) {
                    config.next("beijing" + end, List.of(Destination.address("beijing", c.gateway)))
                            .next("sichuan" + end, List.of(Destination.address("sichuan", c.beforeNothing)))
                            .next("guangdong" + end, List.of(Destination.address("guangdong", c.beforeLacking)));
                }
                Gateway out = keep(Gateway.start(config.build()));
                properties.putAll(caller("shanghai", "gateway2.shanghai.test:" + out.port()));
                for (Why why : Why.values()) {
                    for (Tunnel tunnel : Tunnel.values()) {
                        properties.put("highway.islands." + why.island(tunnel) + ".tunnel", tunnel.key());
                    }
                }
            } else {
                properties.put("highway.enabled", "false");
            }
            TestApplication b = keep(new TestApplication("shanghai", properties));
            String dubbo = b.listen("dubbo");
            String triple = b.listen("tri");
            b.export(Shop.class, relay(), service -> filters(service, sdk))
                    .export(HostileService.class, protobufRelay(), service -> {
                        service.setProtocolIds("tri");
                        filters(service, sdk);
                    })
                    .start();
            for (Why why : Why.values()) {
                for (Tunnel tunnel : Tunnel.values()) {
                    next.put(why + ":" + tunnel, sdk ? tunnelled(b, why, tunnel) : plain(b, c, why, tunnel));
                }
            }
            callers(homeDubbo, sdk, checks, dubbo, triple);
        }

        private static Map<String, String> caller(String island, String gateways) {
            return Map.of(
                    "highway.island",
                    island,
                    "highway.gateways.dubbo",
                    gateways,
                    "highway.gateways.triple",
                    gateways,
                    "highway.defaults.timeout",
                    "10s",
                    "highway.defaults.breaker.failure-rate",
                    "none",
                    "highway.heartbeat.interval",
                    "none");
        }

        private static Next tunnelled(TestApplication b, Why why, Tunnel tunnel) {
            Shop shop = b.reference(Shop.class, config -> {
                        config.setUrl("dubbo://127.0.0.1:9");
                        config.setCheck(false);
                    })
                    .get();
            HostileService protobuf = b.reference(HostileService.class, config -> {
                        config.setUrl("tri://127.0.0.1:9");
                        config.setCheck(false);
                    })
                    .get();
            return new Next(
                    Highway.to(why.island(tunnel)).bind(Shop.class, shop),
                    Highway.to(why.island(tunnel)).bind(HostileService.class, protobuf));
        }

        private static Next plain(TestApplication b, Destination c, Why why, Tunnel tunnel) {
            String scheme = tunnel == Tunnel.DUBBO ? Destination.DUBBO : Destination.TRIPLE;
            Shop shop = b.reference(Shop.class, config -> {
                        config.setUrl(c.url(why, scheme));
                        plain(config);
                    })
                    .get();
            HostileService protobuf = b.reference(HostileService.class, config -> {
                        config.setUrl(c.url(why, Destination.TRIPLE));
                        plain(config);
                    })
                    .get();
            return new Next(shop, protobuf);
        }

        /** As in older lines of Dubbo, the attachments of an answer are copied although it is an exception. */
        private static void plain(ReferenceConfig<?> config) {
            config.setCheck(false);
            config.setTimeout(10_000);
            config.setRetries(0);
            config.setFilter("-rpc-exception");
        }

        private void callers(String homeDubbo, boolean sdk, Map<String, String> checks, String dubbo, String triple) {
            Gateway before = keep(Gateway.start(GatewayConfig.builder()
                    .island("shanghai")
                    .listen("gateway.shanghai.test", 0)
                    .providers("shanghai", "*", List.of(dubbo), List.of(triple))
                    .guarded(sdk)
                    .build()));
            String addresses = homeGateway(before) + "," + homeGateway(before);
            for (Tunnel tunnel : Tunnel.values()) {
                Map<String, String> properties = new HashMap<>(caller("zhejiang", addresses));
                properties.putAll(checks);
                properties.put("highway.defaults.tunnel", tunnel.key());
                properties.put("highway.islands.shanghai.fallback", "home");
                properties.put("highway.islands.beijing.keys", "110000");
                TestApplication a = keep(new TestApplication("zhejiang", properties));
                shops.put(tunnel, ShopReferences.of(a, homeDubbo));
                if (tunnel == Tunnel.TRIPLE) {
                    protobuf = a.reference(HostileService.class, config -> {
                                config.setUrl("tri://" + triple);
                                config.setCheck(false);
                            })
                            .get();
                }
            }
        }

        private static String homeGateway(Gateway far) {
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

        private Next next(String item) {
            ranAtB.incrementAndGet();
            return next.get(item);
        }

        private Shop relay() {
            return new ForwardingShop() {
                @Override
                public String sell(String item) {
                    Next called = next(item);
                    try {
                        return called.shop.sell(item);
                    } catch (RuntimeException e) {
                        nestedEnded = e;
                        throw e;
                    }
                }

                @Override
                public CompletableFuture<String> sellLater(String item) {
                    return next(item).shop.sellLater(item).whenComplete((answer, failure) -> nestedEnded = failure);
                }
            };
        }

        private HostileService protobufRelay() {
            return new HostileService() {
                @Override
                public StringValue act(StringValue item) {
                    Next called = next(item.getValue());
                    try {
                        return called.protobuf.act(item);
                    } catch (RuntimeException e) {
                        nestedEnded = e;
                        throw e;
                    }
                }

                @Override
                public CompletableFuture<StringValue> actLater(StringValue item) {
                    return next(item.getValue())
                            .protobuf
                            .actLater(item)
                            .whenComplete((answer, failure) -> nestedEnded = failure);
                }
            };
        }
    }

    private static Shop elsewhere() {
        return new ForwardingShop() {
            @Override
            public String sell(String item) {
                ranElsewhere.incrementAndGet();
                return item;
            }

            @Override
            public CompletableFuture<String> sellLater(String item) {
                return CompletableFuture.completedFuture(sell(item));
            }
        };
    }

    private static HostileService protobufElsewhere() {
        return new HostileService() {
            @Override
            public StringValue act(StringValue item) {
                ranElsewhere.incrementAndGet();
                return item;
            }

            @Override
            public CompletableFuture<StringValue> actLater(StringValue item) {
                return CompletableFuture.completedFuture(act(item));
            }
        };
    }

    private static <C extends AutoCloseable> C keep(C one) {
        opened.add(0, one);
        return one;
    }

    @BeforeAll
    static void start() {
        TestApplication home = keep(new TestApplication("zhejiang", Map.of("highway.island", "zhejiang")));
        String homeDubbo = home.listen("dubbo");
        home.export(Shop.class, elsewhere(), service -> {}).start();
        Destination c = new Destination();
        for (Provider provider : Provider.values()) {
            CHAINS.put(provider, new Chain(provider, c, homeDubbo));
        }
    }

    @AfterAll
    static void end() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
    }

    static Stream<Arguments> table() {
        return Stream.of(Provider.values()).flatMap(provider -> Stream.of(Tunnel.values())
                .flatMap(tunnel -> CallForm.over(tunnel).map(form -> Arguments.of(provider, tunnel, form))));
    }

    @ParameterizedTest
    @MethodSource("table")
    void countAsExecuted_whateverTheServicesOwnCallEndedWith(Provider provider, Tunnel tunnel, CallForm form) {
        Chain chain = CHAINS.get(provider);
        List<String> wrong = new ArrayList<>();

        for (Why why : Why.values()) {
            for (Tunnel nested : form.isProtobuf() ? new Tunnel[] {Tunnel.TRIPLE} : Tunnel.values()) {
                ranAtB.set(0);
                ranElsewhere.set(0);
                nestedEnded = null;
                String row = why + ":" + nested;
                Throwable ended = form.failure(chain.shops.get(tunnel), chain.protobuf, row);
                if (ranAtB.get() != 1 || ranElsewhere.get() != 0) {
                    wrong.add(row + " ran " + ranAtB + " times at B, " + ranElsewhere + " times elsewhere: " + ended);
                }
                if (ended instanceof HighwayException e && !e.mayHaveRun()) {
                    wrong.add(row + " is reported as not sent: " + e.getMessage());
                }
                if (!isGenuine(provider, nested, why, nestedEnded)) {
                    wrong.add(row + " is not what this test is about, B's own call ended with: " + nestedEnded);
                }
            }
        }

        assertThat(wrong).isEmpty();
    }

    /** It asks for the island before anybody looks the service up. */
    private static boolean isByTheGuard(Throwable core) {
        return String.valueOf(core.getMessage()).contains("HIGHWAY-REFUSED:wrong-island");
    }

    /** Whether B's own call was proved not to have run, or ended in the words of the gateway or C. */
    private static boolean isGenuine(Provider provider, Tunnel nested, Why why, Throwable ended) {
        Throwable core = CallForm.core(ended);
        if (!Version.getVersion().startsWith("3.3")) { // other words, and less proof
            return core != null;
        }
        if (provider == Provider.WITH_SDK) {
            return core instanceof HighwayException e && !e.mayHaveRun();
        }
        return core != null
                && (nested == Tunnel.TRIPLE
                        || String.valueOf(core.getMessage()).contains(why.words)
                        || (why == Why.MISSING && isByTheGuard(core)));
    }
}

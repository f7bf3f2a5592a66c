// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.example.ledger.Ledger;
import com.example.ledger.Till;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.provider.guard.WithoutGuard;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.dubbo.common.Version;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Caller and provider have different versions of a service, or of the classes around it. */
@Tag("network")
class VersionSkewTest {

    private static final String INTERFACE = "com.example.ledger.Till";

    /** What a newer caller has. */
    private static final String NEWER =
            """
            package com.example.ledger;
            public interface Till {
                String pay(String what);
                String refund(String what);
                String close();
            }
            """;

    /** What an older caller has, without the exception's class. */
    private static final String OLDER =
            """
            package com.example.ledger;
            public interface Till {
                String fail(String how);
            }
            """;

    private static final List<AutoCloseable> OPENED = new ArrayList<>();
    private static final Map<Peer, Callers> CALLERS = new HashMap<>();
    private static final AtomicInteger RUNS = new AtomicInteger();

    /** The provider: a provider with the SDK or without it, over this tunnel. */
    private record Peer(Tunnel tunnel, boolean guarded) {}

    private record Callers(Object newer, Object older, Ledger ledger, GenericService generic, GenericService nowhere) {}

    private static final class Cashier implements Till {

        @Override
        public String pay(String what) {
            RUNS.incrementAndGet();
            return "paid " + what;
        }

        @Override
        public String payFor(Item item) {
            RUNS.incrementAndGet();
            return "paid for " + item.getName();
        }

        @Override
        public String fail(String how) {
            RUNS.incrementAndGet();
            throw new TillException("the till is empty: " + how, 7);
        }
    }

    @BeforeAll
    static void start() throws Exception {
        for (boolean guarded : new boolean[] {true, false}) {
            TestApplication provider =
                    closing(new TestApplication("shanghai", guarded ? Map.of("highway.island", "shanghai") : Map.of()));
            String dubbo = provider.listen("dubbo");
            String triple = provider.listen("tri");
            provider.export(Till.class, new Cashier(), service -> {
                        if (!guarded) {
                            WithoutGuard.export(service);
                        }
                    })
                    .start();
            Gateway gateway = Gateway.start(GatewayConfig.builder()
                    .island("shanghai")
                    .listen("gateway.shanghai.test", 0)
                    .providers("shanghai", "*", List.of(dubbo), List.of(triple))
                    .build());
            OPENED.add(gateway::closeNow);
            for (Tunnel tunnel : Tunnel.values()) {
                CALLERS.put(new Peer(tunnel, guarded), callers(tunnel, "gateway.shanghai.test:" + gateway.port()));
            }
        }
    }

    private static <C extends AutoCloseable> C closing(C one) {
        OPENED.add(one);
        return one;
    }

    private static Callers callers(Tunnel tunnel, String gateway) throws Exception {
        TestApplication home = closing(new TestApplication(
                "zhejiang",
                Map.of(
                        "highway.island",
                        "zhejiang",
                        "highway.gateways." + tunnel.key(),
                        gateway,
                        "highway.islands.shanghai.tunnel",
                        tunnel.key(),
                        "highway.islands.shanghai.timeout",
                        "20s")));
        Class<?> newer = new OtherVersion(Map.of(INTERFACE, NEWER), Set.of()).loadClass(INTERFACE);
        Class<?> older = new OtherVersion(Map.of(INTERFACE, OLDER), Set.of(Till.TillException.class.getName()))
                .loadClass(INTERFACE);
        return new Callers(
                reference(home, newer, null),
                reference(home, older, null),
                reference(home, Ledger.class, null),
                reference(home, GenericService.class, INTERFACE),
                reference(home, GenericService.class, "com.example.ledger.Nowhere"));
    }

    private static <S> S reference(TestApplication home, Class<S> type, String generic) {
        return home.reference(type, config -> {
                    config.setUrl("dubbo://zhejiang.test:" + FreePorts.next());
                    config.setCheck(false);
                    config.setParameters(new HashMap<>(Map.of("highway-island", "shanghai")));
                    if (generic != null) {
                        config.setInterface(generic);
                        config.setGeneric("true");
                    }
                })
                .get();
    }

    @AfterAll
    static void stop() throws Exception {
        for (int i = OPENED.size() - 1; i >= 0; i--) {
            OPENED.get(i).close();
        }
    }

    @AfterEach
    void forget() {
        RUNS.set(0);
    }

    /** The Triple server of Dubbo 3.2 answers for a missing method as for a missing service, before any filter. */
    static Stream<Peer> peers() {
        return Stream.of(Tunnel.values())
                .filter(tunnel -> tunnel == Tunnel.DUBBO || Version.getVersion().startsWith("3.3"))
                .flatMap(tunnel -> Stream.of(new Peer(tunnel, true), new Peer(tunnel, false)));
    }

    /** Dubbo 3.2 serialises no immutable maps. */
    private static Map<String, String> item() {
        return new HashMap<>(Map.of("name", "tea"));
    }

    private static Throwable call(Object service, String method, Object... arguments) {
        Class<?>[] types = Stream.of(arguments).map(Object::getClass).toArray(Class<?>[]::new);
        Throwable thrown =
                catchThrowable(() -> service.getClass().getMethod(method, types).invoke(service, arguments));
        return thrown instanceof InvocationTargetException e ? e.getTargetException() : thrown;
    }

    private static Throwable generic(GenericService service, String method, String type, Object argument) {
        return catchThrowable(() -> service.$invoke(method, new String[] {type}, new Object[] {argument}));
    }

    private static void assertNothingRan(Throwable thrown, Reason reason, boolean mayHaveRun, String... texts) {
        assertThat(thrown)
                .isInstanceOfSatisfying(HighwayException.class, e -> {
                    assertThat(e.reason()).isEqualTo(reason);
                    assertThat(e.mayHaveRun()).as("it may have run").isEqualTo(mayHaveRun);
                })
                .hasMessageContainingAll(texts);
        assertThat(RUNS).hasValue(0);
    }

    @ParameterizedTest
    @MethodSource("peers")
    void serves_whatBothHave(Peer peer) {
        assertThat(call(CALLERS.get(peer).newer(), "pay", "tea")).isNull();
        assertThat(generic(CALLERS.get(peer).generic(), "payFor", INTERFACE + "$Item", item()))
                .isNull();
        assertThat(CALLERS.get(peer).generic().$invoke("pay", null, new Object[] {"tea"}))
                .isEqualTo("paid tea");
    }

    @ParameterizedTest
    @MethodSource("peers")
    void reportsAMissingService(Peer peer) {
        boolean unproven = peer.tunnel == Tunnel.TRIPLE && !peer.guarded;

        Throwable typed = catchThrowable(() -> CALLERS.get(peer).ledger().book("tea"));
        Throwable untyped = generic(CALLERS.get(peer).nowhere(), "pay", "java.lang.String", "tea");

        assertNothingRan(typed, Reason.NO_SUCH_SERVICE, unproven, "not deployed there with this group and version");
        assertNothingRan(untyped, Reason.NO_SUCH_SERVICE, unproven, "not deployed there with this group and version");
    }

    @ParameterizedTest
    @MethodSource("peers")
    void reportsAMissingMethod(Peer peer) {
        Throwable without = call(CALLERS.get(peer).newer(), "close");
        Throwable untyped = generic(CALLERS.get(peer).generic(), "refund", "java.lang.String", "tea");
        Throwable with = call(CALLERS.get(peer).newer(), "refund", "tea");

        String advice = "Deploy a release of the service in shanghai that has this method";
        assertNothingRan(without, Reason.NO_SUCH_METHOD, !peer.guarded, advice, "close");
        assertNothingRan(untyped, Reason.NO_SUCH_METHOD, !peer.guarded, advice, "refund");
        if (peer.tunnel == Tunnel.TRIPLE) {
            assertNothingRan(with, Reason.NO_SUCH_METHOD, !peer.guarded, advice, "refund");
        } else { // Dubbo's server answers as for a missing service
            assertNothingRan(with, Reason.NO_SUCH_SERVICE, false, "or has a release of it without this method");
        }
    }

    @ParameterizedTest
    @MethodSource("peers")
    void reportsAMissingParameterClass(Peer peer) {
        Throwable thrown = generic(CALLERS.get(peer).generic(), "payFor", "com.example.ledger.Coupon", item());

        if (peer.guarded) {
            assertNothingRan(
                    thrown,
                    Reason.NO_SUCH_METHOD,
                    false,
                    "has no method payFor(com.example.ledger.Coupon); it has payFor(com.example.ledger.Till$Item)");
        } else {
            assertNothingRan(
                    thrown,
                    Reason.SERIALIZATION,
                    true,
                    "the provider does not have the class com.example.ledger.Coupon");
        }
    }

    @ParameterizedTest
    @MethodSource("peers")
    void reportsOtherParameterTypes(Peer peer) {
        Throwable thrown = generic(CALLERS.get(peer).generic(), "pay", "java.lang.Integer", 7);

        assertNothingRan(thrown, Reason.NO_SUCH_METHOD, !peer.guarded, "pay");
        if (peer.guarded) {
            assertThat(thrown).hasMessageContaining("it has pay(java.lang.String)");
        }
        if (peer.guarded && peer.tunnel == Tunnel.TRIPLE) {
            DocumentedText.assertIsIn("guides/idl-generic.md", thrown);
        }
    }

    @ParameterizedTest
    @MethodSource("peers")
    void keepsNameAndTextOfAnExceptionWhoseClassIsMissingHere(Peer peer) {
        Throwable thrown = call(CALLERS.get(peer).older(), "fail", "since noon");

        assertThat(thrown)
                .isInstanceOfSatisfying(HighwayException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.SERIALIZATION);
                    assertThat(e.mayHaveRun()).isTrue();
                })
                .hasMessageContaining("the service threw com.example.ledger.Till$TillException: the till is empty:"
                        + " since noon, which cannot be read here");
        assertThat(RUNS).hasValue(1);
    }
}

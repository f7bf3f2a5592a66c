// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.example.ledger.Ledger;
import com.example.ledger.Unwritable;
import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferOverflowException;
import java.nio.file.InvalidPathException;
import java.security.GeneralSecurityException;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.MissingResourceException;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.StatusRpcException;
import org.apache.dubbo.rpc.service.GenericException;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A provider lets the {@code HighwayException} of another call propagate. It has to reach callers that have no such
 * class, under Dubbo's default serialize check, and must not disturb other calls on the connection.
 */
@Tag("network")
class EscapedExceptionTest {

    private static final int NEIGHBOURS = 20;

    private static final Map<Tunnel, Ledger> DIRECT = new EnumMap<>(Tunnel.class);
    private static final Map<Tunnel, GenericService> GENERIC = new EnumMap<>(Tunnel.class);
    private static final Map<Tunnel, Ledger> TUNNELLED = new EnumMap<>(Tunnel.class);

    /** Another application. */
    private static final Map<Tunnel, Ledger> NEIGHBOUR = new EnumMap<>(Tunnel.class);

    private static final List<TestApplication> HOMES = new ArrayList<>();
    private static TestApplication provider;
    private static TestApplication plain;
    private static Gateway gateway;
    private static Ledger.Feed feed;
    private static Ledger.Feed routedFeed;
    private static Keeper keeper;

    @BeforeAll
    static void start() {
        provider = new TestApplication("shanghai", Map.of("highway.island", "shanghai"));
        Map<Tunnel, String> addresses = new EnumMap<>(Tunnel.class);
        addresses.put(Tunnel.DUBBO, provider.listen("dubbo"));
        addresses.put(Tunnel.TRIPLE, provider.listen("tri"));
        keeper = new Keeper();
        provider.export(Ledger.class, keeper, service -> {})
                .export(Ledger.Feed.class, keeper, service -> service.setProtocolIds("tri"))
                .start();
        keeper.onward = provider.reference(
                        Ledger.class, config -> config.setUrl("dubbo://" + addresses.get(Tunnel.DUBBO)))
                .get();

        plain = new TestApplication("zhejiang", Map.of());
        gateway = Gateway.start(GatewayConfig.builder()
                .island("shanghai")
                .listen("gateway.shanghai.test", 0)
                .providers("shanghai", "*", List.of(addresses.get(Tunnel.DUBBO)), List.of(addresses.get(Tunnel.TRIPLE)))
                .build());
        String gatewayAddress = "gateway.shanghai.test:" + gateway.port();
        for (Tunnel tunnel : Tunnel.values()) {
            String url = url(tunnel, addresses.get(tunnel));
            DIRECT.put(tunnel, reference(plain, Ledger.class, url).get());
            ReferenceConfig<GenericService> generic = reference(plain, GenericService.class, url);
            generic.setInterface(Ledger.class.getName());
            generic.setGeneric("true");
            GENERIC.put(tunnel, generic.get());
        }
        routedFeed = caller(Ledger.Feed.class, Tunnel.TRIPLE, gatewayAddress);
        feed = reference(plain, Ledger.Feed.class, url(Tunnel.TRIPLE, addresses.get(Tunnel.TRIPLE)))
                .get();
        for (Tunnel tunnel : Tunnel.values()) {
            TUNNELLED.put(tunnel, caller(Ledger.class, tunnel, gatewayAddress));
            NEIGHBOUR.put(tunnel, caller(Ledger.class, tunnel, gatewayAddress));
        }
    }

    private static <S> S caller(Class<S> type, Tunnel tunnel, String gatewayAddress) {
        TestApplication home = new TestApplication(
                "zhejiang",
                Map.of(
                        "highway.island",
                        "zhejiang",
                        "highway.gateways." + tunnel.key(),
                        gatewayAddress,
                        "highway.islands.shanghai.tunnel",
                        tunnel.key(),
                        "highway.islands.shanghai.timeout",
                        "20s"));
        HOMES.add(home);
        ReferenceConfig<S> out = reference(home, type, "dubbo://zhejiang.test:" + FreePorts.next());
        out.setCheck(false);
        return Highway.to("shanghai").bind(type, out.get());
    }

    private static String url(Tunnel tunnel, String address) {
        return (tunnel == Tunnel.DUBBO ? "dubbo://" : "tri://") + address + "?timeout=20000&retries=0";
    }

    private static <S> ReferenceConfig<S> reference(TestApplication application, Class<S> type, String url) {
        return application.reference(type, config -> config.setUrl(url));
    }

    @AfterAll
    static void stop() {
        HOMES.forEach(TestApplication::close);
        gateway.closeNow();
        plain.close();
        provider.close();
    }

    /** What no method of {@link Ledger} declares, and Dubbo's serialize check does not list, or not in every version. */
    private static final Map<String, Supplier<Throwable>> UNDECLARED = undeclared();

    /** With those Dubbo's own observer of a stream may not end that stream; no object travels there. */
    private static final Set<String> ENDLESS = Set.of("unwritable CAUSE", "unwritable MESSAGE", "unwritable CHAIN");

    private static Map<String, Supplier<Throwable>> undeclared() {
        Map<String, Supplier<Throwable>> kinds = new TreeMap<>();
        for (Supplier<Throwable> kind : List.<Supplier<Throwable>>of(
                () -> new IOException("undeclared"),
                () -> new SQLException("undeclared"),
                () -> new TimeoutException("undeclared"),
                () -> new GeneralSecurityException("undeclared"),
                () -> new Unlisted("undeclared"),
                () -> new AssertionError("undeclared"),
                () -> new OutOfMemoryError("undeclared"),
                () -> new StackOverflowError("undeclared"),
                () -> new NoClassDefFoundError("undeclared"),
                () -> new ExceptionInInitializerError("undeclared"),
                () -> new UnlistedError("undeclared"),
                () -> new UncheckedIOException(new IOException("undeclared")),
                () -> new MissingResourceException("undeclared", "a", "b"),
                () -> new InvalidPathException("a", "undeclared"),
                () -> new DateTimeException("undeclared"),
                () -> new BufferOverflowException(),
                () -> new RejectedExecutionException("undeclared"))) {
            kinds.put(kind.get().getClass().getSimpleName(), kind);
        }
        for (Unwritable kind : Unwritable.values()) {
            kinds.put("unwritable " + kind, kind::create);
        }
        kinds.put("line breaks", () -> new IllegalStateException("undeclared\r\n\0 \u6587"));
        kinds.put("cause", () -> new IllegalStateException("undeclared", new SQLException("undeclared")));
        return kinds;
    }

    private static final class Unlisted extends Exception {

        private static final long serialVersionUID = 1L;

        Unlisted(String message) {
            super(message);
        }
    }

    private static final class UnlistedError extends Error {

        private static final long serialVersionUID = 1L;

        UnlistedError(String message) {
            super(message);
        }
    }

    static Stream<Arguments> tunnelsAndKinds() {
        return Stream.of(Tunnel.values())
                .flatMap(tunnel -> UNDECLARED.keySet().stream().map(kind -> Arguments.of(tunnel, kind)));
    }

    /** The connection is that of a gateway, which carries the calls of other islands, too. */
    @ParameterizedTest
    @MethodSource("tunnelsAndKinds")
    void leavesOtherCallsOnTheConnectionAlone_whateverTheServiceThrows(Tunnel tunnel, String kind) throws Exception {
        List<CompletableFuture<String>> neighbours = neighbours(NEIGHBOUR.get(tunnel));

        List<Throwable> ends = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ends.add(sync(TUNNELLED.get(tunnel), kind));
            ends.add(later(TUNNELLED.get(tunnel), kind));
        }
        CompletableFuture<Throwable> stream = tunnel == Tunnel.TRIPLE ? stream(routedFeed, kind) : null;
        if (stream != null && !ENDLESS.contains(kind)) {
            assertThat(stream.get(20, TimeUnit.SECONDS)).isNotNull();
        }
        keeper.open.countDown();

        for (CompletableFuture<String> neighbour : neighbours) {
            assertThat(neighbour.get(20, TimeUnit.SECONDS)).isEqualTo("entry");
        }
        assertThat(ends).allSatisfy(end -> assertThat(end).hasStackTraceContaining(wordOf(kind)));
    }

    /** What the caller can read of it. */
    private static String wordOf(String kind) {
        if (kind.startsWith("unwritable ")) {
            return kind.endsWith("CHAIN") ? IllegalStateException.class.getName() : Unwritable.class.getName() + "$";
        }
        return Set.of("cause", "line breaks").contains(kind) ? "undeclared" : kind;
    }

    private static List<CompletableFuture<String>> neighbours(Ledger ledger) {
        keeper.open = new CountDownLatch(1);
        keeper.waiting.set(0);
        List<CompletableFuture<String>> neighbours = new ArrayList<>();
        for (int i = 0; i < NEIGHBOURS; i++) {
            neighbours.add(CompletableFuture.supplyAsync(() -> ledger.wait("entry"), task -> new Thread(task).start()));
        }
        await().until(() -> keeper.waiting.get() == NEIGHBOURS);
        return neighbours;
    }

    /** The provider: its own call to an island that does not exist is refused, and it does nothing about that. */
    private static final class Keeper implements Ledger, Ledger.Feed {

        private final AtomicInteger waiting = new AtomicInteger();
        private volatile CountDownLatch open = new CountDownLatch(1);
        private Ledger onward;

        private HighwayException ownCallRefused() {
            Throwable refused = catchThrowable(() -> Highway.to("tokyo").call(() -> onward.book("never")));
            assertThat(refused).isInstanceOf(HighwayException.class);
            return (HighwayException) refused;
        }

        private RuntimeException failure(String how) {
            if (how.equals("of a call at home")) { // there it escapes, too
                return (RuntimeException) catchThrowable(() -> onward.book("escapes"));
            }
            HighwayException refused = ownCallRefused();
            return switch (how) {
                case "escapes" -> refused;
                case "joined" -> new CompletionException(refused);
                case "as cause, joined" -> new LedgerException("not booked", new CompletionException(refused));
                case "as cause" -> new LedgerException("not booked", refused);
                case "as cause of a cause" -> new LedgerException("not booked", new LedgerException("inner", refused));
                case "suppressed" -> {
                    LedgerException failure = new LedgerException("not booked", null);
                    failure.addSuppressed(refused);
                    yield failure;
                }
                default -> throw new AssertionError(how);
            };
        }

        @Override
        public String book(String how) {
            Supplier<Throwable> undeclared = UNDECLARED.get(how);
            if (undeclared != null) {
                throw EscapedExceptionTest.<RuntimeException>unchecked(undeclared.get());
            }
            throw failure(how);
        }

        @Override
        public CompletableFuture<String> bookLater(String how) {
            Supplier<Throwable> undeclared = UNDECLARED.get(how);
            if (undeclared != null) {
                return CompletableFuture.failedFuture(undeclared.get());
            }
            return CompletableFuture.supplyAsync(() -> {
                throw failure(how);
            });
        }

        @Override
        public String wait(String entry) {
            waiting.incrementAndGet();
            try {
                assertThat(open.await(30, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return entry;
        }

        @Override
        public void entries(String how, StreamObserver<String> answers) {
            answers.onNext("first");
            Supplier<Throwable> undeclared = UNDECLARED.get(how);
            answers.onError(undeclared == null ? failure(how) : undeclared.get());
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the compiler shall not see what is thrown
    private static <E extends Throwable> E unchecked(Throwable thrown) throws E {
        throw (E) thrown;
    }

    static Stream<Arguments> tunnelsAndWays() {
        return Stream.of(Tunnel.values()).flatMap(tunnel -> Stream.of(
                        "escapes",
                        "joined",
                        "of a call at home",
                        "as cause",
                        "as cause, joined",
                        "as cause of a cause",
                        "suppressed")
                .map(how -> Arguments.of(tunnel, how)));
    }

    private static Throwable sync(Ledger ledger, String how) {
        return unwrapped(catchThrowable(() -> ledger.book(how)));
    }

    private static Throwable later(Ledger ledger, String how) {
        return unwrapped(catchThrowable(() -> ledger.bookLater(how).get(20, TimeUnit.SECONDS)));
    }

    /** The caller's own Dubbo throws an {@code RpcException} that was answered anew ({@code RpcExceptionFilter}). */
    private static Throwable unwrapped(Throwable thrown) {
        Throwable inner = thrown;
        while (inner instanceof ExecutionException
                || (inner.getClass() == RpcException.class && inner.getCause() instanceof ExecutionException)) {
            inner = inner.getCause();
        }
        return inner;
    }

    private static void assertReadable(Throwable thrown, String how) {
        if (Set.of("escapes", "joined", "of a call at home").contains(how)) {
            assertIsPlain(thrown);
            return;
        }
        assertThat(thrown).isExactlyInstanceOf(Ledger.LedgerException.class).hasMessage("not booked");
        if (how.startsWith("as cause") && !how.endsWith("of a cause")) {
            assertIsPlain(thrown.getCause());
        } else if (how.equals("as cause of a cause")) {
            assertIsPlain(thrown.getCause().getCause());
        } else {
            assertIsPlain(thrown.getSuppressed()[0]);
        }
    }

    /** The class that every Dubbo has, the reason's code, the whole message, no cause. */
    private static void assertIsPlain(Throwable thrown) {
        assertThat(thrown)
                .isExactlyInstanceOf(RpcException.class)
                .hasMessageStartingWith("com.example.ledger.Ledger#book asked for island \"tokyo\" (from scope)")
                .hasMessageContaining("unknown-island")
                .hasNoCause();
        assertThat(((RpcException) thrown).getCode()).isEqualTo(Reason.UNKNOWN_ISLAND.code());
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndWays")
    void reachesACallerWithoutTheSdk_andLeavesOtherCallsAlone(Tunnel tunnel, String how) throws Exception {
        Ledger ledger = DIRECT.get(tunnel);
        List<CompletableFuture<String>> neighbours = neighbours(ledger);

        Throwable sync = sync(ledger, how);
        Throwable later = later(ledger, how);
        keeper.open.countDown();

        for (CompletableFuture<String> neighbour : neighbours) {
            assertThat(neighbour.get(20, TimeUnit.SECONDS)).isEqualTo("entry");
        }
        assertReadable(sync, how);
        assertReadable(later, how);
    }

    @ParameterizedTest
    @EnumSource
    void reachesAGenericCaller(Tunnel tunnel) {
        Throwable thrown = catchThrowable(
                () -> GENERIC.get(tunnel).$invoke("book", new String[] {"java.lang.String"}, new Object[] {"escapes"}));

        assertThat(thrown).isInstanceOfSatisfying(GenericException.class, e -> {
            assertThat(e.getExceptionClass()).isEqualTo(RpcException.class.getName());
            assertThat(e.getExceptionMessage()).contains("unknown-island");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"escapes", "as cause"})
    void reachesTheObserverOfAStream(String how) throws Exception {
        assertThat(endOfStream(feed, how))
                .isInstanceOf(StatusRpcException.class)
                .hasMessageContaining(how.equals("escapes") ? "unknown-island" : "not booked");
    }

    private static Throwable endOfStream(Ledger.Feed feed, String how) throws Exception {
        return stream(feed, how).get(20, TimeUnit.SECONDS);
    }

    private static CompletableFuture<Throwable> stream(Ledger.Feed feed, String how) {
        CompletableFuture<Throwable> failure = new CompletableFuture<>();

        feed.entries(how, new StreamObserver<>() {
            @Override
            public void onNext(String entry) {
                // the first, before the failure
            }

            @Override
            public void onError(Throwable error) {
                failure.complete(error);
            }

            @Override
            public void onCompleted() {
                failure.completeExceptionally(new AssertionError("completed"));
            }
        });
        return failure;
    }

    @ParameterizedTest
    @EnumSource
    void isAFailureOfTheService_toACallerThroughATunnel(Tunnel tunnel) {
        for (Throwable thrown :
                List.of(sync(TUNNELLED.get(tunnel), "escapes"), later(TUNNELLED.get(tunnel), "escapes"))) {
            assertThat(thrown)
                    .isInstanceOfSatisfying(HighwayException.class, e -> {
                        assertThat(e.reason()).isEqualTo(Reason.REMOTE_FAILURE);
                        assertThat(e.mayHaveRun())
                                .as("the inner call has not run, the outer one has")
                                .isTrue();
                    })
                    .hasMessageContaining("unknown-island");
        }
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.Island;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.tools.fixtures.logs.CapturedLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where an intent comes from, with real calls; the order of precedence also has a unit test. */
class IntentSourcesTest {

    @RegisterExtension
    static final Shops shops = new Shops();

    private static final String REQUIRED = "highway.services." + Shop.class.getName() + ".require-island";

    private static Shop in(Islands islands, String island) {
        return Shops.reference(
                islands, Shop.class, config -> config.setParameters(Map.of(HighwayAttachments.ISLAND, island)));
    }

    /** All that have been made with this tunnel and no other key. */
    private static List<RecordedCall> calls(TunnelKind tunnel) {
        return Stream.of("zhejiang", "shanghai", "beijing")
                .flatMap(name -> shops.islands(tunnel).at(name).calls().stream())
                .toList();
    }

    /** The same service under an annotated interface. */
    @Island("shanghai")
    interface ShanghaiShop extends Shop {}

    /** Inherits where it goes, and declares a method anew. */
    interface SmallShanghaiShop extends ShanghaiShop {

        @Override
        String sellInBeijing(String item);
    }

    static Stream<Arguments> tunnelsAndShanghaiShops() {
        return Stream.of(TunnelKind.values()).flatMap(tunnel -> Stream.of(ShanghaiShop.class, SmallShanghaiShop.class)
                .map(type -> Arguments.of(tunnel, type)));
    }

    @ParameterizedTest
    @EnumSource
    void reachesTheIslandOfAKeyArgument(TunnelKind tunnel) {
        Shop shop = shops.shop(tunnel);

        assertThat(shop.sellIn("310115", "tea")).isEqualTo("shanghai:tea");
        assertThat(shop.sellIn("110000", "tea")).isEqualTo("beijing:tea");
        assertThat(shop.sellIn("zhejiang", "tea")).isEqualTo("zhejiang:tea");
    }

    @ParameterizedTest
    @EnumSource
    void reachesTheIslandOfAKeyProperty(TunnelKind tunnel) {
        Shop shop = shops.shop(tunnel);

        assertThat(shop.ship(new Shop.Order("tea", new Shop.Address("310000")))).isEqualTo("shanghai:tea");
        assertThat(shop.find(new HashMap<>(Map.of("code", "110000")))).isEqualTo("beijing:110000");
    }

    @ParameterizedTest
    @EnumSource
    void refusesAKeyThatCannotBeRead(TunnelKind tunnel) {
        Shop shop = shops.shop(tunnel);
        List<RecordedCall> before = calls(tunnel);

        assertThatThrownBy(() -> shop.sellIn(null, "tea"))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.BAD_KEY))
                .hasMessageContaining("argument 1 is null");
        assertThatThrownBy(() -> shop.ship(new Shop.Order("tea", null)))
                .hasMessageContaining("argument 1.address is null");
        assertThat(calls(tunnel)).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void reachesTheIslandOfTheMethod(TunnelKind tunnel) {
        assertThat(shops.shop(tunnel).sellInBeijing("tea")).isEqualTo("beijing:tea");
    }

    @ParameterizedTest
    @EnumSource
    void reachesTheIslandOfTheReference(TunnelKind tunnel) {
        Shop shop = in(shops.islands(tunnel), "shanghai");

        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        assertThat(shop.sellInBeijing("tea")).isEqualTo("beijing:tea");
        assertThat(Highway.home().call(() -> shop.sell("tea"))).isEqualTo("zhejiang:tea");
    }

    @ParameterizedTest
    @EnumSource
    void reachesTheIslandOfTheConfiguration(TunnelKind tunnel) {
        Shop shop = shops.shop(tunnel, "highway.services." + Shop.class.getName() + ".island", "shanghai");

        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
    }

    static Stream<Arguments> tunnelsAndModes() {
        return Stream.of(TunnelKind.values())
                .flatMap(tunnel -> Stream.of(Mode.values()).map(mode -> Arguments.of(tunnel, mode)));
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void refusesCallsThatNameNoIsland_whereTheServiceRequiresOne(TunnelKind tunnel, Mode mode) throws Throwable {
        Islands islands = shops.own(tunnel, REQUIRED, "true");
        Shop shop = islands.reference(Shop.class);
        GenericService generic = Shops.generic(islands);

        Throwable refused = catchThrowable(() -> mode.sell(shop, generic, "tea"));
        List<RecordedCall> after = islands.home().calls();
        String far = Highway.to("shanghai").callChecked(() -> mode.sell(shop, generic, "tea"));
        String home = Highway.home().callChecked(() -> mode.sell(shop, generic, "tea"));

        assertThat(refused)
                .isInstanceOfSatisfying(HighwayException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.ISLAND_REQUIRED);
                    assertThat(e.mayHaveRun()).isFalse();
                })
                .hasMessageContaining(
                        "asked for home (no island requested); decided: refused (policy static); island-required: ")
                .hasMessageContaining("Highway.to(island).bind(..)");
        assertThat(after).isEmpty();
        assertThat(far).isEqualTo("shanghai:tea");
        assertThat(home).isEqualTo("zhejiang:tea");
    }

    static Stream<Arguments> tunnelsModesAndMisspeltAttachments() {
        return Stream.of(TunnelKind.values()).flatMap(tunnel -> Stream.of(Mode.values())
                .flatMap(mode -> Stream.of("highway_island", "highway-iland", "highwayIsland", "highway.island")
                        .map(name -> Arguments.of(tunnel, mode, name))));
    }

    @ParameterizedTest
    @MethodSource("tunnelsModesAndMisspeltAttachments")
    void refusesAnAttachmentThatIsNotTheKey(TunnelKind tunnel, Mode mode, String name) {
        Shop shop = shops.shop(tunnel);
        GenericService generic = Shops.generic(shops.islands(tunnel));
        List<RecordedCall> before = calls(tunnel);

        RpcContext.getClientAttachment().setAttachment(name, "shanghai");
        Throwable refused = catchThrowable(() -> mode.sell(shop, generic, "tea"));

        assertThat(refusal(refused)).isEqualTo(Reason.BAD_ISLAND);
        assertThat(refused).hasStackTraceContaining("there is no attachment \"" + name + "\"; did you mean");
        assertThat(calls(tunnel)).isEqualTo(before);
        assertThat(shop.sell("tea")).as("the next call").isEqualTo("zhejiang:tea");
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndModes")
    void refusesTheKeyAsAServerAttachment(TunnelKind tunnel, Mode mode) {
        Shop shop = shops.shop(tunnel);
        GenericService generic = Shops.generic(shops.islands(tunnel));
        List<RecordedCall> before = calls(tunnel);

        RpcContext.getServerAttachment().setAttachment(HighwayAttachments.ISLAND, "shanghai");
        Throwable refused;
        try {
            refused = catchThrowable(() -> mode.sell(shop, generic, "tea"));
        } finally {
            RpcContext.removeServerAttachment();
        }

        assertThat(refusal(refused)).isEqualTo(Reason.BAD_ISLAND);
        assertThat(refused).hasStackTraceContaining("highway-island is a server attachment");
        assertThat(calls(tunnel)).isEqualTo(before);
        assertThat(shop.sell("tea")).isEqualTo("zhejiang:tea");
    }

    /** Several applications of this process look for them. */
    @Test
    void warnsOnce_ofALineThatOpensScopesAndDoesNotCloseThem() throws Exception {
        try (CapturedLog log = new CapturedLog()) {
            shops.shop(TunnelKind.DUBBO).sell("tea");
            for (int i = 0; i < 3; i++) {
                Thread thread = new Thread(() -> Highway.to("shanghai").open());
                thread.start();
                thread.join();
            }

            String problem = "lambda$warnsOnce_ofALineThatOpensScopesAndDoesNotCloseThem";
            await().untilAsserted(() -> {
                System.gc();
                assertThat(log.lines(problem))
                        .singleElement()
                        .asString()
                        .contains("WARN", "(IntentSourcesTest.java:", "opened was not closed");
            });
        }
    }

    @Test
    void refusesTheCallsThatAScopeDoesNotReach_whereTheServiceRequiresAnIsland() {
        Shop shop = shops.shop(TunnelKind.DUBBO, REQUIRED, "true");

        Stream<String> lazy = Highway.to("shanghai").call(() -> Stream.of("tea").map(shop::sell));
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> late =
                Highway.to("shanghai").call(() -> first.thenCompose(ended -> shop.sellLater("tea")));
        first.complete("done");
        Shop bound = Highway.to("shanghai").bind(Shop.class, shop);

        assertThat(refusal(catchThrowable(lazy::toList))).isEqualTo(Reason.ISLAND_REQUIRED);
        assertThat(refusal(catchThrowable(late::join))).isEqualTo(Reason.ISLAND_REQUIRED);
        assertThat(IntStream.range(0, 64).parallel().mapToObj(i -> bound.sell("tea")))
                .containsOnly("shanghai:tea");
        assertThat(Stream.of("tea").map(bound::sell)).containsExactly("shanghai:tea");
    }

    /** Code inside of a scope whose calls the scope does not reach, as documented. */
    private enum Beyond {
        LAZY_STREAM("a lazy `Stream` that the body returns") {
            @Override
            CompletableFuture<String> sell(Shop shop, CompletableFuture<?> ends) {
                Stream<String> lazy =
                        Highway.to("shanghai").call(() -> Stream.of("tea").map(shop::sell));
                return CompletableFuture.completedFuture(lazy.toList().get(0));
            }
        },
        CONTINUATION("`future.thenApply(..)`, `thenCompose(..)`, where the future ends later") {
            @Override
            CompletableFuture<String> sell(Shop shop, CompletableFuture<?> ends) {
                return Highway.to("shanghai").call(() -> ends.thenApply(ended -> shop.sell("tea")));
            }
        },
        COMPOSITION("`future.thenApply(..)`, `thenCompose(..)`, where the future ends later") {
            @Override
            CompletableFuture<String> sell(Shop shop, CompletableFuture<?> ends) {
                return Highway.to("shanghai").call(() -> ends.thenCompose(ended -> shop.sellLater("tea")));
            }
        },
        COMMON_POOL("`CompletableFuture.supplyAsync(..)`, the common pool") {
            @Override
            CompletableFuture<String> sell(Shop shop, CompletableFuture<?> ends) {
                return Highway.to("shanghai").call(() -> CompletableFuture.supplyAsync(() -> shop.sell("tea")));
            }
        },
        THREAD("`executor.submit(..)`, `new Thread(..)`, a virtual thread") {
            @Override
            CompletableFuture<String> sell(Shop shop, CompletableFuture<?> ends) {
                return Highway.to("shanghai")
                        .call(() -> CompletableFuture.supplyAsync(
                                () -> shop.sell("tea"), task -> new Thread(task).start()));
            }
        };

        private final String documented;

        Beyond(String documented) {
            this.documented = documented;
        }

        abstract CompletableFuture<String> sell(Shop shop, CompletableFuture<?> ends);
    }

    @ParameterizedTest
    @EnumSource
    void aScopeDoesNotReachCodeThatRunsLaterOrElsewhere_andABoundProxyDoes(Beyond code) throws Exception {
        Shop shop = shops.shop(TunnelKind.DUBBO);
        CompletableFuture<String> ends = new CompletableFuture<>();
        CompletableFuture<String> inScope = code.sell(shop, ends);
        CompletableFuture<String> bound = code.sell(Highway.to("shanghai").bind(Shop.class, shop), ends);

        ends.complete("ended");

        assertThat(inScope.get(10, TimeUnit.SECONDS)).isEqualTo("zhejiang:tea");
        assertThat(bound.get(10, TimeUnit.SECONDS)).isEqualTo("shanghai:tea");
        assertThat(Files.readString(Path.of("../docs/start/how-a-call-travels.md")))
                .contains("\n| " + code.documented + " |");
    }

    @Test
    void aScopeReachesTheContinuationOfAFutureThatHasEnded_andWrappedTasks() throws Exception {
        Shop shop = shops.shop(TunnelKind.DUBBO);
        CompletableFuture<String> ended = CompletableFuture.completedFuture("ended");

        CompletableFuture<String> continued =
                Highway.to("shanghai").call(() -> ended.thenApply(any -> shop.sell("tea")));
        CompletableFuture<String> wrapped = Highway.to("shanghai")
                .call(() -> CompletableFuture.supplyAsync(Highway.wrapSupplier(() -> shop.sell("tea"))));

        assertThat(continued.get(10, TimeUnit.SECONDS)).isEqualTo("shanghai:tea");
        assertThat(wrapped.get(10, TimeUnit.SECONDS)).isEqualTo("shanghai:tea");
    }

    @ParameterizedTest
    @EnumSource
    void servesNoElementOfAParallelStreamAtHome_whereTheServiceRequiresAnIsland(TunnelKind tunnel) {
        Islands islands = shops.own(tunnel, REQUIRED, "true");
        Shop shop = islands.reference(Shop.class);
        Thread caller = Thread.currentThread();
        CompletableFuture<Boolean> isParallel = new CompletableFuture<Boolean>().orTimeout(10, TimeUnit.SECONDS);

        List<Object> ends = Highway.to("shanghai").call(() -> IntStream.range(0, 64)
                .parallel()
                .<Object>mapToObj(i -> {
                    boolean unused = Thread.currentThread() == caller ? isParallel.join() : isParallel.complete(true);
                    try {
                        return shop.sell("tea");
                    } catch (HighwayException e) {
                        return e.reason();
                    }
                })
                .toList());

        assertThat(ends)
                .hasSize(64)
                .contains("shanghai:tea")
                .containsAnyOf(Reason.ISLAND_REQUIRED)
                .isSubsetOf("shanghai:tea", Reason.ISLAND_REQUIRED);
        assertThat(islands.home().calls()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void anAttachmentNamesTheIslandOfOneCall_andHomeIsAName_whereTheServiceRequiresOne(TunnelKind tunnel) {
        Shop shop = shops.shop(tunnel, REQUIRED, "true");
        Shop home = Highway.home().bind(Shop.class, shop);
        RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, "shanghai");

        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        assertThat(refusal(catchThrowable(() -> shop.sell("tea")))).isEqualTo(Reason.ISLAND_REQUIRED);
        assertThat(refusal(catchThrowable(() -> shop.note("tea")))).isEqualTo(Reason.ISLAND_REQUIRED);
        assertThat(home.sell("tea")).isEqualTo("zhejiang:tea");
        assertThat(Highway.to("shanghai").call(() -> home.sell("tea"))).isEqualTo("zhejiang:tea");
        assertThat(shop.sellInBeijing("tea")).isEqualTo("beijing:tea");
        assertThat(shop.sellIn("zhejiang", "tea")).isEqualTo("zhejiang:tea");
    }

    private static Reason refusal(Throwable thrown) {
        Throwable refused = thrown;
        while (!(refused instanceof HighwayException) && refused.getCause() != null) {
            refused = refused.getCause(); // a future wraps it
        }
        assertThat(refused).isInstanceOf(HighwayException.class);
        return ((HighwayException) refused).reason();
    }

    @ParameterizedTest
    @EnumSource
    void keepsTwoReferencesOfOneServiceApart(TunnelKind tunnel) {
        Shop shanghai = in(shops.islands(tunnel), "shanghai");
        Shop beijing = in(shops.islands(tunnel), "beijing");
        Shop home = shops.shop(tunnel);

        assertThat(shanghai.sell("tea")).isEqualTo("shanghai:tea");
        assertThat(beijing.sell("tea")).isEqualTo("beijing:tea");
        assertThat(home.sell("tea")).isEqualTo("zhejiang:tea");
    }

    @ParameterizedTest
    @EnumSource
    void prefersTheStrongerSource(TunnelKind tunnel) {
        Shop shop = in(shops.islands(tunnel), "shanghai");
        Shop bound = Highway.to("beijing").bind(Shop.class, shop);

        assertThat(bound.sell("tea")).isEqualTo("beijing:tea");
        assertThat(Highway.to("shanghai").call(() -> bound.sellIn("310000", "tea")))
                .isEqualTo("beijing:tea");
        assertThat(Highway.to("shanghai").call(() -> shop.sellInBeijing("tea"))).isEqualTo("shanghai:tea");
        RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, "shanghai");
        assertThat(bound.sell("tea")).isEqualTo("shanghai:tea");
    }

    /** As the threads of the common pool have in an executable jar: one that does not see the application. */
    private static <T> T onThreadThatSeesNoApplication(Callable<T> code) throws Exception {
        FutureTask<T> task = new FutureTask<>(code);
        Thread thread = new Thread(task, "sees-no-application");
        thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
        thread.start();
        return task.get(30, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @EnumSource
    void readsTheAnnotations_whicheverThreadMakesTheReference(TunnelKind tunnel) throws Exception {
        Islands islands = shops.own(tunnel);

        Shop shop = onThreadThatSeesNoApplication(() -> islands.reference(Shop.class));
        GenericService generic = onThreadThatSeesNoApplication(() -> Shops.generic(islands));

        assertThat(shop.sellInBeijing("tea")).isEqualTo("beijing:tea");
        assertThat(shop.sellIn("310000", "tea")).isEqualTo("shanghai:tea");
        assertThat(generic.$invoke("sellInBeijing", new String[] {"java.lang.String"}, new Object[] {"tea"}))
                .isEqualTo("beijing:tea");
    }

    @ParameterizedTest
    @EnumSource
    void refusesGenericCalls_thatWriteAnAnnotatedMethodOtherwise(TunnelKind tunnel) {
        GenericService generic = Shops.generic(shops.islands(tunnel));
        String[] string = {"java.lang.String"};
        Object[] tea = {"tea"};

        assertMisspelled(catchThrowable(() -> generic.$invoke("SellInBeijing", string, tea)));
        assertMisspelled(
                catchThrowable(() -> generic.$invoke("sellInBeijing", new String[] {" java.lang.String"}, tea)));
        assertMisspelled(catchThrowable(
                        () -> generic.$invokeAsync("sellinbeijing", string, tea).get(10, TimeUnit.SECONDS))
                .getCause());
        assertThat(generic.$invoke(" sellInBeijing ", string, tea)).isEqualTo("beijing:tea");
        assertThat(generic.$invoke("sell", string, tea)).isEqualTo("zhejiang:tea");
    }

    private static void assertMisspelled(Throwable thrown) {
        assertThat(thrown)
                .isInstanceOfSatisfying(HighwayException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.BAD_KEY);
                    assertThat(e.mayHaveRun()).isFalse();
                })
                .hasMessageContaining("as the interface");
    }

    @Test
    void checksTheAnnotations_whicheverThreadMakesTheReference() {
        try (Islands islands = Islands.builder().home("zhejiang").start()) {
            assertThatThrownBy(() -> onThreadThatSeesNoApplication(() -> islands.reference(Shop.class)))
                    .hasCauseInstanceOf(HighwayConfigurationException.class)
                    .hasMessageContaining("it asks for island \"beijing\" (from method)");
        }
    }

    @Test
    void carriesTheScopeToOtherThreads_whenWrapped() throws Exception {
        Shop shop = shops.shop(TunnelKind.DUBBO);
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try {
            String wrapped = Highway.to("shanghai")
                    .call(() -> Highway.wrapExecutor(threads).submit(() -> shop.sell("tea")))
                    .get(5, TimeUnit.SECONDS);
            String plain = Highway.to("shanghai")
                    .call(() -> threads.submit(() -> shop.sell("tea")))
                    .get(5, TimeUnit.SECONDS);

            assertThat(wrapped).isEqualTo("shanghai:tea");
            assertThat(plain).isEqualTo("zhejiang:tea");
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Shanghai", "shang\r\nhai", "上海", "a.b", "-x", "x-"})
    void refusesAnAttachmentThatIsNoIslandId_andSendsNothing(String island) {
        Islands islands = shops.islands(TunnelKind.TRIPLE);
        Shop shop = islands.reference(Shop.class);
        RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, island);

        assertThatThrownBy(() -> shop.sell("tea"))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.BAD_ISLAND))
                .hasMessageContaining("is not an island id");
        assertThat(Stream.of("zhejiang", "shanghai", "beijing").flatMap(name -> islands.at(name).calls().stream()))
                .isEmpty();
    }

    @Test
    void refusesAnIslandIdOf64Characters() {
        Shop shop = shops.shop(TunnelKind.DUBBO);
        RpcContext.getClientAttachment().setAttachment(HighwayAttachments.ISLAND, "a".repeat(64));

        assertThatThrownBy(() -> shop.sell("tea")).hasMessageContaining("is not an island id");
    }

    @ParameterizedTest
    @EnumSource
    void staysHome_whenTheInterfaceNamesHome(TunnelKind tunnel) {
        Shop shop = shops.shop(tunnel, "highway.services." + Shop.class.getName() + ".island", "zhejiang");

        assertThat(shop.sell("tea")).isEqualTo("zhejiang:tea");
    }

    @ParameterizedTest
    @MethodSource("tunnelsAndShanghaiShops")
    void goesByTheInterface_andByItsMethodFirst(TunnelKind tunnel, Class<? extends Shop> type) {
        // The remote islands export the plain interface, so what arrives there is a refusal that names it.
        Shop shop = shops.islands(tunnel).reference(type);

        assertThatThrownBy(() -> shop.sell("tea")).isInstanceOfSatisfying(HighwayException.class, e -> {
            assertThat(e.intent().source().word()).isEqualTo("interface");
            assertThat(e.reason()).as(e.getMessage()).isEqualTo(Reason.NO_SUCH_SERVICE);
        });
        assertThatThrownBy(() -> shop.sellInBeijing("tea"))
                .isInstanceOfSatisfying(
                        HighwayException.class,
                        e -> assertThat(e.intent().source().word()).isEqualTo("method"));
    }
}

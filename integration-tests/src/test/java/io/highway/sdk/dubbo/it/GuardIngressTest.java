// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.GuardListener.GuardEvent;
import io.highway.sdk.dubbo.GuardListener.Result;
import io.highway.sdk.dubbo.HighwayReport;
import io.highway.tools.fixtures.logs.CapturedLog;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.Version;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.metadata.MetadataService;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.service.EchoService;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls without route headers, by the peer of the connection. */
@Tag("network")
class GuardIngressTest {

    private static final String[] STRING = {"java.lang.String"};

    private static GuardedIsland shanghai;
    private static TestApplication plain;
    private static final List<AutoCloseable> opened = new ArrayList<>();

    @BeforeAll
    static void start() {
        shanghai = keep(new GuardedIsland("highway.guard.gateways", "127.0.0.2"));
        plain = shanghai.plain();
    }

    @AfterAll
    static void stop() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
    }

    /** Keeps it open until the end: Dubbo closes all Triple servers with the first framework model that ends. */
    private static <C extends AutoCloseable> C keep(C one) {
        opened.add(one);
        return one;
    }

    @BeforeEach
    void forget() {
        shanghai.shop.received.clear();
        shanghai.events.clear();
    }

    private static ShopReferences shopOver(String url) {
        return new ShopReferences(
                plain.reference(Shop.class, config -> config.setUrl(url)).get(),
                plain.reference(GenericService.class, config -> {
                            config.setUrl(url);
                            config.setInterface(Shop.class.getName());
                            config.setGeneric("true");
                        })
                        .get());
    }

    @ParameterizedTest
    @EnumSource
    void refusesACallWithoutHeaders_fromAGateway(Tunnel tunnel) {
        ShopReferences shop = shopOver(shanghai.gatewayUrl(tunnel));

        for (Mode mode : Mode.values()) {
            Throwable refused = catchThrowable(() -> mode.sell(shop.typed(), shop.generic(), "tea"));

            assertThat(refused)
                    .as("%s", mode)
                    .isNotNull()
                    .hasMessageContaining(
                            "HIGHWAY-REFUSED:headers-missing; it comes from the gateway 127.0.0.2"
                                    + " (highway.guard.gateways) without route headers of its own; see highway.guard.* in shanghai");
        }
        assertThat(shanghai.shop.received).isEmpty();
        assertThat(shanghai.events).hasSize(Mode.values().length).allSatisfy(event -> {
            assertThat(event.result()).isEqualTo(Result.REFUSED);
            assertThat(event.reason()).isEqualTo("headers-missing");
            assertThat(event.peer()).isEqualTo("127.0.0.2");
            assertThat(event.caller()).isNull();
            assertThat(event.island()).isNull();
            assertThat(event.interfaceName()).isEqualTo(Shop.class.getName());
            assertThat(event.methodName()).matches(tunnel == Tunnel.TRIPLE ? "sell.*|\\$invoke.*" : "sell.*");
        });
    }

    @ParameterizedTest
    @EnumSource
    void refusesCallsWithoutHeaders_fromAGatewayByName_andServesOthers(Tunnel tunnel) {
        GuardedIsland named = keep(new GuardedIsland("highway.guard.gateways", "gateway.shanghai.test")); // 127.0.0.1
        Shop fromGateway = shopOver(named.providerUrl(tunnel)).typed();
        Shop fromHome = shopOver(named.gatewayUrl(tunnel)).typed();

        await().untilAsserted(
                        () -> assertThat(catchThrowable(() -> fromGateway.sell("tea"))) // once the name is resolved
                                .hasMessageContaining("it comes from the gateway 127.0.0.1"));
        assertThat(fromHome.sell("tea")).isEqualTo("shanghai:tea");
    }

    @Test
    void refusesAStreamWithoutHeaders_fromAGateway() {
        Feed feed = plain.reference(Feed.class, config -> config.setUrl(shanghai.gatewayUrl(Tunnel.TRIPLE)))
                .get();
        List<Throwable> ends = new ArrayList<>();

        ends.add(end(answers -> feed.count(3, answers)));
        ends.add(end(answers -> feed.join(answers).onNext("tea")));

        assertThat(ends).allSatisfy(end -> assertThat(end).isNotNull());
        assertThat(shanghai.events).extracting(GuardEvent::methodName).containsExactly("count", "join");
    }

    private interface Stream {
        void open(StreamObserver<String> answers);
    }

    private static Throwable end(Stream stream) {
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        try {
            stream.open(new StreamObserver<>() {
                @Override
                public void onNext(String answer) {
                    ended.completeExceptionally(new AssertionError("answered " + answer));
                }

                @Override
                public void onError(Throwable error) {
                    ended.complete(error);
                }

                @Override
                public void onCompleted() {
                    ended.completeExceptionally(new AssertionError("completed"));
                }
            });
            return ended.get(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesAnEchoWithoutHeaders_fromAGateway(Tunnel tunnel) {
        EchoService echo = (EchoService) shopOver(shanghai.gatewayUrl(tunnel)).typed();

        assertThat(catchThrowable(() -> echo.$echo("tea"))).hasMessageContaining("headers-missing");
    }

    @ParameterizedTest
    @EnumSource
    void servesACallWithoutHeaders_fromAnotherPeer(Tunnel tunnel) throws Throwable {
        ShopReferences shop = shopOver(shanghai.providerUrl(tunnel));

        for (Mode mode : Mode.values()) {
            assertThat(mode.sell(shop.typed(), shop.generic(), "tea")).isEqualTo("shanghai:tea");
        }
        assertThat(shanghai.events).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void servesACallWithHeaders_fromTheGateway(Tunnel tunnel) {
        Shop shop = shanghai.caller("zhejiang", tunnel)
                .reference(Shop.class, config -> {
                    config.setUrl("dubbo://127.0.0.1:9");
                    config.setCheck(false);
                })
                .get();

        assertThat(Highway.to("shanghai").call(() -> shop.sell("tea"))).isEqualTo("shanghai:tea");
        assertThat(shanghai.events).isEmpty();
    }

    /** Neither the settings of a service nor those of its filters remove the guard. */
    @ParameterizedTest
    @CsvSource({
        "DUBBO, -default",
        "DUBBO, '-highway-guard,-highway-response-headers,-highway-hops'",
        "TRIPLE, -default",
        "TRIPLE, '-highway-guard,-highway-response-headers,-highway-hops'"
    })
    void refusesACallWithoutHeaders_whateverTheFiltersOfTheService(Tunnel tunnel, String filters) {
        TestApplication provider = closed("127.0.0.99");
        String address = provider.listen(protocol(tunnel));
        ShopKeeper keeper = new ShopKeeper("shanghai");
        provider.export(Shop.class, keeper, service -> service.setFilter(filters))
                .start();
        ShopReferences shop = shopOver(protocol(tunnel) + "://" + address);

        for (Mode mode : Mode.values()) {
            assertThat(catchThrowable(() -> mode.sell(shop.typed(), shop.generic(), "tea")))
                    .isNotNull()
                    .hasMessageContaining("headers-missing");
        }
        assertThat(keeper.received).isEmpty();
        assertThat(HighwayReport.of(provider.model()).orElseThrow().guardedServices())
                .containsEntry(Shop.class.getName(), Set.of(protocol(tunnel)));
    }

    /** An application at home whose peers are these. */
    private static TestApplication closed(String home) {
        return keep(new TestApplication("shanghai", Map.of("highway.island", "shanghai", "highway.guard.home", home)));
    }

    private static String protocol(Tunnel tunnel) {
        return tunnel == Tunnel.DUBBO ? "dubbo" : "tri";
    }

    /** Dubbo exports it by itself, without filters; its answer names all services. */
    @ParameterizedTest
    @CsvSource({
        "DUBBO, 127.0.0.1, true",
        "DUBBO, 127.0.0.99, false",
        "TRIPLE, 127.0.0.1, true",
        "TRIPLE, 127.0.0.99, false"
    })
    void servesDubbosMetadata_toHomeOnly(Tunnel tunnel, String home, boolean served) {
        TestApplication provider = closed(home);
        String address = provider.listen(protocol(tunnel));
        provider.export(Shop.class, new ShopKeeper("shanghai"), service -> {}).start();
        MetadataService metadata = plain.reference(MetadataService.class, config -> {
                    config.setUrl(protocol(tunnel) + "://" + address);
                    config.setGroup("shanghai-app");
                    config.setVersion(MetadataService.VERSION);
                })
                .get();

        Throwable refused =
                catchThrowable(() -> assertThat(metadata.serviceName()).isEqualTo("shanghai-app"));

        if (served) {
            assertThat(refused).isNull();
        } else {
            assertThat(refused).isNotNull().hasMessageContaining("headers-missing");
        }
    }

    @ParameterizedTest
    @CsvSource({"headers, true", "nothing, false"})
    void warns_ifConsumersAtHomeCannotReadDubbosMetadata(String required, boolean warned) {
        try (CapturedLog log = new CapturedLog()) {
            TestApplication provider = keep(new TestApplication(
                    "shanghai", Map.of("highway.island", "shanghai", "highway.guard.require", required)));
            provider.listen("dubbo");
            provider.export(Shop.class, new ShopKeeper("shanghai"), service -> {})
                    .start();

            assertThat(log.ofSdk("MetadataService")).hasSize(warned ? 1 : 0);
        }
    }

    /** None of these is what a route header is, or what the peer is. */
    @ParameterizedTest
    @CsvSource({
        "DUBBO, Highway-Island, shanghai",
        "DUBBO, HIGHWAY-ISLAND, shanghai",
        "DUBBO, highway_island, shanghai",
        "DUBBO, X-Forwarded-For, 127.0.0.1",
        "DUBBO, x-forwarded-for, 127.0.0.1",
        "DUBBO, tri.remote.address, 127.0.0.1",
        "TRIPLE, x-forwarded-for, 127.0.0.1",
        "TRIPLE, x-real-ip, 127.0.0.1",
        "TRIPLE, forwarded, for=127.0.0.1",
        "TRIPLE, tri.remote.address, 127.0.0.1",
        "TRIPLE, highway_island, shanghai"
    })
    void isNotMisledByOtherAttachments(Tunnel tunnel, String key, String value) {
        Shop shop = shopOver(shanghai.gatewayUrl(tunnel)).typed();
        RpcContext.getClientAttachment().setAttachment(key, value);

        Throwable refused = catchThrowable(() -> shop.sell("tea"));

        assertThat(refused).isNotNull().hasMessageContaining("headers-missing");
        assertThat(shanghai.shop.received).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void refusesACallWithoutHeaders_fromEveryPeer_whereASignatureIsRequired(Tunnel tunnel) {
        GuardedIsland strict =
                keep(new GuardedIsland("highway.guard.require", "signature", "highway.sign.accept.zj1", "open sesame"));
        Shop direct = plain.reference(Shop.class, config -> config.setUrl(strict.providerUrl(tunnel)))
                .get();
        Shop signed = strict.caller(
                        "zhejiang", tunnel, "highway.sign.key-id", "zj1", "highway.sign.secret", "open sesame")
                .reference(Shop.class, config -> {
                    config.setUrl("dubbo://127.0.0.1:9");
                    config.setCheck(false);
                })
                .get();

        assertThat(catchThrowable(() -> direct.sell("tea")))
                .hasMessageContaining(
                        "headers-missing; it has no route headers of its own, and highway.guard.require is"
                                + " signature (peer 127.0.0.1)");
        assertThat(Highway.to("shanghai").call(() -> signed.sell("tea"))).isEqualTo("shanghai:tea");
    }

    /** Dubbo passes headers on with the calls of a service without the SDK; anybody can write them so. */
    @ParameterizedTest
    @EnumSource
    void refusesHeadersOfAnotherApplicationsCall_asACallWithoutHeaders(Tunnel tunnel) {
        String[] keys = {"highway.guard.gateways", "127.0.0.2", "highway.sign.accept.zj1", "open sesame"};
        GuardedIsland signed = keep(new GuardedIsland(keys));
        for (GuardedIsland island : List.of(shanghai, signed)) {
            Shop shop = plain.reference(Shop.class, config -> config.setUrl(island.gatewayUrl(tunnel)))
                    .get();
            RpcContext.getClientAttachment()
                    .setAttachment("highway-island", "shanghai")
                    .setAttachment("highway-from", "zhejiang/another/1");

            Throwable refused = catchThrowable(() -> shop.sell("tea"));

            assertThat(refused).isNotNull().hasMessageContaining("headers-missing");
            assertThat(island.shop.received).isEmpty();
            assertThat(island.events).last().satisfies(event -> {
                assertThat(event.reason()).isEqualTo("headers-missing");
                assertThat(event.caller()).isNull();
            });
        }
    }

    /** A stranger who writes another application's name next to the headers; nothing that he writes makes him home. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "highway.guard.mode=shadow",
                "highway.guard.gateways=127.0.0.1 highway.guard.mode=shadow",
                "highway.guard.gateways=shanghai.test highway.guard.mode=shadow",
                "highway.guard.home=10.0.0.0/8 highway.guard.mode=shadow"
            })
    void refusesUnsignedHeadersOfAnotherApplicationsCall_whateverTheModeOfTheGuard(String keys) throws Exception {
        GuardedIsland island = keep(signed(keys.isEmpty() ? new String[0] : keys.split("[= ]")));

        for (String way : WAYS) {
            assertThat(sellPassedOn(island, way)).as(way).contains("unsigned");
        }

        assertThat(island.shop.received).isEmpty();
        assertThat(island.events(Result.REFUSED)).hasSize(WAYS.size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"highway.guard.gateways=127.0.0.2", "highway.guard.home=127.0.0.1"})
    void servesUnsignedHeadersOfAnotherApplicationsCall_fromHome_asThoseOfAnUnknownCaller(String keys)
            throws Exception {
        GuardedIsland island = keep(signed((keys + "=highway.guard.unknown-callers=refuse").split("=")));
        GuardedIsland ruled = keep(signed((keys
                        + "=highway.guard.rules.no-sale.action=deny=highway.guard.rules.no-sale.to=sell"
                        + "=highway.guard.rules.a.action=allow=highway.guard.rules.a.from=zhejiang/*")
                .split("=")));

        for (String way : WAYS) {
            assertThat(sellPassedOn(island, way)).as(way).contains("shanghai:tea");
            assertThat(sellPassedOn(ruled, way)).as(way).contains("denied");
        }

        assertThat(island.shop.received).hasSize(WAYS.size()).allMatch(served -> served.caller() == null);
        assertThat(ruled.shop.received).isEmpty();
    }

    private static final List<String> WAYS = Version.getVersion().startsWith("3.3")
            ? List.of("DUBBO", "TRIPLE", "HTTP/1.1")
            : List.of("DUBBO", "TRIPLE");

    private static GuardedIsland signed(String... more) {
        List<String> keys = new ArrayList<>(List.of("highway.sign.accept.zj1", "open sesame"));
        keys.addAll(List.of(more));
        return new GuardedIsland(keys.toArray(String[]::new));
    }

    private static String sellPassedOn(GuardedIsland island, String way) throws Exception {
        List<RawCaller.Field> fields = List.of(
                new RawCaller.Field("highway-island", "shanghai"),
                new RawCaller.Field("highway-from", "zhejiang/shop/1"));
        if (!way.equals("HTTP/1.1")) {
            Tunnel tunnel = Tunnel.valueOf(way);
            try (RawCaller caller =
                    new RawCaller(tunnel == Tunnel.DUBBO ? island.dubboAddress : island.tripleAddress)) {
                return caller.sell(tunnel, "another", fields);
            }
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://" + island.tripleAddress + "/" + Shop.class.getName() + "/sell"))
                .header("content-type", "application/json")
                .header("tri-consumer-appname", "another")
                .POST(HttpRequest.BodyPublishers.ofString("[\"tea\"]"));
        fields.forEach(field -> request.header(field.name(), field.value()));
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .build()
                .send(request.build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @ParameterizedTest
    @EnumSource
    void servesEveryCall_andReportsIt_inShadowMode(Tunnel tunnel) {
        GuardedIsland shadow =
                keep(new GuardedIsland("highway.guard.gateways", "127.0.0.0/30", "highway.guard.mode", "shadow"));
        Shop shop = plain.reference(Shop.class, config -> config.setUrl(shadow.gatewayUrl(tunnel)))
                .get();

        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        assertThat(shadow.events).hasSize(1).allSatisfy(event -> {
            assertThat(event.result()).isEqualTo(Result.SHADOW);
            assertThat(event.reason()).isEqualTo("headers-missing");
        });
    }

    @Test
    void servesCallsInsideOneProcess_whateverTheIngress() {
        TestApplication application = keep(new TestApplication(
                "shanghai",
                Map.of(
                        "highway.island",
                        "shanghai",
                        "highway.guard.home",
                        "10.0.0.0/8",
                        "highway.gateways.dubbo",
                        shanghai.gatewayAddress(),
                        "highway.islands.beijing.tunnel",
                        "dubbo")));
        application.listen("dubbo");
        application.export(Shop.class, new ShopKeeper("inside"), service -> {}).start();
        Shop shop = application.reference(Shop.class, config -> {}).get();

        assertThat(shop.sell("tea")).isEqualTo("inside:tea");
    }
}

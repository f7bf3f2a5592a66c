// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.dubbo.internal.call.CanonicalMethod;
import io.highway.sdk.dubbo.internal.signature.CallSigner;
import io.highway.sdk.dubbo.it.RawCaller.Field;
import io.highway.tools.fixtures.logs.CapturedLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A signature that is verified before the body arrives is good for this request only. */
@Tag("network")
class VerifiedHeadersTest {

    private static final String FROM = "zhejiang/zhejiang-app/1";
    private static final String APPLICATION = "zhejiang-app";
    private static final ShopKeeper shop = new ShopKeeper("shanghai");
    private static TestApplication shanghai;
    private static TestApplication attacker;
    private static final List<TestApplication> more = new ArrayList<>();
    private static RegistryServer registry;
    private static CallSigner signer;
    private static String dubbo;
    private static String triple;
    private static RawCaller overDubbo;
    private static RawCaller overTriple;

    @BeforeAll
    static void start() {
        registry = new RegistryServer();
        shanghai = new TestApplication(
                "shanghai", Map.of("highway.island", "shanghai", "highway.sign.accept.zj", "s3cr3t"));
        dubbo = shanghai.listen("dubbo");
        triple = shanghai.listen("tri");
        shanghai.export(Shop.class, shop, service -> {}).start();
        attacker = new TestApplication("zhejiang", Map.of("highway.enabled", "false"));
        overDubbo = new RawCaller(dubbo);
        overTriple = new RawCaller(triple);
        signer = TestSigner.of("zhejiang", "zj", "s3cr3t");
    }

    @AfterAll
    static void stop() {
        more.forEach(TestApplication::close);
        registry.close();
        overDubbo.close();
        overTriple.close();
        attacker.close();
        shanghai.close();
    }

    @BeforeEach
    void forget() {
        shop.received.clear();
    }

    /** Of one call of {@code sell}. */
    private static List<Field> signed() {
        CanonicalMethod sell = new CanonicalMethod("sell", List.of("java.lang.String"));
        return List.of(
                new Field("highway-island", "shanghai"),
                new Field("highway-from", FROM),
                new Field("highway-sign", signer.sign("shanghai", FROM, Shop.class.getName(), sell)));
    }

    /** Dubbo 3.2 shows the guard the headers of a request as they come, 3.3 with its first message. */
    private static void assertOneRuns(String copy, RawCaller.Held original) throws Exception {
        assertThat(List.of(copy, original.finish()))
                .filteredOn(answer -> answer.contains("replayed"))
                .hasSize(1);
        assertThat(shop.received).singleElement().satisfies(call -> assertThat(call.attachments())
                .doesNotContainKey("highway-request"));
    }

    @ParameterizedTest
    @EnumSource
    void oneOfTwoCopiesRuns_whileTheBodyOfOneIsOnTheWay(Tunnel tunnel) throws Exception {
        List<Field> headers = signed();
        try (RawCaller.Held original = overTriple.hold(Shop.class.getName(), APPLICATION, headers)) {
            RawCaller other = tunnel == Tunnel.DUBBO ? overDubbo : overTriple;

            assertOneRuns(other.sell(tunnel, APPLICATION, headers), original);
        }
    }

    @ParameterizedTest
    @EnumSource
    void oneOfTwoCopiesRuns_whereOneIsGeneric(Tunnel tunnel) throws Exception {
        GenericService generic = attacker.<GenericService>reference(GenericService.class, config -> {
                    config.setInterface(Shop.class.getName());
                    config.setGeneric("true");
                    config.setUrl(tunnel == Tunnel.DUBBO ? "dubbo://" + dubbo : "tri://" + triple);
                })
                .get();
        List<Field> headers = signed();
        try (RawCaller.Held original = overTriple.hold(Shop.class.getName(), APPLICATION, headers)) {
            headers.forEach(field -> RpcContext.getClientAttachment().setAttachment(field.name(), field.value()));

            assertOneRuns(answer(generic), original);
        } finally {
            RpcContext.removeContext();
        }
    }

    private static String answer(GenericService generic) {
        try {
            return String.valueOf(generic.$invoke("sell", new String[] {"java.lang.String"}, new Object[] {"another"}));
        } catch (RpcException e) {
            return e.toString();
        }
    }

    @Test
    void aCopyThatAGatewaySent_isRefused_andTheGatewayNamed() throws Exception {
        List<Field> headers = new ArrayList<>(signed());
        try (CapturedLog log = new CapturedLog()) {
            assertThat(overTriple.sell(Tunnel.TRIPLE, APPLICATION, headers)).doesNotContain("replayed");

            headers.add(new Field("x-envoy-attempt-count", "2"));

            assertThat(overTriple.sell(Tunnel.TRIPLE, APPLICATION, headers)).contains("replayed");
            assertThat(log.ofSdk("the gateway 127.0.0.1 sends calls again", "x-envoy-attempt-count is 2"))
                    .hasSize(1);
        }
        assertThat(shop.received).hasSize(1);
    }

    /** A peer does not know the value that marks the request inside the provider. */
    @ParameterizedTest
    @EnumSource
    void whatAPeerSendsInItsPlace_isIgnored(Tunnel tunnel) throws Exception {
        List<Field> headers = signed();
        List<Field> more = List.of(
                headers.get(0), headers.get(1), headers.get(2), new Field("highway-request", "of the attacker"));
        try (RawCaller.Held original = overTriple.hold(Shop.class.getName(), APPLICATION, more)) {
            RawCaller other = tunnel == Tunnel.DUBBO ? overDubbo : overTriple;

            assertOneRuns(other.sell(tunnel, APPLICATION, more), original);
        }
    }

    /** The export to a registry must not check a second time. */
    @ParameterizedTest
    @EnumSource
    void aServiceInARegistryChecksOnce(Tunnel tunnel) throws Exception {
        TestApplication registered = more(new TestApplication(
                "shanghai",
                Map.of(
                        "highway.island", "shanghai",
                        "highway.guard.require", "signature",
                        "highway.sign.accept.zj", "s3cr3t")));
        registered.registries(registry.url());
        String address = registered.listen(tunnel == Tunnel.DUBBO ? "dubbo" : "tri");
        registered.export(Shop.class, shop, service -> {}).start();
        try (RawCaller caller = new RawCaller(address)) {
            assertThat(caller.sell(tunnel, APPLICATION, signed())).contains("shanghai:tea");
        }
        assertThat(shop.received).hasSize(1);
    }

    @Test
    void warnsOfWhatDubboServesWithoutTheGuard() {
        TestApplication application = more(new TestApplication(
                "shanghai",
                Map.of(
                        "highway.island",
                        "shanghai",
                        "highway.sign.accept.zj",
                        "s3cr3t",
                        "dubbo.tri.builtin.service.init",
                        "true")));
        application.listen("tri");
        try (CapturedLog log = new CapturedLog()) {
            application.export(Shop.class, shop, service -> {}).start();

            assertThat(log.lines("dubbo.tri.builtin.service.init is true")).hasSize(1);
        }
    }

    /** Dubbo closes its Triple servers with the first framework model that ends, so all end at the end. */
    private static TestApplication more(TestApplication application) {
        more.add(application);
        return application;
    }

    /** Otherwise an overloaded provider would report attacks. */
    @Test
    void isNoReplay_whereTheCallerGivesUp_whileItWaitsForAThread() throws Exception {
        CompletableFuture<Void> free = new CompletableFuture<>();
        ShopKeeper busy = new ShopKeeper("shanghai") {
            @Override
            public String sell(String item) {
                String answer = super.sell(item);
                free.join();
                return answer;
            }
        };
        TestApplication oneThread = more(new TestApplication(
                "shanghai", Map.of("highway.island", "shanghai", "highway.sign.accept.zj", "s3cr3t")));
        String address = oneThread.listen("tri");
        Map<String, String> threads = Map.of("threadpool", "fixed", "threads", "1", "queues", "9");
        oneThread
                .export(Shop.class, busy, service -> service.setParameters(threads))
                .start();
        try (CapturedLog log = new CapturedLog();
                RawCaller caller = new RawCaller(address);
                RawCaller.Held running = caller.hold(Shop.class.getName(), APPLICATION, signed());
                RawCaller.Held queued = caller.hold(Shop.class.getName(), APPLICATION, signed())) {
            running.send();
            await().until(() -> busy.received.size() == 1);
            queued.send();

            queued.cancel();
            free.complete(null);

            assertThat(caller.sell(Tunnel.TRIPLE, APPLICATION, signed()))
                    .contains("shanghai:tea"); // the next in the queue
            assertThat(log.lines("the guard refuses")).isEmpty();
            assertThat(busy.received).hasSize(2);
        } finally {
            free.complete(null);
        }
    }

    @Test
    void aCopyForAnUnknownService_takesNothingFromTheOriginal() throws Exception {
        List<Field> headers = signed();
        try (RawCaller.Held original = overTriple.hold(Shop.class.getName(), APPLICATION, headers)) {
            try (RawCaller.Held copy = overTriple.hold("io.highway.Unknown", APPLICATION, headers)) {
                assertThat(copy.finish()).doesNotContain("shanghai:tea");
                copy.awaitRead();
            }

            assertThat(original.finish()).contains("shanghai:tea");
            assertThat(shop.received).hasSize(1);
        }
    }
}

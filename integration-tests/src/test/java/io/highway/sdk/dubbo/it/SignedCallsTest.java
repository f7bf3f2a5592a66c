// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.protobuf.StringValue;
import io.highway.sdk.Caller;
import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.tools.fixtures.logs.CapturedLog;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.service.EchoService;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a signature is good for: one call, of callers that the key belongs to. */
@Tag("network")
class SignedCallsTest {

    private static final String[] STRING = {"java.lang.String"};

    private static final Ledger.Book book = new Ledger.Book();
    private static final Ledger.Book blueBook = new Ledger.Book();
    private static final ShopKeeper shop = new ShopKeeper("shanghai");
    private static TestApplication shanghai;
    private static Map<Tunnel, String> providers;
    private static Gateway gateway;
    private static TestApplication attacker;

    /** Dubbo closes its Triple servers with the first framework model that ends, so all end at the end. */
    private static final List<TestApplication> consumers = new ArrayList<>();

    @BeforeAll
    static void start() {
        shanghai = new TestApplication(
                "shanghai",
                Map.of(
                        "highway.island", "shanghai",
                        "highway.heartbeat.interval", "none",
                        "highway.sign.accept.zhejiang-2026", "s3cr3t",
                        "highway.sign.accept-from.zhejiang-2026", "zhejiang/*",
                        "highway.sign.accept.app-2026", "of the application",
                        "highway.sign.accept-from.app-2026", "zhejiang/zhejiang-app, beijing/*",
                        "highway.sign.accept.beijing-2026", "of beijing",
                        "highway.sign.accept-from.beijing-2026", "beijing/*",
                        "highway.sign.accept.any", "of anybody"));
        providers = Map.of(Tunnel.DUBBO, shanghai.listen("dubbo"), Tunnel.TRIPLE, shanghai.listen("tri"));
        Echoes.register();
        shanghai.export(Ledger.class, book, service -> service.setParameters(Map.of("recording", "true")))
                .export(Ledger.class, blueBook, service -> {
                    service.setGroup("blue");
                    service.setVersion("2.0.0");
                    service.setParameters(Map.of("recording", "true"));
                })
                .export(Shop.class, shop, service -> {})
                .export(Echoes.class, new Echoes.Provider(), service -> service.setProtocolIds("tri"))
                .export(Feed.class, shop, service -> service.setProtocolIds("tri"))
                .start();
        gateway = Gateway.start(GatewayConfig.builder()
                .island("zhejiang")
                .listen("gateway.zhejiang.test", 0)
                .providers("shanghai", "*", List.of(providers.get(Tunnel.DUBBO)), List.of(providers.get(Tunnel.TRIPLE)))
                .build());
        attacker = new TestApplication("zhejiang-app", "zhejiang", Map.of("highway.enabled", "false"));
    }

    @AfterAll
    static void stop() {
        consumers.forEach(TestApplication::close);
        attacker.close();
        gateway.closeNow();
        shanghai.close();
    }

    @AfterEach
    void forget() {
        ReplayingFilter.headers = Map.of();
        RecordingWrapper.ARRIVED.clear();
        RecordingWrapper.REFUSED.clear();
        book.entries.clear();
        blueBook.entries.clear();
    }

    private static TestApplication consumer(Tunnel tunnel, String... keys) {
        Map<String, String> properties = new HashMap<>(Map.of(
                "highway.island",
                "zhejiang",
                "highway.heartbeat.interval",
                "none",
                "highway.gateways.dubbo",
                "gateway.zhejiang.test:" + gateway.port(),
                "highway.gateways.triple",
                "gateway.zhejiang.test:" + gateway.port(),
                "highway.islands.shanghai.tunnel",
                tunnel.key(),
                "highway.islands.beijing.tunnel",
                tunnel.key(),
                "highway.sign.key-id",
                "zhejiang-2026",
                "highway.sign.secret",
                "s3cr3t"));
        for (int i = 0; i < keys.length; i += 2) {
            properties.put(keys[i], keys[i + 1]);
        }
        TestApplication consumer = new TestApplication("zhejiang", properties);
        consumers.add(consumer);
        return consumer;
    }

    /** A signed reference that always goes to shanghai. */
    private static <S> S to(TestApplication consumer, Class<S> type, String group, String version) {
        S home = consumer.reference(type, config -> {
                    config.setUrl("dubbo://127.0.0.1:1");
                    config.setCheck(false);
                    config.setGroup(group);
                    config.setVersion(version);
                })
                .get();
        return Highway.to("shanghai").bind(type, home);
    }

    private static Ledger ledger(TestApplication consumer) {
        return to(consumer, Ledger.class, null, null);
    }

    private static Ledger reference(TestApplication consumer) {
        return consumer.reference(Ledger.class, config -> {
                    config.setUrl("dubbo://127.0.0.1:1");
                    config.setCheck(false);
                })
                .get();
    }

    private static GenericService generic(TestApplication consumer) {
        return consumer.<GenericService>reference(GenericService.class, config -> {
                    config.setInterface(Ledger.class.getName());
                    config.setGeneric("true");
                    config.setUrl("dubbo://127.0.0.1:1");
                    config.setCheck(false);
                })
                .get();
    }

    /** The attacker's reference, without a gateway. */
    private static Ledger attack(Tunnel tunnel, String group, String version) {
        return attack(attacker, tunnel, group, version);
    }

    private static Ledger attack(TestApplication from, Tunnel tunnel, String group, String version) {
        return from.reference(Ledger.class, config -> {
                    config.setUrl((tunnel == Tunnel.DUBBO ? "dubbo://" : "tri://") + providers.get(tunnel));
                    config.setFilter("replaying");
                    config.setGroup(group);
                    config.setVersion(version);
                })
                .get();
    }

    private static GenericService attackGeneric(Tunnel tunnel) {
        return attacker.<GenericService>reference(GenericService.class, config -> {
                    config.setInterface(Ledger.class.getName());
                    config.setGeneric("true");
                    config.setUrl((tunnel == Tunnel.DUBBO ? "dubbo://" : "tri://") + providers.get(tunnel));
                    config.setFilter("replaying");
                })
                .get();
    }

    /** {@code InvocationUtil} logs the attachments of a call that takes three quarters of its time. */
    @ParameterizedTest
    @EnumSource
    void aSlowCallIsLogged_withoutItsSignature(Tunnel tunnel) {
        Shop slow = to(consumer(tunnel, "highway.defaults.timeout", "2s"), Shop.class, null, null);
        assertThat(slow.sell("tea")).isEqualTo("shanghai:tea");
        try (CapturedLog log = new CapturedLog()) {
            assertThat(slow.slow(1600)).startsWith("shanghai:");
            assertThatThrownBy(() -> slow.slow(2500)).isInstanceOf(HighwayException.class);

            assertThat(log.lines("[Dubbo-Consumer] execute service")).hasSize(2);
            assertThat(log.lines("highway-island=")).hasSize(2);
            assertThat(log.lines("highway-sign=")).isEmpty();
        }
    }

    private static void assertRefused(Runnable call, String reason) {
        Throwable thrown = catchThrowable(call::run);

        assertThat(thrown).isNotNull();
        assertThat(thrown.getMessage()).contains(reason);
    }

    private static Ledger.Book.Entry served() {
        Ledger.Book.Entry served = book.entries.remove();
        assertThat(book.entries).isEmpty();
        return served;
    }

    private static Map<String, String> recorded() throws InterruptedException {
        Map<String, String> headers = RecordingWrapper.ARRIVED.poll(10, TimeUnit.SECONDS);
        assertThat(headers).containsKeys("highway-island", "highway-from", "highway-sign");
        return headers;
    }

    @ParameterizedTest
    @EnumSource
    void aRecordedSignature_isGoodForNothing(Tunnel tunnel) throws Exception {
        assertThat(ledger(consumer(tunnel)).balance("tea")).isEqualTo("balance");
        assertThat(served().method()).isEqualTo("balance");
        ReplayingFilter.headers = recorded();
        Ledger replayed = attack(tunnel, null, null);
        GenericService generic = attackGeneric(tunnel);

        assertRefused(() -> replayed.transfer("tea"), "HIGHWAY-REFUSED:wrong-signature");
        assertRefused(() -> replayed.transfer("tea", 7), "HIGHWAY-REFUSED:wrong-signature");
        assertRefused(() -> replayed.balance("tea"), "HIGHWAY-REFUSED:replayed");
        assertRefused(() -> replayed.balance("other"), "HIGHWAY-REFUSED:replayed");
        assertRefused(() -> attack(tunnel, "blue", "2.0.0").balance("tea"), "HIGHWAY-REFUSED:wrong-signature");
        assertRefused(
                () -> generic.$invoke("transfer", STRING, new Object[] {"tea"}), "HIGHWAY-REFUSED:wrong-signature");
        assertRefused(
                () -> generic.$invoke("$invoke", STRING, new Object[] {"tea"}), "HIGHWAY-REFUSED:wrong-signature");
        assertRefused(() -> generic.$invoke("balance", STRING, new Object[] {"tea"}), "HIGHWAY-REFUSED:replayed");
        assertThat(book.entries).isEmpty();
        assertThat(blueBook.entries).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aRecordedGenericCall_isGoodForNothing(Tunnel tunnel) throws Exception {
        GenericService own = generic(consumer(tunnel));
        assertThat(Highway.to("shanghai").call(() -> own.$invoke("balance", STRING, new Object[] {"tea"})))
                .isEqualTo("balance");
        assertThat(served().method()).isEqualTo("balance");
        ReplayingFilter.headers = recorded();
        GenericService generic = attackGeneric(tunnel);

        assertRefused(
                () -> generic.$invoke("transfer", STRING, new Object[] {"tea"}), "HIGHWAY-REFUSED:wrong-signature");
        assertRefused(() -> generic.$invoke("balance", null, new Object[] {"tea"}), "HIGHWAY-REFUSED:wrong-signature");
        assertRefused(() -> generic.$invoke(" balance\t", STRING, new Object[] {"tea"}), "HIGHWAY-REFUSED:replayed");
        assertRefused(() -> attack(tunnel, null, null).transfer("tea"), "HIGHWAY-REFUSED:wrong-signature");
        assertThat(book.entries).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void everyFormOfCall_isSigned(Tunnel tunnel) throws Exception {
        TestApplication zhejiang = consumer(tunnel);
        Ledger ledger = ledger(zhejiang);
        Ledger blue = to(zhejiang, Ledger.class, "blue", "2.0.0");
        GenericService generic = generic(zhejiang);
        Shop shops = to(zhejiang, Shop.class, null, null);

        assertThat(ledger.balance("tea")).isEqualTo("balance");
        assertThat(ledger.transfer("tea", 7)).isEqualTo("transfer of 7");
        assertThat(ledger.balanceLater("tea").get(10, TimeUnit.SECONDS)).isEqualTo("balanceLater");
        assertThat(blue.transfer("tea")).isEqualTo("transfer");
        Highway.to("shanghai").run(() -> {
            assertThat(generic.$invoke("transfer", STRING, new Object[] {"tea"}))
                    .isEqualTo("transfer");
            assertThat(generic.$invoke("balance", null, new Object[] {"tea"})).isEqualTo("balance");
            assertThat(generic.$invoke(" balance ", STRING, new Object[] {"tea"}))
                    .isEqualTo("balance");
        });
        assertThat(Highway.to("shanghai").call(() -> ((EchoService) reference(zhejiang)).$echo("tea")))
                .isEqualTo("tea");
        assertThat(shops.pack(new byte[] {7})).containsExactly(7);
        assertThat(shops.find(new HashMap<>(Map.of("code", "31")))).isEqualTo("shanghai:31");
        shops.note("tea");
    }

    @Test
    void streamsAndProtobufMethods_areSigned() throws Exception {
        TestApplication zhejiang = consumer(Tunnel.TRIPLE);
        Feed feed = to(zhejiang, Feed.class, null, null);
        BlockingQueue<String> answers = new LinkedBlockingQueue<>();
        StreamObserver<String> observer = new StreamObserver<>() {
            @Override
            public void onNext(String answer) {
                answers.add(answer);
            }

            @Override
            public void onError(Throwable failure) {
                answers.add(String.valueOf(failure));
            }

            @Override
            public void onCompleted() {
                answers.add("end");
            }
        };

        feed.count(1, observer);
        assertThat(answers.poll(10, TimeUnit.SECONDS)).isEqualTo("shanghai:1");
        assertThat(answers.poll(10, TimeUnit.SECONDS)).isEqualTo("end");
        StreamObserver<String> joined = feed.join(observer);
        joined.onNext("tea");
        joined.onCompleted();
        assertThat(answers.poll(10, TimeUnit.SECONDS)).contains("tea");
        Echoes echoes = to(zhejiang, Echoes.class, null, null);
        assertThat(echoes.echo(StringValue.of("tea")).getValue()).isEqualTo("tea");
    }

    @ParameterizedTest
    @EnumSource
    void anApplicationIsVerified_onlyByAKeyThatNamesIt(Tunnel tunnel) {
        ledger(consumer(tunnel, "highway.sign.key-id", "app-2026", "highway.sign.secret", "of the application"))
                .balance("tea");
        Caller bound = served().caller();
        ledger(consumer(tunnel, "highway.sign.key-id", "any", "highway.sign.secret", "of anybody"))
                .balance("tea");
        Caller unbound = served().caller();

        assertThat(bound).isEqualTo(Caller.signed("zhejiang", "zhejiang-app", "app-2026", Caller.Proof.APPLICATION));
        assertThat(unbound).isEqualTo(Caller.signed("zhejiang", "zhejiang-app", "any", Caller.Proof.KEY));
    }

    /** A receiver knows the secret of its callers, and must not be able to sign in their place elsewhere. */
    @ParameterizedTest
    @EnumSource
    void signsForAnIsland_withTheKeyOfThatIsland(Tunnel tunnel) {
        TestApplication zhejiang = consumer(
                tunnel,
                "highway.sign.key-id",
                "unknown-there",
                "highway.islands.beijing.sign.key-id",
                "unknown-there-too",
                "highway.islands.beijing.sign.secret",
                "of another",
                "highway.islands.shanghai.sign.key-id",
                "app-2026",
                "highway.islands.shanghai.sign.secret",
                "of the application");

        assertThat(ledger(zhejiang).balance("tea")).isEqualTo("balance");
    }

    @ParameterizedTest
    @EnumSource
    void refusesAKey_ofAnotherIsland(Tunnel tunnel) {
        Ledger ledger =
                ledger(consumer(tunnel, "highway.sign.key-id", "beijing-2026", "highway.sign.secret", "of beijing"));

        assertThatThrownBy(() -> ledger.balance("tea"))
                .isInstanceOfSatisfying(HighwayException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.REFUSED_THERE);
                    assertThat(e.mayHaveRun()).isFalse();
                })
                .hasMessageContaining("wrong-key; the key beijing-2026 may not sign for zhejiang/zhejiang-app; see"
                        + " highway.sign.accept-from.beijing-2026 in shanghai");
        assertThat(book.entries).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void refusesAnUnsignedCall_andOneOfAnUnknownVersion(Tunnel tunnel) {
        Ledger old = attack(tunnel, null, null);
        ReplayingFilter.headers = Map.of("highway-island", "shanghai", "highway-from", "zhejiang/zhejiang-app/1");
        assertRefused(() -> old.balance("tea"), "HIGHWAY-REFUSED:unsigned; shanghai accepts signed calls only");
        ReplayingFilter.headers = Map.of(
                "highway-island", "shanghai",
                "highway-from", "zhejiang/zhejiang-app/1",
                "highway-sign", "v1;kid=zhejiang-2026;ts=1795200000;sig=" + "A".repeat(43));
        assertRefused(
                () -> old.balance("tea"),
                "HIGHWAY-REFUSED:unreadable-signature; it is not v2;kid=..;ts=..;n=..;sig=..; another version of the SDK");

        assertThat(book.entries).isEmpty();
    }

    /**
     * A service without the SDK copies the headers of the call that it serves into its own calls, and so can anybody:
     * the name of the application makes nobody home.
     */
    @ParameterizedTest
    @EnumSource
    void refusesACallThatPassesHeadersOn_ofAPeerThatIsNotKnownAsHome(Tunnel tunnel) throws Exception {
        ledger(consumer(tunnel)).balance("tea");
        served();
        ReplayingFilter.headers = recorded();
        TestApplication warehouse = new TestApplication("warehouse", "zhejiang", Map.of("highway.enabled", "false"));
        consumers.add(warehouse);

        Ledger passingOn = attack(warehouse, tunnel, null, null);

        assertRefused(() -> passingOn.transfer("tea"), "HIGHWAY-REFUSED:wrong-signature");
        assertRefused(() -> passingOn.balance("tea"), "HIGHWAY-REFUSED:replayed");
        assertThat(book.entries).isEmpty();
    }

    /** Only what is sent is signed: a filter of the application that changes the headers changes nothing. */
    @ParameterizedTest
    @EnumSource
    void signsWhatIsSent_whateverFiltersDo(Tunnel tunnel) {
        TestApplication zhejiang = consumer(tunnel);
        Ledger ledger = Highway.to("shanghai")
                .bind(
                        Ledger.class,
                        zhejiang.reference(Ledger.class, config -> {
                                    config.setUrl("dubbo://127.0.0.1:1");
                                    config.setCheck(false);
                                    config.setFilter("forging");
                                })
                                .get());

        assertThat(ledger.balance("tea")).isEqualTo("balance");
        assertThat(served().caller().isIslandVerified()).isTrue();
    }
}

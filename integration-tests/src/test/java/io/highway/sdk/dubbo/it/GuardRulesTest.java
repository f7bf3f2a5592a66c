// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.highway.sdk.Caller;
import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.GuardListener.GuardEvent;
import io.highway.sdk.dubbo.GuardListener.Result;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.Reason;
import io.highway.tools.fixtures.logs.CapturedLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.Version;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.service.EchoService;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules and rates, from a real caller's exception to the provider's listener and log. */
@Tag("network")
class GuardRulesTest {

    private static final String SHOP = Shop.class.getName();
    private static final String[] STRING = {"java.lang.String"};
    private static final List<AutoCloseable> opened = new ArrayList<>();

    private static GuardedIsland shanghai;
    private static GuardedIsland shadow;
    private static final Map<Tunnel, TestApplication> zhejiang = new EnumMap<>(Tunnel.class);
    private static final Map<Tunnel, ShopReferences> shop = new EnumMap<>(Tunnel.class);
    private static final Map<Tunnel, ShopReferences> stranger = new EnumMap<>(Tunnel.class);
    private static final Map<Tunnel, ShopReferences> ofShadow = new EnumMap<>(Tunnel.class);

    @BeforeAll
    static void start() {
        String[] rules = {
            "highway.guard.rules.no-refusing.action", "deny",
            "highway.guard.rules.no-refusing.to", SHOP + "#refuse*",
            "highway.guard.rules.shops.action", "allow",
            "highway.guard.rules.shops.from", "zhejiang/*",
            "highway.guard.rules.shops.to", SHOP + "#*",
            "highway.guard.rules.slow.action", "allow",
            "highway.guard.rules.slow.from", "zhejiang/*",
            "highway.guard.rules.slow.to", "order",
            "highway.guard.rules.slow.rate", "1/s",
            "highway.guard.rules.watched.action", "audit",
            "highway.guard.rules.watched.to", "pack"
        };
        shanghai = keep(new GuardedIsland(rules));
        List<String> inShadow = new ArrayList<>(List.of(rules));
        inShadow.addAll(List.of("highway.guard.mode", "shadow"));
        shadow = keep(new GuardedIsland(inShadow.toArray(String[]::new)));
        for (Tunnel tunnel : Tunnel.values()) {
            zhejiang.put(tunnel, shanghai.caller("zhejiang", tunnel));
            shop.put(tunnel, references(zhejiang.get(tunnel)));
            stranger.put(tunnel, references(shanghai.caller("jiangsu", tunnel)));
            ofShadow.put(tunnel, references(shadow.caller("zhejiang", tunnel)));
        }
    }

    private static <C extends AutoCloseable> C keep(C one) {
        opened.add(one);
        return one;
    }

    private static ShopReferences references(TestApplication caller) {
        return ShopReferences.of(caller, shanghai.dubboAddress);
    }

    @AfterAll
    static void stop() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
    }

    @BeforeEach
    void forget() {
        shanghai.shop.received.clear();
        shadow.shop.received.clear();
        shanghai.events.clear();
        shadow.events.clear();
    }

    private interface Call {
        Object make() throws Throwable;
    }

    private static HighwayException refusal(Call call) {
        return catchThrowableOfType(
                HighwayException.class, () -> Highway.to("shanghai").callChecked(call::make));
    }

    /** The name of a generic call is in its body, and may be longer than any header that carries a refusal. */
    @ParameterizedTest
    @ValueSource(ints = {100, 500})
    void answersARefusal_howeverLongTheMethodsNameIs(int length) {
        GuardedIsland signed = keep(new GuardedIsland("highway.sign.accept.zj", "of zhejiang"));
        for (Tunnel tunnel : Tunnel.values()) {
            GenericService ruled = shop.get(tunnel).generic();
            GenericService forging = references(signed.caller(
                            "zhejiang", tunnel, "highway.sign.key-id", "zj", "highway.sign.secret", "guessed"))
                    .generic();
            for (String name : List.of("refuse" + "x".repeat(length), "refuse" + "密".repeat(length))) {
                HighwayException denied = refusal(() -> ruled.$invoke(name, STRING, new Object[] {"tea"}));
                HighwayException wrong = refusal(() -> forging.$invoke(name, STRING, new Object[] {"tea"}));

                assertThat(denied).hasMessageContaining("denied; the rule \"no-refusing\"");
                assertThat(wrong).hasMessageContaining("wrong-signature; ");
                assertThat(denied.mayHaveRun()).isEqualTo(!isProven(tunnel));
                assertThat(wrong.mayHaveRun()).isFalse(); // before anything is decoded
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesAGenericCallThatNamesNoMethod(Tunnel tunnel) {
        GuardedIsland generic = keep(new GuardedIsland());
        TestApplication caller = generic.caller("zhejiang", tunnel);
        GenericService shop = references(caller).generic();
        String noMethod = tunnel == Tunnel.DUBBO ? "no name of the called method" : "names no method"; // by the gateway

        for (Object[] arguments : List.of(new Object[] {"tea"}, new Object[0])) {
            assertThat(refusal(() -> shop.$invoke(null, STRING, arguments))).hasMessageContaining(noMethod);
            assertThat(catchThrowable(
                            () -> Highway.to("shanghai").callChecked(() -> shop.$invokeAsync(null, STRING, arguments)
                                    .get(10, TimeUnit.SECONDS))))
                    .hasMessageContaining(noMethod);
        }
        assertThat(generic.shop.received).isEmpty();
    }

    /** The first step of a roll-out: callers that do not sign yet lose nothing, and rules go on to match their claims. */
    @ParameterizedTest
    @EnumSource
    void servesCallsWithoutAValidSignature_andReportsThem_whileSignModeIsShadow(Tunnel tunnel) {
        GuardedIsland island = keep(new GuardedIsland(
                "highway.sign.accept.zj", "of zhejiang",
                "highway.sign.accept-from.zj", "zhejiang/*",
                "highway.sign.mode", "shadow",
                "highway.guard.rules.shops.action", "allow",
                "highway.guard.rules.shops.from", "zhejiang/*",
                "highway.guard.rules.no-notes.action", "deny",
                "highway.guard.rules.no-notes.to", "note"));
        String[] right = {"highway.sign.key-id", "zj", "highway.sign.secret", "of zhejiang"};
        String[] wrong = {"highway.sign.key-id", "zj", "highway.sign.secret", "guessed"};
        Shop signed = references(island.caller("zhejiang", tunnel, right)).typed();
        Shop forging = references(island.caller("zhejiang", tunnel, wrong)).typed();
        Shop unsigned = references(island.caller("zhejiang", tunnel)).typed();
        Shop other = references(island.caller("jiangsu", tunnel)).typed();

        try (CapturedLog log = new CapturedLog()) {
            for (Shop shop : List.of(signed, forging, unsigned)) {
                assertThat(Highway.to("shanghai").call(() -> shop.sell("tea"))).isEqualTo("shanghai:tea");
            }
            assertThat(log.lines("the guard would refuse").stream()
                            .filter(line -> line.contains("unsigned; ")
                                    && line.contains("; served, since highway.sign.mode is shadow")))
                    .hasSize(1);
        }

        Caller claimed = Caller.of("zhejiang", "zhejiang-app");
        assertThat(island.shop.received)
                .extracting(ShopKeeper.Received::caller)
                .containsExactly(
                        Caller.signed("zhejiang", "zhejiang-app", "zj", Caller.Proof.ISLAND), claimed, claimed);
        assertThat(island.events).extracting(GuardEvent::result).containsOnly(Result.SHADOW);
        assertThat(island.events).extracting(GuardEvent::reason).containsExactly("wrong-signature", "unsigned");
        assertThat(island.events).extracting(GuardEvent::caller).containsOnly(claimed);
        assertThat(refusal(() -> other.sell("tea"))).hasMessageContaining("not-allowed");
        assertThat(catchThrowable(() -> Highway.to("shanghai").run(() -> unsigned.note("tea"))))
                .hasMessageContaining("denied");
    }

    /** 3.2 answers refusals over Triple with a message, which proves nothing. */
    private static boolean isProven(Tunnel tunnel) {
        return tunnel == Tunnel.DUBBO || Version.getVersion().startsWith("3.3");
    }

    @ParameterizedTest
    @EnumSource
    void refusesADeniedMethod_inEveryForm_namingRuleAndCallerAtBothEnds(Tunnel tunnel) {
        for (Mode mode : Mode.values()) {
            shanghai.events.clear();
            HighwayException refused = refusal(() -> {
                mode.refuse(shop.get(tunnel).typed(), shop.get(tunnel).generic(), "sold out");
                return null;
            });

            String method = mode == Mode.COMPLETABLE_FUTURE ? "refuseLater" : "refuse";
            assertThat(refused)
                    .as("%s", mode)
                    .hasMessageContaining("denied; the rule \"no-refusing\" (highway.guard.rules in shanghai) denies "
                            + SHOP + "#" + method + " to zhejiang/zhejiang-app");
            assertThat(refused.reason()).isEqualTo(isProven(tunnel) ? Reason.REFUSED_THERE : Reason.REMOTE_FAILURE);
            assertThat(refused.mayHaveRun()).isNotEqualTo(isProven(tunnel));
            assertThat(shanghai.events).hasSize(1).first().satisfies(event -> {
                assertThat(event.result()).isEqualTo(Result.REFUSED);
                assertThat(event.reason()).isEqualTo("denied");
                assertThat(event.rule()).isEqualTo("no-refusing");
                assertThat(event.caller()).isEqualTo(Caller.of("zhejiang", "zhejiang-app"));
                assertThat(event.interfaceName()).isEqualTo(SHOP);
                assertThat(event.methodName()).isEqualTo(method);
                assertThat(event.island()).isEqualTo("shanghai");
                assertThat(event.peer()).isEqualTo("127.0.0.2");
            });
        }
        assertThat(shanghai.shop.received).isEmpty();
    }

    /** Dubbo trims the name. */
    @ParameterizedTest
    @ValueSource(strings = {"refuse", " refuse", "refuse ", "refuse\t", "\t refuse\r\n", "refuse\u0000"})
    void refusesADeniedMethod_howeverAGenericCallSpellsIt(String name) {
        for (Tunnel tunnel : Tunnel.values()) {
            assertThat(catchThrowable(() -> Highway.to("shanghai")
                            .callChecked(() -> shop.get(tunnel).generic().$invoke(name, STRING, new Object[] {"tea"}))))
                    .hasMessageContaining("denied; the rule \"no-refusing\"");
        }
        assertThat(shanghai.shop.received).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void doesNotSendWhatTheCallerDenies_howeverAGenericCallSpellsIt(Tunnel tunnel) {
        for (String pattern : List.of("sell", SHOP + "#sell")) {
            GenericService denying = references(
                            shanghai.caller("zhejiang", tunnel, "highway.islands.shanghai.deny", pattern))
                    .generic();
            for (String name : List.of("sell", " sell", "sell ", "\tsell", "sell\t\n", "\u0000sell")) {
                assertThat(refusal(() -> denying.$invoke(name, STRING, new Object[] {"tea"}))
                                .reason())
                        .as("%s", name)
                        .isEqualTo(Reason.DENIED);
                CompletableFuture<Object> later =
                        Highway.to("shanghai").call(() -> denying.$invokeAsync(name, STRING, new Object[] {"tea"}));
                assertThat(later)
                        .failsWithin(Duration.ofSeconds(10))
                        .withThrowableOfType(ExecutionException.class)
                        .havingCause()
                        .isInstanceOfSatisfying(HighwayException.class, refused -> assertThat(refused.reason())
                                .isEqualTo(Reason.DENIED));
            }
        }
        assertThat(shanghai.shop.received).isEmpty();
        assertThat(shanghai.events).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void refusesACallerThatNoRuleAllows_inEveryForm(Tunnel tunnel) {
        for (Mode mode : Mode.values()) {
            HighwayException refused = refusal(() ->
                    mode.sell(stranger.get(tunnel).typed(), stranger.get(tunnel).generic(), "tea"));

            assertThat(refused)
                    .as("%s", mode)
                    .hasMessageContaining("not-allowed; no allow rule (highway.guard.rules in shanghai) allows " + SHOP)
                    .hasMessageContaining("to jiangsu/jiangsu-app");
        }
        assertThat(shanghai.shop.received).isEmpty();
        assertThat(shanghai.events).extracting(GuardEvent::reason).containsOnly("not-allowed");
        assertThat(shanghai.events).extracting(GuardEvent::rule).containsOnlyNulls();
    }

    @ParameterizedTest
    @EnumSource
    void servesAnAllowedCall_inEveryForm_withoutAnEvent(Tunnel tunnel) throws Throwable {
        for (Mode mode : Mode.values()) {
            Object answer = Highway.to("shanghai")
                    .callChecked(() ->
                            mode.sell(shop.get(tunnel).typed(), shop.get(tunnel).generic(), "tea"));

            assertThat(answer).isEqualTo("shanghai:tea");
        }
        assertThat(shanghai.events).isEmpty();
    }

    @Test
    void refusesAStreamThatNoRuleAllows() throws Exception {
        Feed feed = zhejiang.get(Tunnel.TRIPLE)
                .reference(Feed.class, config -> {
                    config.setUrl("tri://127.0.0.1:9");
                    config.setCheck(false);
                })
                .get();
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        StreamObserver<String> answers = new StreamObserver<>() {
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
        };

        Highway.to("shanghai").run(() -> feed.count(3, answers));

        assertThat(ended.get(10, TimeUnit.SECONDS)).hasMessageContaining("not-allowed");
    }

    @ParameterizedTest
    @EnumSource
    void answersAnEcho_whateverTheRules(Tunnel tunnel) {
        EchoService echo = (EchoService) stranger.get(tunnel).typed();

        assertThat(Highway.to("shanghai").<Object>call(() -> echo.$echo("tea"))).isEqualTo("tea");
        assertThat(shanghai.events).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void marksACall_thatAnAuditRuleMatches(Tunnel tunnel) {
        byte[] content = {1};

        assertThat(Highway.to("shanghai").call(() -> shop.get(tunnel).typed().pack(content)))
                .isEqualTo(content);

        assertThat(shanghai.events).hasSize(1).first().satisfies(event -> {
            assertThat(event.result()).isEqualTo(Result.AUDITED);
            assertThat(event.reason()).isEqualTo("audit");
            assertThat(event.rule()).isEqualTo("watched");
        });
    }

    @ParameterizedTest
    @EnumSource
    void refusesACallOverTheRate_asBusy_andNotSent(Tunnel tunnel) {
        HighwayException busy = null;
        for (int i = 0; i < 50 && busy == null; i++) { // the rate admits one each second
            busy = refusal(() -> shop.get(tunnel).typed().order(new Shop.Order("tea", null)));
        }

        assertThat(busy)
                .isNotNull()
                .hasMessageContaining("busy; the rule \"slow\" (highway.guard.rules in shanghai) allows 1/s to"
                        + " zhejiang/zhejiang-app; retry after ");
        assertThat(busy.getMessage()).containsPattern("retry after [0-9]{1,4} ms");
        assertThat(busy.reason()).isEqualTo(isProven(tunnel) ? Reason.BUSY : Reason.REMOTE_FAILURE);
        assertThat(busy.mayHaveRun()).isNotEqualTo(isProven(tunnel));
        if (isProven(tunnel)) {
            assertThat(busy.outcome()).isEqualTo(Outcome.REFUSED);
            assertThat(busy.isLimitExceed()).isTrue();
            assertThat(busy)
                    .hasMessageContaining("Call less often, or ask the operators of shanghai for a higher rate");
        }
        assertThat(shanghai.events(Result.REFUSED)).last().satisfies(event -> {
            assertThat(event.reason()).isEqualTo("busy");
            assertThat(event.rule()).isEqualTo("slow");
        });
        assertThat(shanghai.shop.received).hasSizeLessThan(50);
    }

    /** Every endpoint leads to the same rate, so that trying them all would multiply a flood. */
    @ParameterizedTest
    @EnumSource
    void doesNotTryAnotherEndpoint_afterBusy(Tunnel tunnel) {
        String provider = tunnel == Tunnel.DUBBO ? shanghai.dubboAddress : shanghai.tripleAddress;
        Shop twoGateways = references(shanghai.caller(
                        "zhejiang",
                        tunnel,
                        "highway.gateways." + tunnel.key(),
                        shanghai.gatewayAddress() + "," + provider))
                .typed();

        int busy = 0;
        for (int i = 0; i < 20; i++) {
            busy += refusal(() -> twoGateways.order(new Shop.Order("tea", null))) == null ? 0 : 1;
        }

        assertThat(busy).isPositive();
        assertThat(shanghai.events(Result.REFUSED)).hasSize(busy);
    }

    @ParameterizedTest
    @EnumSource
    void servesEveryCall_andReportsEachOnce_inShadowMode(Tunnel tunnel) {
        int calls = 20;

        for (int i = 0; i < calls; i++) {
            assertThat(Highway.to("shanghai")
                            .call(() -> ofShadow.get(tunnel).typed().order(new Shop.Order("tea", null))))
                    .isNotNull();
            assertThat(catchThrowable(() -> Highway.to("shanghai")
                            .callChecked(() -> ofShadow.get(tunnel).typed().refuse("why"))))
                    .isExactlyInstanceOf(Shop.SoldOutException.class);
        }

        assertThat(shadow.shop.received).hasSize(2 * calls);
        assertThat(shadow.events(Result.REFUSED)).isEmpty();
        assertThat(shadow.events(Result.SHADOW))
                .filteredOn(event -> event.reason().equals("denied"))
                .hasSize(calls);
        assertThat(shadow.events(Result.SHADOW))
                .filteredOn(event -> event.reason().equals("busy"))
                .hasSizeBetween(1, calls);
    }

    @Test
    void logsARefusal_withRuleAndCaller_atMostOnceAMinute() {
        ShopReferences known = references(shanghai.caller("anhui", Tunnel.DUBBO));
        try (CapturedLog log = new CapturedLog()) {
            for (int i = 0; i < 5; i++) {
                assertThat(refusal(() -> known.typed().refuse("why"))).isNotNull();
            }

            assertThat(log.lines("the guard refuses"))
                    .hasSize(1)
                    .first()
                    .asString()
                    .contains(SHOP + "#refuse for anhui/anhui-app from 127.0.0.2: denied; the rule \"no-refusing\"");
        }
    }
}

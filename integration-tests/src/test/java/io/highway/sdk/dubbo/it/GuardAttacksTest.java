// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.highway.sdk.Caller;
import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.GuardListener.GuardEvent;
import io.highway.sdk.dubbo.GuardListener.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Ingress, signatures, rules and rates together, under attack. */
@Tag("network")
class GuardAttacksTest {

    private static final String SHOP = Shop.class.getName();
    private static final String[] STRING = {"java.lang.String"};
    private static final String[] GENERIC = {"java.lang.String", "[Ljava.lang.String;", "[Ljava.lang.Object;"};
    private static final int RATE = 200;

    private static GuardedIsland shanghai;

    /** Remembers few signatures. */
    private static GuardedIsland small;

    @BeforeAll
    static void start() {
        shanghai = new GuardedIsland(
                "highway.guard.gateways", "127.0.0.2",
                "highway.sign.accept.app", "of the application",
                "highway.sign.accept-from.app", "zhejiang/zhejiang-app",
                "highway.sign.accept.zj", "of zhejiang",
                "highway.sign.accept-from.zj", "zhejiang/*",
                "highway.sign.accept.js", "of jiangsu",
                "highway.sign.accept-from.js", "jiangsu/*",
                "highway.sign.accept.any", "of anybody",
                "highway.guard.rules.app.action", "allow",
                "highway.guard.rules.app.from", "zhejiang/zhejiang-app",
                "highway.guard.rules.app.to", SHOP + "#*",
                "highway.guard.rules.sales.action", "allow",
                "highway.guard.rules.sales.from", "jiangsu/*,zhejiang/*",
                "highway.guard.rules.sales.to", SHOP + "#sell*",
                "highway.guard.rules.sales.rate", RATE + "/s",
                "highway.guard.rules.no-refusing.action", "deny",
                "highway.guard.rules.no-refusing.to", SHOP + "#refuse*");
        small = new GuardedIsland(
                "highway.sign.max-nonces", "40",
                "highway.sign.accept.zj", "of zhejiang",
                "highway.sign.accept-from.zj", "zhejiang/*",
                "highway.sign.accept.js", "of jiangsu",
                "highway.sign.accept-from.js", "jiangsu/*",
                "highway.guard.rules.sales.action", "allow",
                "highway.guard.rules.sales.rate", "10/s");
    }

    @AfterAll
    static void stop() {
        shanghai.close();
        small.close();
    }

    @BeforeEach
    void forget() {
        shanghai.shop.received.clear();
        shanghai.events.clear();
    }

    private static ShopReferences caller(String island, Tunnel tunnel, String keyId, String secret) {
        return ShopReferences.of(
                shanghai.caller(island, tunnel, "highway.sign.key-id", keyId, "highway.sign.secret", secret),
                shanghai.dubboAddress);
    }

    private interface Call {
        Object make() throws Throwable;
    }

    private static Throwable failure(Call call) {
        return catchThrowable(() -> Highway.to("shanghai").callChecked(call::make));
    }

    @ParameterizedTest
    @EnumSource
    void servesTheApplication_thatItsKeyProves(Tunnel tunnel) {
        Shop shop = caller("zhejiang", tunnel, "app", "of the application").typed();

        assertThat(Highway.to("shanghai").call(() -> shop.nothing("tea"))).isNull();

        Caller caller = shanghai.shop.received.remove().caller();
        assertThat(caller).isEqualTo(Caller.signed("zhejiang", "zhejiang-app", "app", Caller.Proof.APPLICATION));
        assertThat(shanghai.events).isEmpty();
    }

    /** The same name with a key that does not prove it. */
    @ParameterizedTest
    @CsvSource({
        "DUBBO, zhejiang, zj, of zhejiang, not-allowed",
        "TRIPLE, zhejiang, zj, of zhejiang, not-allowed",
        "DUBBO, zhejiang, any, of anybody, not-allowed",
        "TRIPLE, zhejiang, any, of anybody, not-allowed",
        "DUBBO, zhejiang, js, of jiangsu, wrong-key",
        "TRIPLE, zhejiang, js, of jiangsu, wrong-key",
        "DUBBO, jiangsu, js, of jiangsu, not-allowed",
        "DUBBO, zhejiang, app, guessed, wrong-signature"
    })
    void refusesTheName_ofWhomNoKeyProves(Tunnel tunnel, String island, String keyId, String secret, String word) {
        ShopReferences shop = caller(island, tunnel, keyId, secret);

        assertThat(failure(() -> shop.typed().nothing("tea"))).hasMessageContaining(word + "; ");
        assertThat(failure(() -> shop.generic().$invoke("nothing", STRING, new Object[] {"tea"})))
                .hasMessageContaining(word + "; ");
        assertThat(shanghai.shop.received).isEmpty();
        assertThat(shanghai.events).extracting(GuardEvent::reason).containsExactly(word, word);
    }

    @ParameterizedTest
    @EnumSource
    void servesNoDeniedMethod_byAnyDetour(Tunnel tunnel) {
        TestApplication application = shanghai.caller(
                "zhejiang", tunnel, "highway.sign.key-id", "app", "highway.sign.secret", "of the application");
        GenericService generic =
                ShopReferences.of(application, shanghai.dubboAddress).generic();
        Shop blue = application
                .reference(Shop.class, config -> {
                    config.setUrl("dubbo://" + shanghai.dubboAddress);
                    config.setGroup("blue");
                    config.setVersion("2.0.0");
                })
                .get();
        Object[] inner = {"refuse", STRING, new Object[] {"tea"}};

        assertThat(failure(() -> blue.refuse("tea"))).hasMessageContaining("denied; the rule \"no-refusing\"");
        assertThat(failure(() -> generic.$invoke("refuse", STRING, new Object[] {"tea"})))
                .hasMessageContaining("denied; the rule \"no-refusing\"");
        for (String outer :
                List.of("$invoke", "$invokeAsync", "$echo", "Refuse", "REFUSE", "refuse()", SHOP + ".refuse")) {
            assertThat(failure(() -> generic.$invoke(outer, GENERIC, inner)))
                    .as(outer)
                    .isNotNull();
            assertThat(failure(() -> generic.$invoke(outer, STRING, new Object[] {"tea"})))
                    .as(outer)
                    .isNotNull();
        }

        assertThat(shanghai.shop.received).isEmpty();
    }

    /** What its rate refuses was signed, too, and is remembered. */
    @ParameterizedTest
    @EnumSource
    void remembersSignaturesOfEachKey_whateverAnotherOneSends(Tunnel tunnel) {
        Shop flooding = small("jiangsu", tunnel, "js", "of jiangsu");
        Shop calm = small("zhejiang", tunnel, "zj", "of zhejiang");
        int refused = 0;
        for (int i = 0; i < 60; i++) {
            refused += failure(() -> flooding.sell("tea")) == null ? 0 : 1;
        }

        assertThat(refused).isGreaterThanOrEqualTo(40); // its share is 20
        assertThat(Highway.to("shanghai").call(() -> calm.sell("tea"))).isEqualTo("shanghai:tea");
    }

    private static Shop small(String island, Tunnel tunnel, String keyId, String secret) {
        return ShopReferences.of(
                        small.caller(island, tunnel, "highway.sign.key-id", keyId, "highway.sign.secret", secret),
                        small.dubboAddress)
                .typed();
    }

    @Test
    void admitsTheRateOfEachCaller_whateverAnotherOneSends() throws Exception {
        Shop flooding = caller("jiangsu", Tunnel.DUBBO, "js", "of jiangsu").typed();
        Shop calm = caller("zhejiang", Tunnel.DUBBO, "zj", "of zhejiang").typed();
        AtomicInteger delivered = new AtomicInteger();
        AtomicInteger busy = new AtomicInteger();
        List<Throwable> others = new ArrayList<>();
        long begun = System.nanoTime();
        CompletableFuture<Void> flood = CompletableFuture.runAsync(() -> {
            while (System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(3)) {
                Throwable failed = failure(() -> flooding.sell("tea"));
                if (failed == null) {
                    delivered.incrementAndGet();
                } else if (String.valueOf(failed.getMessage()).contains("busy; the rule \"sales\"")) {
                    busy.incrementAndGet();
                } else {
                    others.add(failed);
                }
            }
        });

        int served = 0;
        while (!flood.isDone()) {
            assertThat(Highway.to("shanghai").call(() -> calm.sell("tea"))).isEqualTo("shanghai:tea");
            served++;
            TimeUnit.MILLISECONDS.sleep(20); // within the rate of this caller
        }
        flood.get(10, TimeUnit.SECONDS);

        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
        assertThat(others).isEmpty();
        assertThat(delivered.get()).isLessThanOrEqualTo((int) (seconds + 2) * RATE);
        if (busy.get() > 0) { // this machine sends more than the rate
            assertThat(delivered.get()).isGreaterThanOrEqualTo(RATE);
        }
        assertThat(shanghai.events(Result.REFUSED)).hasSize(busy.get());
        assertThat(shanghai.shop.received).hasSize(delivered.get() + served);
    }
}

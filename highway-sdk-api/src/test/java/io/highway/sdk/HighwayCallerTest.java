// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.highway.sdk.Caller.Proof;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HighwayCallerTest {

    private static final Caller SHOP = Caller.of("zhejiang", "shop");

    private final HighwayContext request = HighwayContext.servedFor(SHOP, 2);

    @AfterEach
    void nothingIsLeftOnTheThread() {
        assertThat(Highway.caller()).isEmpty();
        assertThat(HighwayContext.capture().route()).isNull();
    }

    @Test
    void isEmpty_outsideOfACall() {
        assertThat(Highway.caller()).isEmpty();
        assertThat(HighwayContext.capture().hops()).isZero();
    }

    @Test
    void isKnown_whileACallFromAnotherIslandIsServed() {
        HighwayScope scope = request.open();

        assertThat(Highway.caller()).contains(SHOP);
        assertThat(HighwayContext.capture().hops()).isEqualTo(2);
        scope.close();
        assertThat(Highway.caller()).isEmpty();
    }

    @Test
    void isEmptyButCounts_whenTheCallerIsUnknown() {
        HighwayScope scope = HighwayContext.servedFor(null, 1).open();

        assertThat(Highway.caller()).isEmpty();
        assertThat(HighwayContext.capture().hops()).isEqualTo(1);
        scope.close();
    }

    @Test
    void hasNoScopeOpen_whateverWasOpenOnTheThread() {
        HighwayScope leaked = Highway.to("beijing").open();
        HighwayScope served = request.open();

        assertThat(HighwayContext.capture().route()).isNull();
        served.close();
        assertThat(HighwayContext.capture().route()).isEqualTo(Highway.to("beijing"));
        leaked.close();
    }

    @Test
    void staysKnownInsideScopes() {
        HighwayScope served = request.open();

        Optional<Caller> inside = Highway.to("beijing").call(Highway::caller);
        int hops = Highway.home().call(() -> HighwayContext.capture().hops());

        assertThat(inside).contains(SHOP);
        assertThat(hops).isEqualTo(2);
        served.close();
    }

    @Test
    void isCarriedToOtherThreads_whenWrapped() {
        HighwayScope served = request.open();
        Supplier<Optional<Caller>> wrapped = Highway.wrapSupplier(Highway::caller);
        Supplier<Integer> hops =
                Highway.wrapSupplier(() -> HighwayContext.capture().hops());
        served.close();

        assertThat(CompletableFuture.supplyAsync(wrapped).join()).contains(SHOP);
        assertThat(CompletableFuture.supplyAsync(hops).join()).isEqualTo(2);
        assertThat(CompletableFuture.supplyAsync(Highway::caller).join()).isEmpty();
    }

    @Test
    void namesTheArgument_whenItIsNull() {
        assertThatNullPointerException()
                .isThrownBy(() -> Caller.of(null, "shop"))
                .withMessage("island");
        assertThatNullPointerException()
                .isThrownBy(() -> Caller.of("zhejiang", null))
                .withMessage("application");
        assertThatNullPointerException()
                .isThrownBy(() -> Caller.signed("zhejiang", "shop", null, Proof.ISLAND))
                .withMessage("keyId");
    }

    @Test
    void isNotVerified_withoutASignature() {
        assertThat(SHOP.isIslandVerified()).isFalse();
        assertThat(SHOP.isApplicationVerified()).isFalse();
        assertThat(SHOP.keyId()).isNull();
    }

    @Test
    void saysWhatASignatureProves() {
        Caller any = Caller.signed("zhejiang", "shop", "old", Proof.KEY);
        Caller island = Caller.signed("zhejiang", "shop", "zhejiang-2026", Proof.ISLAND);
        Caller application = Caller.signed("zhejiang", "shop", "shop-2026", Proof.APPLICATION);

        assertThat(any.isIslandVerified()).isFalse();
        assertThat(any.keyId()).isEqualTo("old");
        assertThat(island.isIslandVerified()).isTrue();
        assertThat(island.isApplicationVerified()).isFalse();
        assertThat(application.isApplicationVerified()).isTrue();
        assertThat(application)
                .hasToString("zhejiang/shop")
                .isNotEqualTo(island)
                .isNotEqualTo(SHOP);
        assertThat(application).isEqualTo(Caller.signed("zhejiang", "shop", "shop-2026", Proof.APPLICATION));
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TunnelKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The service has run, and its result cannot be written there or read here. */
@Tag("network")
@Tag("any-dubbo")
class UnreadableResultTest extends OnFaultyStar {

    private Shop shop(TunnelKind tunnel) {
        return star.shop(events, tunnel, FaultyStar.address(star.gateway().port()));
    }

    @AfterEach
    void answerAgain() {
        star.shanghai().ordered = null;
    }

    @ParameterizedTest
    @EnumSource
    void isTheFaultOfThisProcess_ifItCannotBeReadHere(TunnelKind tunnel) {
        Shop shop = shop(tunnel);
        star.shanghai().ordered = new Shop.UnreadableOrder();

        assertThat(catchThrowable(() -> shop.order(new Shop.Order("tea", null))))
                .isInstanceOfSatisfying(HighwayException.class, failure -> {
                    assertThat(failure.reason()).isEqualTo(Reason.SERIALIZATION);
                    assertThat(failure.mayHaveRun()).isTrue();
                })
                .hasMessageContaining("this process cannot read the answer: ");
    }

    @ParameterizedTest
    @EnumSource
    void isTheFaultOfTheProvider_ifItCannotBeWrittenThere(TunnelKind tunnel) {
        Shop shop = shop(tunnel);
        star.shanghai().ordered = new Shop.UnwritableOrder();

        assertThat(catchThrowable(() -> shop.order(new Shop.Order("tea", null))))
                .isInstanceOfSatisfying(HighwayException.class, failure -> {
                    assertThat(failure.reason()).isEqualTo(Reason.SERIALIZATION);
                    assertThat(failure.mayHaveRun()).isTrue();
                })
                .hasMessageContaining("the provider cannot write the answer: ");
    }

    /** A decoder calls itself for each list. */
    @ParameterizedTest
    @EnumSource
    void isNotDecoded_ifItsValuesAreNestedTooDeep(TunnelKind tunnel) {
        Shop shop = shop(tunnel);
        star.shanghai().ordered = new Shop.DeepOrder(900);
        assertThat(shop.order(new Shop.Order("tea", null))).isInstanceOf(Shop.DeepOrder.class);
        star.shanghai().ordered = new Shop.DeepOrder(1_100);

        assertThat(catchThrowable(() -> shop.order(new Shop.Order("tea", null))))
                .isInstanceOfSatisfying(HighwayException.class, failure -> {
                    assertThat(failure.reason()).isEqualTo(Reason.SERIALIZATION);
                    assertThat(failure.mayHaveRun()).isTrue();
                })
                .hasMessageContaining("nested more than 1000 deep");
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.cookbook;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.HighwayContext;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Compiled and run up to Java 24. */
class KotlinCallsTest extends Kitchen {

    @Test
    void kotlinCalls() {
        KotlinCalls calls = new KotlinCalls(sms);

        assertThat(calls.send("hello")).isEqualTo("hello in shanghai");
        assertThat(calls.sendAll("beijing", List.of("a", "b"))).containsExactly("a in beijing", "b in beijing");
        assertThat(sms.send("hello")).isEqualTo("hello in zhejiang"); // the scope is closed
    }

    @Test
    void kotlinResolvesTheApi() {
        assertThat(FromKotlinKt.answers())
                .containsExactly(
                        "call to shanghai",
                        "nothing is null",
                        "run to shanghai",
                        "home to home",
                        "inner to shanghai, outer to beijing",
                        "scope to shanghai",
                        "proxy to shanghai",
                        "task to shanghai",
                        "pool to shanghai");
        assertThat(HighwayContext.capture()).isSameAs(HighwayContext.empty());
    }
}

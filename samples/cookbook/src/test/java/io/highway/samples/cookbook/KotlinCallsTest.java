// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.cookbook;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.HighwayContext;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Compiled and run up to Java 24. */
@Tag("network")
@Timeout(60)
class KotlinCallsTest {

    @Test
    void kotlinCalls() {
        try (Kitchen kitchen = new Kitchen()) {
            KotlinCalls calls = new KotlinCalls(kitchen.sms());

            assertThat(calls.send("hello")).isEqualTo("hello in shanghai");
            assertThat(calls.sendAll("beijing", List.of("a", "b"))).containsExactly("a in beijing", "b in beijing");
            assertThat(kitchen.sms().send("hello")).isEqualTo("hello in zhejiang"); // the scope is closed
        }
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

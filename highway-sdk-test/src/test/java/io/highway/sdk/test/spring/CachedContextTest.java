// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.highway.sdk.test.HighwayTest;
import io.highway.sdk.test.Islands;
import io.highway.sdk.test.spring.Injected.Files;
import io.highway.sdk.test.spring.Injected.Orders;
import io.highway.sdk.test.spring.Injected.Sms;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/** Classes with the same settings share a context, and their islands. */
class CachedContextTest {

    private static final Set<Islands> SEEN = new HashSet<>();

    @SpringBootTest(classes = Injected.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
    @HighwayTest(islands = "shanghai")
    abstract static class Same {

        @Autowired
        Orders orders;

        @BeforeAll
        static void serve(Islands islands, TestInfo test) {
            String name = test.getTestClass().orElseThrow().getSimpleName();
            if (name.equals("First")) {
                islands.at("shanghai").serves(Sms.class, () -> name);
            } else {
                islands.at("shanghai").serves(Files.class, () -> name);
            }
        }

        @RepeatedTest(2)
        void servesWhatItsOwnClassServes() {
            boolean isFirst = this instanceof First;

            assertThat(catchThrowable(orders.inShanghai::where) == null).isEqualTo(isFirst);
            assertThat(catchThrowable(orders.byReferenceNotInterface::where) == null)
                    .isEqualTo(!isFirst);
        }

        @Test
        void sharesIslands(Islands islands) {
            islands.at("shanghai").serves(Sms.class, () -> "shanghai");
            SEEN.add(islands);

            assertThat(SEEN).hasSize(1);
            assertThat(islands.at("shanghai").calls()).isEmpty();
        }
    }

    @Nested
    class First extends Same {}

    @Nested
    class Second extends Same {}
}

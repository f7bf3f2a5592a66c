// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@HighwayTest(islands = "shanghai")
class NestedTest {

    @Nested
    @HighwayTest(home = "zhejiang", islands = "beijing")
    class Own {

        @Test
        void usesItsIslands_notThoseAround(Islands islands) {
            assertThat(islands.home().name()).isEqualTo("zhejiang");
            assertThat(islands.at("beijing").calls()).isEmpty();
        }

        @Nested
        class Inner {

            @Test
            void usesTheNextIslandsAround(Islands islands) {
                assertThat(islands.home().name()).isEqualTo("zhejiang");
            }
        }
    }

    @Test
    void usesItsIslands(Islands islands) {
        assertThat(islands.home().name()).isEqualTo("home");
    }
}

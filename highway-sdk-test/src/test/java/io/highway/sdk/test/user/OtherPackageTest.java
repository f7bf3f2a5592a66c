// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test.user;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.Island;
import io.highway.sdk.test.HighwayTest;
import io.highway.sdk.test.Islands;
import org.junit.jupiter.api.Test;

@HighwayTest(islands = "shanghai")
class OtherPackageTest {

    /** Not public. */
    @Island("shanghai")
    interface Desk {

        String ask(String text);
    }

    @Test
    void serves_whatIsNotPublic(Islands islands, Desk desk) {
        islands.at("shanghai").serves(Desk.class, text -> "asked " + text);

        assertThat(desk.ask("a")).isEqualTo("asked a");
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.cookbook;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Compiled and run from Java 21 on. */
@Tag("network")
@Timeout(60)
class VirtualThreadsTest {

    @Test
    void virtualThreads() {
        try (Kitchen kitchen = new Kitchen()) {
            assertThat(new VirtualThreads(kitchen.sms()).sendAll("beijing", List.of("a", "b", "c")))
                    .containsExactly("a in beijing", "b in beijing", "c in beijing");
        }
    }
}

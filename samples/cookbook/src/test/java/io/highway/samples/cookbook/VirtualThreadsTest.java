// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.cookbook;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Compiled and run from Java 21 on. */
class VirtualThreadsTest extends Kitchen {

    @Test
    void virtualThreads() {
        assertThat(new VirtualThreads(sms).sendAll("beijing", List.of("a", "b", "c")))
                .containsExactly("a in beijing", "b in beijing", "c in beijing");
    }
}

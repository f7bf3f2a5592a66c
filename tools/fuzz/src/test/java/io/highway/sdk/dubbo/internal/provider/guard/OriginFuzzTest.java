// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.highway.sdk.Caller;
import io.highway.sdk.IslandId;
import java.nio.charset.StandardCharsets;

/** Any text as {@code highway-from}: a caller with valid names and a bounded number of hops, or none. */
class OriginFuzzTest {

    /** The first line is the header, the second one the application according to Dubbo. */
    @FuzzTest
    void namesAValidCaller_orNone(byte[] input) {
        String[] lines = new String(input, StandardCharsets.ISO_8859_1).split("\n", 2);

        ClaimedOrigin origin = ClaimedOrigin.parse(lines[0], lines.length < 2 ? null : lines[1]);

        assertThat(origin.hops()).isBetween(1, 9999);
        Caller caller = origin.caller();
        if (caller != null) {
            assertThat(IslandId.isValid(caller.island())).isTrue();
            assertThat(caller.application()).matches("[!-~&&[^/;]]{1,200}");
            assertThat(lines[0]).isEqualTo(caller + "/" + origin.hops());
        }
    }
}

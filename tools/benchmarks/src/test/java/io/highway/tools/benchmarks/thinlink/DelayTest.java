// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class DelayTest {

    private static final int VXLAN_AND_ETHERNET = 8 + 14;

    /** An IPv4 packet with three bytes of TCP data; its checksum was computed by another program. */
    private static final String PACKET =
            "4500002b000140004006aea4c6120001c6120002d12c1b5801020304deadbeef5018faf016860000010283";

    @Test
    void setsTheChecksumThatLinuxLeavesToTheDevice() {
        byte[] whole = HexFormat.of().parseHex("0800000000000100" + "0242ac110002" + "0242ac110003" + "0800" + PACKET);
        byte[] without = whole.clone();
        without[VXLAN_AND_ETHERNET + 20 + 16] = 0x12;
        without[VXLAN_AND_ETHERNET + 20 + 17] = 0x34;

        Delay.setChecksum(without);

        assertThat(without).isEqualTo(whole);
    }

    @Test
    void leavesOtherPacketsAlone() {
        byte[] arp = HexFormat.of()
                .parseHex("0800000000000100" + "ffffffffffff" + "0242ac110003" + "0806" + "00".repeat(28));
        byte[] before = arp.clone();

        Delay.setChecksum(arp);

        assertThat(arp).isEqualTo(before);
    }
}

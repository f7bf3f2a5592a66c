// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.signature;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SipHashTest {

    private static final long KEY_0 = 0x0706050403020100L;
    private static final long KEY_1 = 0x0f0e0d0c0b0a0908L;

    /** The vectors of the reference implementation: the bytes 00, 01, 02 and so on. */
    @ParameterizedTest
    @CsvSource({
        "0, 726fdb47dd0e0e31",
        "1, 74f839c593dc67fd",
        "7, ab0200f58b01d137",
        "8, 93f5f5799a932462",
        "15, a129ca6149be45e5"
    })
    void isTheOneOfTheSpecification(int length, String expected) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append((char) i);
        }

        assertThat(Long.toHexString(SipHash.of(text.toString(), KEY_0, KEY_1))).isEqualTo(expected);
    }
}

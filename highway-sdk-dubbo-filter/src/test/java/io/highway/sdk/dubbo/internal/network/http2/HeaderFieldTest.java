// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.AsciiString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderFieldTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "connection",
                "content-length",
                "expect",
                "host",
                "http2-settings",
                "keep-alive",
                "proxy-connection",
                "te",
                "transfer-encoding",
                "upgrade",
                "content-type"
            })
    void leavesOutNamesOfConnections_andTriplesOwn(String name) {
        assertThat(HeaderField.of(name, "close")).isEqualTo(HeaderField.LEFT_OUT);
        assertThat(HeaderField.of(AsciiString.of(name), "close")).isEqualTo(HeaderField.LEFT_OUT);
    }

    @Test
    void carriesWhatTripleWrites() {
        assertThat(HeaderField.of(":path", "/com.example.Shop/sell")).isEqualTo(HeaderField.CARRIED);
        assertThat(HeaderField.of("te", "trailers")).isEqualTo(HeaderField.CARRIED);
        assertThat(HeaderField.of(AsciiString.of("te"), AsciiString.of("trailers")))
                .isEqualTo(HeaderField.CARRIED);
        assertThat(HeaderField.of("content-type", "application/grpc+proto")).isEqualTo(HeaderField.CARRIED);
        assertThat(HeaderField.of("tri-header-convert", "%7B%22a%22:%22A%22%7D"))
                .isEqualTo(HeaderField.CARRIED);
    }

    @Test
    void refusesControlsInValues_butNoTab() {
        for (char c = 0; c < 0x200; c++) {
            boolean isControl = (c < 0x20 && c != '\t') || c == 0x7f;
            assertThat(HeaderField.of("note", "a" + c))
                    .as("%x", (int) c)
                    .isEqualTo(isControl ? HeaderField.ODD_VALUE : HeaderField.CARRIED);
            assertThat(HeaderField.of("connection", c + "a") == HeaderField.ODD_VALUE)
                    .isEqualTo(isControl);
        }
    }

    @Test
    void refusesNamesThatAreNoTokens() {
        String separators = "\"(),/:;<=>?@[\\]{}";
        for (char c = 0; c < 0x200; c++) {
            boolean isOdd = c <= ' ' || c >= 0x7f || separators.indexOf(c) >= 0 || (c >= 'A' && c <= 'Z');
            assertThat(HeaderField.of("a" + c, ""))
                    .as("%x", (int) c)
                    .isEqualTo(isOdd ? HeaderField.ODD_NAME : HeaderField.CARRIED);
        }
        assertThat(HeaderField.of("", "x")).isEqualTo(HeaderField.ODD_NAME);
        assertThat(HeaderField.of(":", "x")).isEqualTo(HeaderField.ODD_NAME);
        assertThat(HeaderField.of(":foo", "x")).isEqualTo(HeaderField.ODD_NAME);
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.AsciiString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderDispositionTest {

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
        assertThat(HeaderDisposition.of(name, "close")).isEqualTo(HeaderDisposition.LEFT_OUT);
        assertThat(HeaderDisposition.of(AsciiString.of(name), "close")).isEqualTo(HeaderDisposition.LEFT_OUT);
    }

    @Test
    void carriesWhatTripleWrites() {
        assertThat(HeaderDisposition.of(":path", "/com.example.Shop/sell")).isEqualTo(HeaderDisposition.CARRIED);
        assertThat(HeaderDisposition.of("te", "trailers")).isEqualTo(HeaderDisposition.CARRIED);
        assertThat(HeaderDisposition.of(AsciiString.of("te"), AsciiString.of("trailers")))
                .isEqualTo(HeaderDisposition.CARRIED);
        assertThat(HeaderDisposition.of("content-type", "application/grpc+proto"))
                .isEqualTo(HeaderDisposition.CARRIED);
        assertThat(HeaderDisposition.of("tri-header-convert", "%7B%22a%22:%22A%22%7D"))
                .isEqualTo(HeaderDisposition.CARRIED);
    }

    @Test
    void refusesControlsInValues_butNoTab() {
        for (char c = 0; c < 0x200; c++) {
            boolean isControl = (c < 0x20 && c != '\t') || c == 0x7f;
            assertThat(HeaderDisposition.of("note", "a" + c))
                    .as("%x", (int) c)
                    .isEqualTo(isControl ? HeaderDisposition.ODD_VALUE : HeaderDisposition.CARRIED);
            assertThat(HeaderDisposition.of("connection", c + "a") == HeaderDisposition.ODD_VALUE)
                    .isEqualTo(isControl);
        }
    }

    @Test
    void refusesNamesThatAreNoTokens() {
        String separators = "\"(),/:;<=>?@[\\]{}";
        for (char c = 0; c < 0x200; c++) {
            boolean isOdd = c <= ' ' || c >= 0x7f || separators.indexOf(c) >= 0 || (c >= 'A' && c <= 'Z');
            assertThat(HeaderDisposition.of("a" + c, ""))
                    .as("%x", (int) c)
                    .isEqualTo(isOdd ? HeaderDisposition.ODD_NAME : HeaderDisposition.CARRIED);
        }
        assertThat(HeaderDisposition.of("", "x")).isEqualTo(HeaderDisposition.ODD_NAME);
        assertThat(HeaderDisposition.of(":", "x")).isEqualTo(HeaderDisposition.ODD_NAME);
        assertThat(HeaderDisposition.of(":foo", "x")).isEqualTo(HeaderDisposition.ODD_NAME);
    }
}

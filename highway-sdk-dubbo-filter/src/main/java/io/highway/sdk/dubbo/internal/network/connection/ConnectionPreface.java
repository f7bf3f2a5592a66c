// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** What a new connection begins with: what makes the gateway answer, and how its answer begins. */
public enum ConnectionPreface {
    /** The Dubbo protocol: a two-way event without data, as Dubbo's heartbeat is: every Dubbo server answers it. */
    DUBBO("the Dubbo protocol", "a Dubbo heartbeat", "highway.gateways.dubbo") {
        @Override
        public byte[] bytes(String host) {
            return HexFormat.of().parseHex("dabbe200" + "0000000000000001" + "00000001" + "4e");
        }

        @Override
        boolean isAnswer(byte[] first) {
            return first[0] == (byte) 0xda && first[1] == (byte) 0xbb;
        }
    },

    /** HTTP/2: its preface and empty settings; the peer must answer with its settings. */
    HTTP2("HTTP/2", "with HTTP/2 settings", "highway.gateways.triple") {
        @Override
        public byte[] bytes(String host) {
            return "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1);
        }

        @Override
        boolean isAnswer(byte[] first) {
            return first[0] == 0 && first[SETTINGS_AT] == SETTINGS;
        }
    },

    /** HTTP/1.1: any answer proves that the gateway speaks it. */
    HTTP1("HTTP/1.1", "a GET of /highway", "highway.gateways.http") {
        @Override
        public byte[] bytes(String host) {
            return ("GET /highway HTTP/1.1\r\nhost: " + host + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1);
        }

        @Override
        boolean isAnswer(byte[] first) {
            return new String(first, StandardCharsets.US_ASCII).equals("HTTP");
        }
    };

    /** How many bytes of an answer tell its protocol. */
    static final int NEEDED = 4;

    private static final int SETTINGS_AT = 3;
    private static final byte SETTINGS = 4;

    private final String protocol;
    private final String wanted;
    private final String key;

    ConnectionPreface(String protocol, String wanted, String key) {
        this.protocol = protocol;
        this.wanted = wanted;
        this.key = key;
    }

    /** The protocol, in words. */
    String protocol() {
        return protocol;
    }

    /** What is wanted of a gateway that has not answered it, in words. */
    String wanted() {
        return wanted;
    }

    /** The key of the addresses at which gateways speak it. */
    String key() {
        return key;
    }

    boolean isHttp2() {
        return this == HTTP2;
    }

    /**
     * What to send.
     *
     * @param host the gateway's name and port
     */
    public abstract byte[] bytes(String host);

    /** Whether an answer with these first bytes speaks the protocol. */
    abstract boolean isAnswer(byte[] first);
}

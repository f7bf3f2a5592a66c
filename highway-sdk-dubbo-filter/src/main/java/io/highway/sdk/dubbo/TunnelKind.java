// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

/** The protocol that carries a call through the gateway. */
public enum TunnelKind {
    /** The Dubbo protocol: the fastest, but some networks do not pass it. */
    DUBBO("dubbo", "dubbo"),
    /** Triple, which is gRPC over HTTP/2: supports streams, and passes networks that allow standard protocols only. */
    TRIPLE("triple", "tri");

    private final String word;
    private final String dubboProtocol;

    TunnelKind(String word, String dubboProtocol) {
        this.word = word;
        this.dubboProtocol = dubboProtocol;
    }

    /** {@return the word used in keys, messages and logs, such as {@code triple}; {@link #toString()} is the same} */
    public String word() {
        return word;
    }

    /** {@return Dubbo's name of the protocol} */
    public String dubboProtocol() {
        return dubboProtocol;
    }

    @Override
    public String toString() {
        return word;
    }
}

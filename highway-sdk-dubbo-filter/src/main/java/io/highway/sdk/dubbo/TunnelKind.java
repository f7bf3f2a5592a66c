// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

/** How a call is carried through the gateway. */
public enum TunnelKind {
    /** The Dubbo protocol: fastest, but not let through everywhere. */
    DUBBO("dubbo", "dubbo"),
    /** Triple, which is gRPC over HTTP/2: streams, and passes where only standard protocols may. */
    TRIPLE("triple", "tri");

    private final String word;
    private final String dubboProtocol;

    TunnelKind(String word, String dubboProtocol) {
        this.word = word;
        this.dubboProtocol = dubboProtocol;
    }

    /** The word used in keys, messages and logs. */
    public String word() {
        return word;
    }

    /** What Dubbo calls the protocol. */
    public String dubboProtocol() {
        return dubboProtocol;
    }

    @Override
    public String toString() {
        return word;
    }
}

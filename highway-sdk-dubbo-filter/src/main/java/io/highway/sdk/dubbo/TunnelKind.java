// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import io.highway.sdk.internal.Texts;

/** The protocol that carries a call through the gateway. */
public enum TunnelKind {
    /** The Dubbo protocol: the fastest, but some networks do not pass it. */
    DUBBO("dubbo", false),
    /** Triple, which is gRPC over HTTP/2: supports streams, and passes networks that allow standard protocols only. */
    TRIPLE("tri", true),
    /** HTTP/1.1, for paths that pass nothing else: a Dubbo frame as the body of a POST; carries no streams. */
    HTTP("highway-http", false);

    private final String dubboProtocol;
    private final boolean http2;

    TunnelKind(String dubboProtocol, boolean http2) {
        this.dubboProtocol = dubboProtocol;
        this.http2 = http2;
    }

    /** {@return the word used in keys, messages and logs, such as {@code triple}; {@link #toString()} is the same} */
    public String word() {
        return Texts.word(this);
    }

    /** {@return the name of its extension of Dubbo's {@code Protocol}} */
    public String dubboProtocol() {
        return dubboProtocol;
    }

    /** {@return whether it is HTTP/2, which carries streams, too} */
    public boolean isHttp2() {
        return http2;
    }

    /** {@return whether it is HTTP of any version, whose headers tell how messages are compressed} */
    public boolean isHttp() {
        return this != DUBBO;
    }

    @Override
    public String toString() {
        return Texts.word(this);
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.tls;

import io.netty.handler.ssl.NotSslRecordException;
import java.nio.channels.ClosedChannelException;

/** Why a TLS handshake has failed, in words that name the key to check. */
public final class TlsFailure {

    private TlsFailure() {}

    /** The message of the innermost cause, since the outer ones only mention the handshake; and the key to check. */
    public static String reason(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String words = cause.getMessage();
        if (cause instanceof NotSslRecordException) {
            return "the gateway answers in plaintext; use its TLS port, or remove highway.gateways.tls.*";
        }
        if (cause instanceof ClosedChannelException) {
            return "the gateway closed the connection in the handshake; look at highway.gateways.tls.*";
        }
        if (words == null) {
            return cause.getClass().getSimpleName() + "; look at highway.gateways.tls.*";
        }
        return words + "; look at highway.gateways.tls." + key(words);
    }

    private static String key(String words) {
        if (words.contains("alert") && (words.contains("certificate") || words.contains("unknown_ca"))) {
            return "certificate"; // an alert of the gateway about our certificate
        }
        if (words.contains("certification path") || words.contains("Path does not chain")) {
            return "trust-certificates";
        }
        return words.contains("subject alternative") || words.contains("No name matching") ? "verify-host" : "*";
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.quickstart.provider;

import io.highway.sdk.Highway;
import org.apache.dubbo.rpc.RpcContext;

/**
 * Adds the server of a call to its answer: {@code shanghai (dubbo, for zhejiang)}, or {@code zhejiang} for calls from
 * home.
 */
record Stamp(String island) {

    String on(String text) {
        return mark() + ": " + text;
    }

    String mark() {
        return Highway.caller()
                .map(caller -> island + " (" + protocol() + ", for " + caller.island() + ")")
                .orElse(island);
    }

    /** The protocol of the call. */
    private static String protocol() {
        String protocol = RpcContext.getServiceContext().getUrl().getProtocol();
        return protocol.equals("tri") ? "triple" : protocol;
    }
}

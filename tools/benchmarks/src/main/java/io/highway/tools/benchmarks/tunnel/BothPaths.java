// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.tunnel;

import io.highway.tools.benchmarks.calls.CallPath;
import io.highway.tools.benchmarks.calls.Signing;
import io.highway.tools.gateways.Protocol;

/**
 * The plain path and the SDK's through one gateway, each with a separate connection. Which threads of callers, gateway
 * and provider serve a connection is fixed when it is opened, so connections are replaced from time to time.
 */
final class BothPaths implements AutoCloseable {

    private final Protocol protocol;
    private final String entrance;
    private final String island;
    private final Signing signing;
    private boolean plainFirst;
    private volatile CallPath plain;
    private volatile CallPath sdk;

    /**
     * Connects both.
     *
     * @param entrance of the gateway, {@code host:port}
     */
    BothPaths(Protocol protocol, String entrance, String island, Signing signing) {
        this.protocol = protocol;
        this.entrance = entrance;
        this.island = island;
        this.signing = signing;
        this.plain = connectPlain();
        this.sdk = connectSdk();
    }

    /** Makes new connections, each time the other one first. */
    void reconnect() {
        CallPath oldPlain = plain;
        CallPath oldSdk = sdk;
        if (plainFirst) {
            plain = connectPlain();
            sdk = connectSdk();
        } else {
            sdk = connectSdk();
            plain = connectPlain();
        }
        plainFirst = !plainFirst;
        oldPlain.close();
        oldSdk.close();
    }

    private CallPath connectPlain() {
        return checked(CallPath.plain("plain", protocol, entrance, island, signing));
    }

    private CallPath connectSdk() {
        return checked(CallPath.through("sdk", protocol, entrance, signing.keys()));
    }

    private static CallPath checked(CallPath path) {
        path.check();
        return path;
    }

    Protocol protocol() {
        return protocol;
    }

    int uploadPlain(byte[] body) {
        return plain.upload(body);
    }

    int uploadBySdk(byte[] body) {
        return sdk.upload(body);
    }

    @Override
    public void close() {
        plain.close();
        sdk.close();
    }
}

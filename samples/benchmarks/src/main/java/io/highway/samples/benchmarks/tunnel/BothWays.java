// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.tunnel;

import io.highway.samples.benchmarks.calls.Protocol;
import io.highway.samples.benchmarks.calls.Way;

/**
 * The plain path and the SDK's through one gateway, each with a separate connection. Which threads of callers, gateway
 * and provider serve a connection is fixed when it is opened, so connections are replaced from time to time.
 */
final class BothWays implements AutoCloseable {

    private final Protocol protocol;
    private final String entrance;
    private final String island;
    private boolean plainFirst;
    private volatile Way plain;
    private volatile Way sdk;

    /**
     * Connects both.
     *
     * @param entrance of the gateway, {@code host:port}
     */
    BothWays(Protocol protocol, String entrance, String island) {
        this.protocol = protocol;
        this.entrance = entrance;
        this.island = island;
        this.plain = connectPlain();
        this.sdk = connectSdk();
    }

    /** Makes new connections, each time the other one first. */
    void reconnect() {
        Way oldPlain = plain;
        Way oldSdk = sdk;
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

    private Way connectPlain() {
        return checked(Way.plain("plain", protocol, entrance, island));
    }

    private Way connectSdk() {
        return checked(Way.through("sdk", protocol, entrance));
    }

    private static Way checked(Way way) {
        way.check();
        return way;
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

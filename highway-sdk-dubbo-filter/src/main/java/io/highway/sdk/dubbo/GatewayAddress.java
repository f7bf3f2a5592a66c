// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Where a gateway listens for one protocol. Immutable. */
public final class GatewayAddress {

    private final TunnelKind kind;
    private final String host;
    private final int port;
    private final boolean secured;

    private GatewayAddress(TunnelKind kind, String host, int port, boolean secured) {
        this.kind = Objects.requireNonNull(kind, "kind");
        this.host = Objects.requireNonNull(host, "host");
        this.port = port;
        this.secured = secured;
    }

    /**
     * {@return an address}
     *
     * @param kind the protocol that the gateway speaks there
     * @param host a name or an IP address, IPv6 without brackets
     * @param port 1 to 65535
     * @param secured whether connections use TLS
     */
    public static GatewayAddress of(TunnelKind kind, String host, int port, boolean secured) {
        return new GatewayAddress(kind, host, port, secured);
    }

    /** {@return the protocol that the gateway speaks there} */
    public TunnelKind kind() {
        return kind;
    }

    /** {@return a name or an IP address, IPv6 without brackets} */
    public String host() {
        return host;
    }

    /** {@return the port, 1 to 65535} */
    public int port() {
        return port;
    }

    /** {@return whether connections use TLS} */
    public boolean isSecured() {
        return secured;
    }

    /** {@return {@code host:port}, with brackets around IPv6} */
    public String hostAndPort() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof GatewayAddress address
                && kind == address.kind
                && port == address.port
                && secured == address.secured
                && host.equals(address.host);
    }

    @Override
    public int hashCode() {
        return Objects.hash(kind, host, port, secured);
    }

    /** The protocol, {@code host:port}, and {@code (TLS)} if it is secured. */
    @Override
    public String toString() {
        return kind + " " + hostAndPort() + (secured ? " (TLS)" : "");
    }
}

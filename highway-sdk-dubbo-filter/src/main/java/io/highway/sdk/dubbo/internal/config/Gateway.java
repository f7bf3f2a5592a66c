// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.config;

import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.connection.tls.GatewayTls;
import org.jspecify.annotations.Nullable;

/**
 * A configured gateway, as calls of one class use it. Its TLS settings are internal to the SDK: users see the address
 * only.
 *
 * @param tls the TLS settings, or null for plaintext
 * @param proxy the forward proxy to it, or null
 * @param connectMillis the time limit for a connection and its first answer
 * @param trafficClass the calls that its connections carry
 */
public record Gateway(
        GatewayAddress address,
        @Nullable GatewayTls tls,
        @Nullable ForwardProxy proxy,
        int connectMillis,
        TrafficClass trafficClass) {

    static final String ALLOWED = "host:port, such as gateway.zhejiang.test:20880";

    /** Reads {@code host:port}, {@code [ipv6]:port} or a URL of the kind's protocol. */
    static Gateway parse(
            TunnelKind kind,
            String key,
            String text,
            @Nullable GatewayTls tls,
            @Nullable ForwardProxy proxy,
            int connectMillis) {
        String rest = text;
        int scheme = text.indexOf("://");
        if (scheme >= 0) {
            String protocol = text.substring(0, scheme);
            boolean isSecured = protocol.equals(kind.word() + "s"); // https
            if (!protocol.equals(kind.word()) && !protocol.equals(kind.dubboProtocol()) && !isSecured) {
                throw HighwayConfigurationException.notAllowed(
                        key, text, ALLOWED, "Write " + kind.word() + "://host:port or leave the protocol out");
            }
            if (isSecured && tls == null) {
                throw HighwayConfigurationException.notAllowed(
                        key, text, ALLOWED, "Write highway.gateways.tls.enabled=true, too: it secures connections");
            }
            rest = text.substring(scheme + 3).replaceFirst("/$", "");
        }
        int colon = rest.lastIndexOf(':');
        String host = colon < 0 ? "" : rest.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]") && host.indexOf(':') >= 0) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            host = "";
        }
        int port = colon < 0 ? -1 : port(rest.substring(colon + 1));
        if (host.isEmpty() || port < 1 || port > 65535 || !host.chars().allMatch(Gateway::isHostCharacter)) {
            throw HighwayConfigurationException.notAllowed(
                    key, text, ALLOWED, "Write the gateway's host, a colon and its port (1 to 65535)");
        }
        return new Gateway(
                GatewayAddress.of(kind, host, port, tls != null), tls, proxy, connectMillis, TrafficClass.INTERACTIVE);
    }

    private static int port(String text) {
        return text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : -1;
    }

    private static boolean isHostCharacter(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '-'
                || c == '.'
                || c == '_'
                || c == ':'
                || c == '%';
    }

    /** The same gateway for calls of a class. */
    Gateway of(TrafficClass calls) {
        return calls == trafficClass ? this : new Gateway(address, tls, proxy, connectMillis, calls);
    }

    /** The address, the proxy, and the class unless it is interactive: TLS settings are not shown. */
    @Override
    public String toString() {
        return address
                + (proxy == null ? "" : " through " + proxy)
                + (trafficClass == TrafficClass.INTERACTIVE ? "" : " (" + trafficClass + ")");
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import io.highway.sdk.dubbo.GatewayAddress;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.network.tls.TlsSettings;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
public record GatewaySpec(
        GatewayAddress address,
        @Nullable TlsSettings tls,
        @Nullable ForwardProxy proxy,
        int connectMillis,
        TrafficClass trafficClass) {

    /** IPv6 in brackets, or another host; and a port. */
    private static final Pattern ADDRESS = Pattern.compile("(?:\\[([\\w.%:-]*:[\\w.%:-]*)]|([\\w.%-]+)):([0-9]{1,5})");

    static final String ALLOWED = "host:port, such as gateway.zhejiang.test:20880";

    /** Reads {@code host:port}, {@code [ipv6]:port} or a URL of the kind's protocol. */
    static GatewaySpec parse(
            TunnelKind kind,
            String key,
            String text,
            @Nullable TlsSettings tls,
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
        Matcher address = ADDRESS.matcher(rest);
        int port = address.matches() ? Integer.parseInt(address.group(3)) : 0;
        if (port < 1 || port > 65535) {
            throw HighwayConfigurationException.notAllowed(
                    key, text, ALLOWED, "Write the gateway's host, a colon and its port (1 to 65535)");
        }
        String host = address.group(1) != null ? address.group(1) : address.group(2);
        return new GatewaySpec(
                GatewayAddress.of(kind, host, port, tls != null), tls, proxy, connectMillis, TrafficClass.INTERACTIVE);
    }

    /** The same gateway for calls of a class. */
    GatewaySpec of(TrafficClass calls) {
        return calls == trafficClass ? this : new GatewaySpec(address, tls, proxy, connectMillis, calls);
    }

    /** The address, the proxy, and the class unless it is interactive: TLS settings are not shown. */
    @Override
    public String toString() {
        return address
                + (proxy == null ? "" : " through " + proxy)
                + (trafficClass == TrafficClass.INTERACTIVE ? "" : " (" + trafficClass + ")");
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.channel;

import io.netty.channel.Channel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Whether a new connection to a gateway would have other certificates, or another address. Thread-safe. */
final class Freshness {

    /** A name may lead to a few of many addresses each time, so it must lead elsewhere so often in a row. */
    private static final int LOOKS = 2;

    private final String host;
    private volatile Function<String, List<InetAddress>> resolver = Freshness::resolve;
    private volatile boolean isOutdated;

    /** How often in a row the name led elsewhere. */
    private volatile int strayed;

    Freshness(String host) {
        this.host = host;
    }

    /** The addresses of a name; empty if it is unknown. */
    static List<InetAddress> resolve(String host) {
        try {
            return List.of(InetAddress.getAllByName(host));
        } catch (UnknownHostException e) {
            return List.of();
        }
    }

    void resolver(Function<String, List<InetAddress>> other) {
        resolver = other;
    }

    /** The first address of the gateway's name, or null. */
    @Nullable
    InetAddress address() {
        return resolver.apply(host).stream().findFirst().orElse(null);
    }

    /** Looks where the name leads. One thread at a time. */
    void look(Channel latest, boolean hasOtherFiles) {
        isOutdated = leadsElsewhere(latest) || hasOtherFiles;
    }

    private boolean leadsElsewhere(Channel latest) {
        List<InetAddress> all = resolver.apply(host);
        boolean leads = latest.remoteAddress() instanceof InetSocketAddress used && all.contains(used.getAddress());
        strayed = leads || all.isEmpty() ? 0 : strayed + 1;
        return strayed >= LOOKS;
    }

    boolean isOutdated() {
        return isOutdated;
    }

    /** Connections have been renewed, or cannot be. */
    void renewed() {
        isOutdated = false;
        strayed = 0;
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.calls;

import java.util.List;

/** The protocol of calls. */
public enum Protocol {
    DUBBO("Dubbo", "dubbo", "dubbo"),
    TRIPLE("Triple", "triple", "tri"),
    /** Its frames are those of the Dubbo protocol, which direct calls use. */
    HTTP("HTTP tunnel", "http", "dubbo");

    /** Those that plain Dubbo has, too. */
    public static final List<Protocol> OF_DUBBO = List.of(DUBBO, TRIPLE);

    private final String title;
    private final String key;
    private final String scheme;

    Protocol(String title, String key, String scheme) {
        this.title = title;
        this.key = key;
        this.scheme = scheme;
    }

    /** For people. */
    public String title() {
        return title;
    }

    /** As the SDK's keys have it. */
    public String key() {
        return key;
    }

    /** As Dubbo's URLs have it. */
    public String scheme() {
        return scheme;
    }

    /** As gateways know it. */
    public io.highway.tools.gateways.Protocol atGateways() {
        return io.highway.tools.gateways.Protocol.valueOf(name());
    }
}

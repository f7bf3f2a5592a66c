// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import java.util.List;
import java.util.Locale;

/** The protocols a gateway may carry. */
public enum Protocol {
    DUBBO("Dubbo", "dubbo"),
    TRIPLE("Triple", "tri"),
    /** Its frames are those of the Dubbo protocol, which direct calls use. */
    HTTP("HTTP tunnel", "dubbo");

    /** Those that plain Dubbo has, too. */
    public static final List<Protocol> OF_DUBBO = List.of(DUBBO, TRIPLE);

    private final String title;
    private final String scheme;

    Protocol(String title, String scheme) {
        this.title = title;
        this.scheme = scheme;
    }

    /** For people. */
    public String title() {
        return title;
    }

    /** As policies and reports write it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** As Dubbo's URLs have it. */
    public String scheme() {
        return scheme;
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.legacy;

import java.util.List;

/** The compared methods of carrying a call. */
enum Variant {
    DIRECT("plain Dubbo, direct", "direct"),
    VERSION_1("version 1", "version_1"),
    DUBBO("tunnel `dubbo`", "dubbo"),
    TRIPLE("tunnel `triple`", "triple");

    /** Those of the SDK. */
    static final List<Variant> TUNNELS = List.of(DUBBO, TRIPLE);

    private final String title;
    private final String key;

    Variant(String title, String key) {
        this.title = title;
        this.key = key;
    }

    /** For people. */
    String title() {
        return title;
    }

    /** For programs. */
    String key() {
        return key;
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.legacy;

import java.util.Locale;

/** The compared methods of carrying a call. */
enum Variant {
    DIRECT("plain Dubbo, direct"),
    VERSION_1("version 1"),
    DUBBO("tunnel `dubbo`"),
    TRIPLE("tunnel `triple`"),
    HTTP("tunnel `http`");

    private final String title;

    Variant(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}

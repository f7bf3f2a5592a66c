// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import java.util.Locale;

/** The protocols a gateway may carry. */
public enum Protocol {
    DUBBO,
    TRIPLE,
    /** The HTTP tunnel. */
    HTTP;

    /** As policies and reports write it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}

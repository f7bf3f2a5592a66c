// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import java.util.Locale;

/** The tunnels every routed behaviour is asserted over. */
enum Tunnel {
    DUBBO,
    TRIPLE;

    String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}

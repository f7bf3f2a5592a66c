// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

/** The protocol of a connection. */
enum Protocol {
    DUBBO,
    TRIPLE,
    /** The HTTP tunnel. */
    HTTP
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

/** The protocol of a connection; the gateway never translates between protocols. */
enum Protocol {
    DUBBO,
    TRIPLE
}

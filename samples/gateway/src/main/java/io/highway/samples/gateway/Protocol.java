// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.gateway;

/** What a connection speaks; the gateway never translates one into the other. */
enum Protocol {
    DUBBO,
    TRIPLE
}

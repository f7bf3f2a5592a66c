// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Connections to gateways, whatever the protocol: opening, TLS, proxies, reconnecting, draining, closing; and a call over one,
 * from its queue to its end. One pool per application, see {@link
 * io.highway.sdk.dubbo.internal.network.connection.ConnectionPool}.
 */
@NullMarked
package io.highway.sdk.dubbo.internal.network.connection;

import org.jspecify.annotations.NullMarked;

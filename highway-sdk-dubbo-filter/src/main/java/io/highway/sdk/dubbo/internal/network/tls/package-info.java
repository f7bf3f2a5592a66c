// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** TLS of connections to gateways. */
@NullMarked
package io.highway.sdk.dubbo.internal.network.tls;

import org.jspecify.annotations.NullMarked;

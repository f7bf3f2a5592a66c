// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** The pool of connections to gateways: opening, reconnecting, closing. */
@NullMarked
package io.highway.sdk.dubbo.internal.connection;

import org.jspecify.annotations.NullMarked;

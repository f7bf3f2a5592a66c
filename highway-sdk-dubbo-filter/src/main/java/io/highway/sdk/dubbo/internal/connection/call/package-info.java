// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** A call over a connection of the SDK, from its queue to its end, whatever the protocol. */
@NullMarked
package io.highway.sdk.dubbo.internal.connection.call;

import org.jspecify.annotations.NullMarked;

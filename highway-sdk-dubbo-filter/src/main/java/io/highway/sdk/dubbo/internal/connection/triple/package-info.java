// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The Triple-specific parts of a connection: messages, streams, and the evidence of what was sent. Opening and reconnecting
 * are in {@link io.highway.sdk.dubbo.internal.connection.GatewayConnection}.
 */
@NullMarked
package io.highway.sdk.dubbo.internal.connection.triple;

import org.jspecify.annotations.NullMarked;

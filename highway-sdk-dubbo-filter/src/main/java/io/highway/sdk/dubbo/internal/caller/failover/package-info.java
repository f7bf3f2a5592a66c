// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Sends a call to its island: the same invocation, serialised once, tried over the island's endpoints within one
 * deadline.
 */
@NullMarked
package io.highway.sdk.dubbo.internal.caller.failover;

import org.jspecify.annotations.NullMarked;

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/**
 * How bytes reach a gateway, under Dubbo's own clients of both protocols: TLS as its address says, and compressed where a
 * policy says so; and how a Triple server takes them.
 */
@NullMarked
package io.highway.sdk.dubbo.transport;

import org.jspecify.annotations.NullMarked;

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** How bytes reach a gateway: TLS as its address says, under Dubbo's own clients of both protocols. */
@NullMarked
package io.highway.sdk.dubbo.transport;

import org.jspecify.annotations.NullMarked;

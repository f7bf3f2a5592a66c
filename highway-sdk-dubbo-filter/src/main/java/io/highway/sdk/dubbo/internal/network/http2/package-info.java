// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** Calls over Triple (HTTP/2): messages, streams, headers, and the evidence of what was sent. */
@NullMarked
package io.highway.sdk.dubbo.internal.network.http2;

import org.jspecify.annotations.NullMarked;

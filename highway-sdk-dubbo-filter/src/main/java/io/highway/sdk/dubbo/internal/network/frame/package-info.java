// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** Calls in frames of the Dubbo protocol, over its own connections and in bodies of HTTP/1.1. */
@NullMarked
package io.highway.sdk.dubbo.internal.network.frame;

import org.jspecify.annotations.NullMarked;

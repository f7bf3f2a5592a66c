// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** Limits on calls and bytes: permits, request sizes, bytes in flight, and the memory of what has arrived. */
@NullMarked
package io.highway.sdk.dubbo.internal.limits;

import org.jspecify.annotations.NullMarked;

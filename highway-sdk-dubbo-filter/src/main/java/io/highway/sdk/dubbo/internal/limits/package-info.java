// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** Limits on calls: permits, request sizes, bytes in flight, time. */
@NullMarked
package io.highway.sdk.dubbo.internal.limits;

import org.jspecify.annotations.NullMarked;

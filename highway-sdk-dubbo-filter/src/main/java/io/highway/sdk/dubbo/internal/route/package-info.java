// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** Decides the destination of a call, with a reason. Pure functions: no network, no clock. */
@NullMarked
package io.highway.sdk.dubbo.internal.route;

import org.jspecify.annotations.NullMarked;

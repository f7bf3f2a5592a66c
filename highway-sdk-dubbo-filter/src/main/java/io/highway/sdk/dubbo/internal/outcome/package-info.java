// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** Reads and replaces the results of calls, sync and async. */
@NullMarked
package io.highway.sdk.dubbo.internal.outcome;

import org.jspecify.annotations.NullMarked;

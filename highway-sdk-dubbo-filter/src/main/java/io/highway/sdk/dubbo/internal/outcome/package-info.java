// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** How calls end: their observation, by listeners, meters and the audit trail, sync and async. */
@NullMarked
package io.highway.sdk.dubbo.internal.outcome;

import org.jspecify.annotations.NullMarked;

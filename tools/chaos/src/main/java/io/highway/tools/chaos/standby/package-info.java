// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** Calls that another island answers, while the first fails and while an island moves. */
@NullMarked
package io.highway.tools.chaos.standby;

import org.jspecify.annotations.NullMarked;

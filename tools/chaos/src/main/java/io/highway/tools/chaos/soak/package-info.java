// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** The resources of the consumers over time. */
@NullMarked
package io.highway.tools.chaos.soak;

import org.jspecify.annotations.NullMarked;

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** The consumers and their calls. */
@NullMarked
package io.highway.tools.chaos.load;

import org.jspecify.annotations.NullMarked;

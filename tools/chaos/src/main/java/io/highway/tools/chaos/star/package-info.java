// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** The processes and links around the consumers. */
@NullMarked
package io.highway.tools.chaos.star;

import org.jspecify.annotations.NullMarked;

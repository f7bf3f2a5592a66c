// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** The kit as one runnable jar. */
@NullMarked
package io.highway.tools.conformance.kit;

import org.jspecify.annotations.NullMarked;

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** The benchmarks; each has its own package, and they share {@code measure}. */
@NullMarked
package io.highway.tools.benchmarks;

import org.jspecify.annotations.NullMarked;

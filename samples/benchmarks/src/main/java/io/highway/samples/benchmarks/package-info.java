// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** The benchmarks; each has a package of its own, and {@code measure} is what they share. */
@NullMarked
package io.highway.samples.benchmarks;

import org.jspecify.annotations.NullMarked;

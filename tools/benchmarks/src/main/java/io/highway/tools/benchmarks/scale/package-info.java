// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** The cost of many services and many islands for one process. */
@NullMarked
package io.highway.tools.benchmarks.scale;

import org.jspecify.annotations.NullMarked;

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** Making calls, timing them, and saying in numbers how they went. */
@NullMarked
package io.highway.tools.benchmarks.measure;

import org.jspecify.annotations.NullMarked;

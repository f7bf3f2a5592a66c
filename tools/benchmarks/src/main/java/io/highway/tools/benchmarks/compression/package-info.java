// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** The ratio of gzip and zstd, and the processor time that they take. */
@NullMarked
package io.highway.tools.benchmarks.compression;

import org.jspecify.annotations.NullMarked;

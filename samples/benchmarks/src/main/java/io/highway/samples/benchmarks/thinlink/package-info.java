// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** Goodput over a thin link between two islands: plain Dubbo and both tunnels, with and without compression. */
@NullMarked
package io.highway.samples.benchmarks.thinlink;

import org.jspecify.annotations.NullMarked;

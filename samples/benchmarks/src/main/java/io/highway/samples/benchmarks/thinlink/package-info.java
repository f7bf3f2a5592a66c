// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** What gets over a thin link between two islands: plain Dubbo beside both tunnels, with and without compression. */
@NullMarked
package io.highway.samples.benchmarks.thinlink;

import org.jspecify.annotations.NullMarked;

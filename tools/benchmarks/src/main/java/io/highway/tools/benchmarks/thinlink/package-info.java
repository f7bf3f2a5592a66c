// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** Calls over a thin link between two islands: plain Dubbo, tunnels, compression, traffic classes. */
@NullMarked
package io.highway.tools.benchmarks.thinlink;

import org.jspecify.annotations.NullMarked;

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** The service that benchmarks call, its provider, and the paths to it. */
@NullMarked
package io.highway.tools.benchmarks.calls;

import org.jspecify.annotations.NullMarked;

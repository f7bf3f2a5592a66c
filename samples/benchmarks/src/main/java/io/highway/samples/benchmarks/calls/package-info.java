// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** The service that benchmarks call, its provider, and the ways there. */
@NullMarked
package io.highway.samples.benchmarks.calls;

import org.jspecify.annotations.NullMarked;

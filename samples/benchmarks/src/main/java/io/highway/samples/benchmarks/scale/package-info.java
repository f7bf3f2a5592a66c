// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** What many services and many islands cost one process. */
@NullMarked
package io.highway.samples.benchmarks.scale;

import org.jspecify.annotations.NullMarked;

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** What the SDK's tunnels are worth against the first version of this system, rebuilt in {@code version1}. */
@NullMarked
package io.highway.tools.benchmarks.legacy;

import org.jspecify.annotations.NullMarked;

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** Memory of a provider for requests in flight. */
@NullMarked
package io.highway.tools.benchmarks.memory;

import org.jspecify.annotations.NullMarked;

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** What a gateway costs: the same calls directly and through each gateway there is. */
@NullMarked
package io.highway.tools.benchmarks.gateways;

import org.jspecify.annotations.NullMarked;

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** What it takes to read the facts of a request, beside decoding it. */
@NullMarked
package io.highway.tools.benchmarks.facts;

import org.jspecify.annotations.NullMarked;

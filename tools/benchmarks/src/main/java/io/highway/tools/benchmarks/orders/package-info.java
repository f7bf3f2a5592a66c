// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** Business objects that look like real ones, a service that takes them, and its provider. */
@NullMarked
package io.highway.tools.benchmarks.orders;

import org.jspecify.annotations.NullMarked;

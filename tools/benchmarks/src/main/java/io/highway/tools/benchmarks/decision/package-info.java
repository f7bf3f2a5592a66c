// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** The cost of the SDK for a call that stays home, measured with JMH. */
@NullMarked
package io.highway.tools.benchmarks.decision;

import org.jspecify.annotations.NullMarked;

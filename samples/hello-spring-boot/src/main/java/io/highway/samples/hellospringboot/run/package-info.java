// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** Runs the two sides on one machine. Nothing in it is needed in real life. */
@NullMarked
package io.highway.samples.hellospringboot.run;

import org.jspecify.annotations.NullMarked;

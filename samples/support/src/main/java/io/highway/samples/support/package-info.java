// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** Starts and ends the processes around the applications of a sample. Not needed in production. */
@NullMarked
package io.highway.samples.support;

import org.jspecify.annotations.NullMarked;

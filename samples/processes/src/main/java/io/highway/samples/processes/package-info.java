// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** Starting and ending what stands around the applications of a sample. Nothing in it is needed in real life. */
@NullMarked
package io.highway.samples.processes;

import org.jspecify.annotations.NullMarked;

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** Start reading at {@link io.highway.samples.quickstart.Tour}: every call, and what it is expected to do. */
@NullMarked
package io.highway.samples.quickstart;

import org.jspecify.annotations.NullMarked;

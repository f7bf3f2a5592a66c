// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** TCP links with injectable faults. */
@NullMarked
package io.highway.samples.faults;

import org.jspecify.annotations.NullMarked;

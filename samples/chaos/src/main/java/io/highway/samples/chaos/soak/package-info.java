// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** What the consumers take over time. */
@NullMarked
package io.highway.samples.chaos.soak;

import org.jspecify.annotations.NullMarked;

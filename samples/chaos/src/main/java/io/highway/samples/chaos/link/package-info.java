// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** TCP links that misbehave when told to. */
@NullMarked
package io.highway.samples.chaos.link;

import org.jspecify.annotations.NullMarked;

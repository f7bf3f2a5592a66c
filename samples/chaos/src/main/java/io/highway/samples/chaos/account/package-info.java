// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** How each call ended, and whether that is true. */
@NullMarked
package io.highway.samples.chaos.account;

import org.jspecify.annotations.NullMarked;

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** The reported end of each call, and its verification. */
@NullMarked
package io.highway.tools.chaos.account;

import org.jspecify.annotations.NullMarked;

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** Attacks on an island whose guard demands signatures, and an account of what ran. */
@NullMarked
package io.highway.tools.security;

import org.jspecify.annotations.NullMarked;

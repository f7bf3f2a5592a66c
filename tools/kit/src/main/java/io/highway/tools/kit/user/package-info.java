// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** What a user writes: code that calls islands, and its tests. */
@NullMarked
package io.highway.tools.kit.user;

import org.jspecify.annotations.NullMarked;

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** A star under load whose parts fail one after another, and the account of every call. */
@NullMarked
package io.highway.tools.chaos;

import org.jspecify.annotations.NullMarked;

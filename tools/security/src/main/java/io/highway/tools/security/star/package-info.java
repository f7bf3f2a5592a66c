// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** The processes of the island that is attacked. */
@NullMarked
package io.highway.tools.security.star;

import org.jspecify.annotations.NullMarked;

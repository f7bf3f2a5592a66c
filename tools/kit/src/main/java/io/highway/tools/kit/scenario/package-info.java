// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** The same calls without sockets, with sockets and through nginx. */
@NullMarked
package io.highway.tools.kit.scenario;

import org.jspecify.annotations.NullMarked;

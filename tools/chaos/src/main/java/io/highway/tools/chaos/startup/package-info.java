// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** How long an application takes to start while its gateway is down, and what it logs then. */
@NullMarked
package io.highway.tools.chaos.startup;

import org.jspecify.annotations.NullMarked;

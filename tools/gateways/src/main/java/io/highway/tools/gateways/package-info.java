// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** Stars of real gateways, started with the configurations beside this code. */
@NullMarked
package io.highway.tools.gateways;

import org.jspecify.annotations.NullMarked;

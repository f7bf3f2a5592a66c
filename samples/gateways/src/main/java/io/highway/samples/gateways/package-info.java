// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** Stars of real gateways, started with the configurations that stand beside this code. */
@NullMarked
package io.highway.samples.gateways;

import org.jspecify.annotations.NullMarked;

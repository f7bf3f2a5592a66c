// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/** Zuul 2 as a gateway for the HTTP tunnel. */
@NullMarked
package io.highway.tools.gateways.zuul;

import org.jspecify.annotations.NullMarked;

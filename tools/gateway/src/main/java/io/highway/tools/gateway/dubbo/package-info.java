// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The Dubbo wire format, as far as a gateway needs it: frames, and the few strings of a request that determine its
 * route.
 */
@NullMarked
package io.highway.tools.gateway.dubbo;

import org.jspecify.annotations.NullMarked;

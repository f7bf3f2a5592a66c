// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** Spring Cloud Gateway as a gateway for the HTTP tunnel. */
@NullMarked
package io.highway.tools.gateways.springcloud;

import org.jspecify.annotations.NullMarked;

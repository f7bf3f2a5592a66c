// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0

/** Spring Cloud Gateway Server MVC as a gateway for the HTTP tunnel. */
@NullMarked
package io.highway.tools.gateways.springcloud.mvc;

import org.jspecify.annotations.NullMarked;

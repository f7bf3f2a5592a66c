// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Gateway endpoints of an island: health checks, circuit breakers, load balancing, tunnel selection. The health of an
 * endpoint follows the table in {@link io.highway.sdk.dubbo.internal.caller.endpoint.HealthState}.
 */
@NullMarked
package io.highway.sdk.dubbo.internal.caller.endpoint;

import org.jspecify.annotations.NullMarked;

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import org.jspecify.annotations.Nullable;

/**
 * The settings of health checks.
 *
 * @param intervalMillis interval per endpoint; 0 for no health checks
 * @param slowMillis a longer round trip is slow
 * @param service the service that health checks call, as {@code [group/]interface[:version]}, or null for one that this
 *     process uses
 */
public record HealthCheckPolicy(int intervalMillis, int slowMillis, @Nullable String service) {}

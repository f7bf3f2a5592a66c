// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.policy;

import org.jspecify.annotations.Nullable;

/**
 * How the ways to islands are probed.
 *
 * @param intervalMillis how often each is; 0 if none is
 * @param slowMillis a longer round trip is slow
 * @param service the service that is asked, as {@code [group/]interface[:version]}, or null for one that this process uses
 */
public record HeartbeatPolicy(int intervalMillis, int slowMillis, @Nullable String service) {}

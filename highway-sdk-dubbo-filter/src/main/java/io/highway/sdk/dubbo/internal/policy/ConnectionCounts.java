// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

/**
 * How many connections each gateway address gets; Triple has one.
 *
 * @param dubbo how many calls of the Dubbo protocol share
 * @param http how many the HTTP tunnel opens at most: each carries one call at a time
 */
public record ConnectionCounts(int dubbo, int http) {}

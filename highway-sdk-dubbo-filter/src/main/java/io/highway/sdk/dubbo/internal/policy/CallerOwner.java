// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

/**
 * Who answers for callers.
 *
 * @param callers the callers
 * @param owner a person or a team, as text
 */
public record CallerOwner(CallerPattern callers, String owner) {}

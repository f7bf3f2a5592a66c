// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

/**
 * Settings of the audit trail.
 *
 * @param enabled whether crossings are audited
 * @param start whether a line is written before a call runs, too
 * @param refusesOnOverflow whether a call is refused, instead of its lines being counted as lost, if the buffer is full
 */
public record AuditPolicy(boolean enabled, boolean start, boolean refusesOnOverflow) {}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

/** {@code highway.doctor}: whether islands are probed after start-up. */
public enum DoctorMode {
    NONE,
    /** One line per island. */
    WARN,
    /** The same, and the application is not ready until every island has answered. */
    FAIL
}

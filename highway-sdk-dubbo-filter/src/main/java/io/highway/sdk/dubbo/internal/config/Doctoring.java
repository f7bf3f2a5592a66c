// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.config;

import io.highway.sdk.dubbo.HighwaySettings;

/** {@code highway.doctor}: whether islands are probed after start-up. */
public enum Doctoring {
    NONE,
    /** One line per island. */
    WARN,
    /** The same, and the application is not ready until every island has answered. */
    FAIL;

    /** What the keys say that a policy was read from. */
    public static Doctoring of(Policy policy) {
        String key = HighwayKeys.DOCTOR.fullKey();
        HighwaySettings.Setting written = policy.settings().get(key);
        return written == null ? HighwayKeys.DOCTOR.generalDefault() : HighwayKeys.DOCTOR.read(key, written.value());
    }
}

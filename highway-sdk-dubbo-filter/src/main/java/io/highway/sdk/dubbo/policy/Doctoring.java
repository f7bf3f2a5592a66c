// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.policy;

import io.highway.sdk.dubbo.HighwaySettings;
import java.util.Locale;

/** {@code highway.doctor}: whether islands are probed after start-up. */
public enum Doctoring {
    NONE,
    /** One line per island. */
    WARN,
    /** The same, and the application is not ready until every island has answered. */
    FAIL;

    /** What the keys say that a policy was read from. */
    public static Doctoring of(Policy policy) {
        HighwaySettings.Setting written = policy.settings().get(HighwayKeys.PREFIX + HighwayKeys.DOCTOR.name());
        return written == null ? NONE : valueOf(written.value().toUpperCase(Locale.ROOT));
    }
}

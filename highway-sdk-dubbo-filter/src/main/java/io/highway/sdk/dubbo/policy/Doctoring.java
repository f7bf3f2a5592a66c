// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.policy;

import io.highway.sdk.dubbo.HighwaySettings;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** {@code highway.doctor}: whether islands are probed after start-up. */
public enum Doctoring {
    NONE,
    /** One line per island. */
    WARN,
    /** The same, and the application is not ready until every island has answered. */
    FAIL;

    static final String KEY = "doctor";

    private static final List<String> WORDS =
            Stream.of(values()).map(one -> one.name().toLowerCase(Locale.ROOT)).toList();

    static void require(String written) {
        String unused = ValueParser.oneOf(HighwayKeys.PREFIX + KEY, written, WORDS);
    }

    /** What the keys say that a policy was read from. */
    public static Doctoring of(Policy policy) {
        HighwaySettings.Setting written = policy.settings().get(HighwayKeys.PREFIX + KEY);
        return written == null ? NONE : valueOf(written.value().toUpperCase(Locale.ROOT));
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.policy;

import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The keys of the audit trail. */
final class AuditKeys {

    private static final String ENABLED = "audit.enabled";
    private static final String START = "audit.start";
    private static final String OVERFLOW = "audit.overflow";

    /** Each key with its default. */
    static final Map<String, String> BUILT_IN = new KeyDefaults()
            .key(ENABLED, "false")
            .key(START, "false")
            .key(OVERFLOW, "count")
            .build();

    private AuditKeys() {}

    /**
     * Reads the keys.
     *
     * @param values the value of a key, or its default
     */
    static AuditPolicy read(UnaryOperator<String> values) {
        return new AuditPolicy(
                flag(ENABLED, values),
                flag(START, values),
                ValueParser.oneOf(HighwayKeys.PREFIX + OVERFLOW, values.apply(OVERFLOW), List.of("count", "refuse"))
                        .equals("refuse"));
    }

    private static boolean flag(String key, UnaryOperator<String> values) {
        return ValueParser.flag(HighwayKeys.PREFIX + key, values.apply(key));
    }
}

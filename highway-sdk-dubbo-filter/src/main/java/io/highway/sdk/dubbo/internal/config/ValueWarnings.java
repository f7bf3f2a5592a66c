// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.config;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds values that are valid and seldom meant: numbers that lack their unit, and empty lists. */
final class ValueWarnings {

    private static final Pattern DURATION = Pattern.compile(
            ".*\\.(connect-timeout|heartbeat\\.interval|heartbeat\\.slow|slow-call|max-wait|policy\\.wait)");
    private static final Pattern SIZE =
            Pattern.compile(".*\\.(max-request-size|bulk\\.over|max-buffered|max-bytes-in-flight)");
    private static final Pattern LIST =
            Pattern.compile("highway\\.islands\\.[^.]+\\.(deny|idempotent|keys|bulk\\.methods)");
    private static final Pattern SHORT = Pattern.compile("[1-9][0-9]?");
    private static final Pattern SMALL = Pattern.compile("[1-9][0-9]{0,2}");

    private ValueWarnings() {}

    /** A sentence for each, without a full stop. */
    static Stream<String> of(Map<String, String> keys) {
        return new TreeMap<>(keys)
                .entrySet().stream()
                        .map(entry -> warning(entry.getKey(), entry.getValue(), keys))
                        .flatMap(Stream::ofNullable);
    }

    private static @Nullable String warning(String key, String value, Map<String, String> keys) {
        if (SHORT.matcher(value).matches() && DURATION.matcher(key).matches()) {
            return key + " is " + value + ", which is milliseconds; write " + value + "s for seconds";
        }
        if (SMALL.matcher(value).matches() && SIZE.matcher(key).matches()) {
            return key + " is " + value + ", which is bytes; write " + value + "KB or " + value + "MB";
        }
        boolean replacesADefault = keys.containsKey(
                HighwayKeys.PREFIX + "defaults." + key.replaceFirst("highway\\.islands\\.[^.]+\\.", ""));
        return value.isEmpty() && LIST.matcher(key).matches() && !replacesADefault
                ? key + " is empty, so it has no effect; write its items, or remove it"
                : null;
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.monitoring.star;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The alert rules, with all durations divided by a number; nothing else is changed. */
public record Rules(String text) {

    private static final Pattern DURATION = Pattern.compile("(\\[|for: )(\\d+)([smh])\\b");
    private static final Pattern ALERT = Pattern.compile("(?m)^ *- alert: (\\w+)$");

    /** Those that are shipped, so many times faster. */
    public static Rules faster(String shipped, int times) {
        return new Rules(DURATION.matcher(shipped)
                .replaceAll(found -> Matcher.quoteReplacement(found.group(1)
                        + duration(found.group(2), found.group(3))
                                .dividedBy(times)
                                .toMillis() + "ms")));
    }

    /** The longest time from the begin of a fault until an alert fires: a window, and then its "for". */
    public Duration slowest() {
        return longest("\\[").plus(longest("for: "));
    }

    private Duration longest(String before) {
        return Pattern.compile(before + "(\\d+)ms")
                .matcher(text)
                .results()
                .map(found -> Duration.ofMillis(Long.parseLong(found.group(1))))
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    private static Duration duration(String number, String unit) {
        return Duration.parse("PT" + number + unit);
    }

    /** The names of the alerts, in their order. */
    public List<String> alerts() {
        return ALERT.matcher(text).results().map(found -> found.group(1)).toList();
    }
}

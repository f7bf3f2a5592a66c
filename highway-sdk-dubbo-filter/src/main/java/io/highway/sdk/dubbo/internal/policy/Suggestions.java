// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds the known name nearest to an unknown one: within two edits, or the only one that begins with it. */
public final class Suggestions {

    private static final int MAX_EDITS = 2;

    /** So many names fit on a line. */
    private static final int MOST_LISTED = 8;

    /** Fewer letters are no abbreviation. */
    private static final int MIN_BEGINNING = 3;

    private static final String SIGNATURES = "Remove it: signatures have one version";

    /** What to do with a key that was removed, by its letters. */
    private static final Map<String, String> REMOVED = Map.of(
            "httpreceive",
            "Write highway.http.port=<port>: calls over HTTP/1.1 have a separate port",
            "unknownislands",
            "Remove it, and write a key of each island, such as highway.islands.<id>.tunnel=auto: calls for"
                    + " others are refused",
            "signversion",
            SIGNATURES,
            "signacceptversions",
            SIGNATURES,
            "policywait",
            "Remove it: start-up waits three seconds at most for the first answer of the source",
            "gatewaysconnections",
            "Remove it: each gateway address has one connection for each protocol, and one for bulk calls",
            "policyondelete",
            "Remove it: a deleted rule stays active; publish use-static: true to return to the static"
                    + " configuration");

    private Suggestions() {}

    /** {@code "; did you mean "x"?"} for the nearest name, or empty text. */
    public static String hint(String written, Collection<String> names) {
        String nearest = nearest(written, names);
        return nearest == null ? "" : "; did you mean \"" + nearest + "\"?";
    }

    /** {@code "Did you mean "x"? "} before the advice, for the nearest name; else the advice alone. */
    public static String hint(String written, Collection<String> names, String advice) {
        String nearest = nearest(written, names);
        return nearest == null ? advice : "Did you mean \"" + nearest + "\"? " + advice;
    }

    /** The nearest name, else all of them on one line: of many, groups instead of their members. */
    public static String hintOrList(String written, Collection<String> names) {
        String nearest = nearest(written, names);
        return removed(written, nearest == null ? list(names) : "Did you mean \"" + nearest + "\"?");
    }

    /** What to do with a key that was removed, else {@code advice}. */
    public static String removed(String written, String advice) {
        return REMOVED.getOrDefault(written.toLowerCase(Locale.ROOT).replaceAll("[^a-z]", ""), advice);
    }

    private static String list(Collection<String> names) {
        return "Known here: "
                + names.stream()
                        .map(name -> names.size() > MOST_LISTED ? name.replaceFirst("\\..*", ".*") : name)
                        .distinct()
                        .collect(Collectors.joining(", "));
    }

    /** The name within two edits, or the only one that begins with what was written. */
    static @Nullable String nearest(String written, Collection<String> names) {
        String found = find(written, names);
        if (found != null || written.length() - written.lastIndexOf('.') - 1 < MIN_BEGINNING) {
            return found;
        }
        List<String> completions =
                names.stream().filter(name -> name.startsWith(written)).toList();
        return completions.size() == 1 ? completions.get(0) : null;
    }

    /** The name within two edits, or null. */
    public static @Nullable String find(String written, Collection<String> names) {
        String nearest = null;
        int fewest = Math.min(MAX_EDITS, written.length() / 2) + 1; // every name is near a short one
        for (String name : names) {
            int edits = edits(written, name);
            if (edits < fewest || (edits == fewest && nearest != null && name.compareTo(nearest) < 0)) {
                fewest = edits;
                nearest = name;
            }
        }
        return nearest;
    }

    /** The Levenshtein distance, row by row. */
    private static int edits(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replace = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replace, Math.min(row[j - 1], row[j]) + 1);
            }
        }
        return row[b.length()];
    }
}

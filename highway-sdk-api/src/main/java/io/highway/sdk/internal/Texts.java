// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.internal;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Texts of messages. */
public final class Texts {

    private static final int MAX_SHOWN = 80;

    /** Kept, since each call asks for some. */
    private static final Map<Enum<?>, String> WORDS = new ConcurrentHashMap<>();

    private Texts() {}

    /**
     * {@return the word of a constant in configuration, JSON and messages, such as {@code half-open}}
     *
     * @param constant the constant
     */
    public static String word(Enum<?> constant) {
        return WORDS.computeIfAbsent(
                constant, one -> one.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    /**
     * {@return one sentence on why {@code id} is not an island id: {@code what}, the value and what is allowed}
     *
     * @param what the name of the key, argument or annotation
     * @param id the text to check
     */
    public static String islandProblem(String what, String id) {
        return what + ": \"" + printable(id) + "\" is not an island id; allowed are 1 to 63 lower-case letters, digits"
                + " and inner hyphens, such as \"shanghai\"";
    }

    /**
     * {@return the text with every character outside printable ASCII escaped, shortened: safe to log}
     *
     * @param text the text to show
     */
    public static String printable(String text) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < text.length() && i < MAX_SHOWN; i++) {
            char c = text.charAt(i);
            if (c >= ' ' && c < 0x7f) {
                shown.append(c);
            } else {
                shown.append(String.format("\\u%04x", (int) c));
            }
        }
        return text.length() > MAX_SHOWN ? shown + "... (" + text.length() + " characters)" : shown.toString();
    }
}

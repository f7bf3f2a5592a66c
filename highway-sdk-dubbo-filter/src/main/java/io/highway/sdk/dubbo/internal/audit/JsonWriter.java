// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.audit;

import org.jspecify.annotations.Nullable;

/**
 * Writes one JSON object on one line, in printable ASCII: names that a caller invented cannot end the line, close a
 * string or depend on the encoding of the log. Absent values are left out. Not thread-safe.
 */
public final class JsonWriter {

    /** A longer text is cut: a caller can send a method name of megabytes. */
    static final int MOST_CHARACTERS = 512;

    private static final String CUT = "...";
    private static final char REPLACEMENT = '\ufffd';
    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private final StringBuilder json = new StringBuilder(400).append('{');

    /** As much of a text as can affect what is written, to keep for later. */
    static String cut(String text) {
        return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS + 1);
    }

    JsonWriter text(String name, @Nullable String value) {
        if (value != null) {
            name(name);
            string(json, value, MOST_CHARACTERS);
        }
        return this;
    }

    JsonWriter number(String name, long value) {
        name(name);
        json.append(value);
        return this;
    }

    JsonWriter flag(String name, boolean value) {
        name(name);
        json.append(value);
        return this;
    }

    /** Opens an object, which {@link #close} ends. */
    JsonWriter open(String name) {
        name(name);
        json.append('{');
        return this;
    }

    JsonWriter close() {
        json.append('}');
        return this;
    }

    private void name(String name) {
        if (json.charAt(json.length() - 1) != '{') {
            json.append(',');
        }
        json.append('"').append(name).append("\":");
    }

    /**
     * Appends a text with its quotation marks.
     *
     * @param most the number of characters after which it is cut
     */
    public static void string(StringBuilder json, String value, int most) {
        json.append('"');
        int end = Math.min(value.length(), most);
        for (int i = 0; i < end; i++) {
            char c = value.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < end && Character.isLowSurrogate(value.charAt(i + 1))) {
                escaped(json, c);
                i++;
                escaped(json, value.charAt(i));
            } else if (Character.isSurrogate(c)) { // half a character, which is not text
                escaped(json, REPLACEMENT);
            } else if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ' || c > '~' || (c == '$' && i + 1 < end && value.charAt(i + 1) == '{')) {
                escaped(json, c); // some logging systems evaluate ${..}
            } else {
                json.append(c);
            }
        }
        if (end < value.length()) {
            json.append(CUT);
        }
        json.append('"');
    }

    private static void escaped(StringBuilder json, char c) {
        json.append("\\u")
                .append(HEX[c >> 12])
                .append(HEX[(c >> 8) & 15])
                .append(HEX[(c >> 4) & 15])
                .append(HEX[c & 15]);
    }

    /** The line, after which nothing can be added. */
    String end() {
        return json.append('}').toString();
    }
}

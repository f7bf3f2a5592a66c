// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.audit;

import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes maps, lists and plain values as JSON on one line, in printable ASCII: names that a caller invented cannot end the
 * line, close a string or depend on the encoding of the log. What has no value is left out. The SDK depends on no JSON
 * library.
 */
public final class JsonWriter {

    private static final String CUT = "...";
    private static final char REPLACEMENT = '\ufffd';
    private static final HexFormat HEX = HexFormat.of();

    private final StringBuilder json = new StringBuilder(400);
    private final int mostCharacters;

    private JsonWriter(int mostCharacters) {
        this.mostCharacters = mostCharacters;
    }

    /**
     * The JSON of a value.
     *
     * @param mostCharacters of a text, which is cut after them
     */
    public static String of(Object value, int mostCharacters) {
        JsonWriter writer = new JsonWriter(mostCharacters);
        writer.value(value);
        return writer.json.toString();
    }

    private void value(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            char separator = '{';
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                if (entry.getValue() == null) {
                    continue;
                }
                json.append(separator);
                text(String.valueOf(entry.getKey()));
                json.append(':');
                value(entry.getValue());
                separator = ',';
            }
            json.append(separator == '{' ? "{}" : "}");
        } else if (value instanceof Iterable<?> list) {
            char separator = '[';
            for (Object item : list) {
                json.append(separator);
                value(item);
                separator = ',';
            }
            json.append(separator == '[' ? "[]" : "]");
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            json.append(value);
        } else {
            text(value.toString());
        }
    }

    private void text(String value) {
        json.append('"');
        int end = Math.min(value.length(), mostCharacters);
        for (int i = 0; i < end; i++) {
            char c = value.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < end && Character.isLowSurrogate(value.charAt(i + 1))) {
                escaped(c);
                i++;
                escaped(value.charAt(i));
            } else if (Character.isSurrogate(c)) { // half a character, which is not text
                escaped(REPLACEMENT);
            } else if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ' || c > '~' || (c == '$' && i + 1 < end && value.charAt(i + 1) == '{')) {
                escaped(c); // some logging systems evaluate ${..}
            } else {
                json.append(c);
            }
        }
        if (end < value.length()) {
            json.append(CUT);
        }
        json.append('"');
    }

    private void escaped(char c) {
        json.append("\\u").append(HEX.toHexDigits(c));
    }
}

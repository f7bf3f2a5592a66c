// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.ops;

import io.highway.sdk.dubbo.internal.audit.JsonWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes {@link PlainValues} as JSON, in printable ASCII: the SDK depends on no JSON library. As in Spring Boot's
 * actuator, what has no value is left out.
 */
final class Json {

    private final StringBuilder json = new StringBuilder();

    private Json() {}

    /** The JSON of a value of this package. */
    static String of(Object value) {
        Json writer = new Json();
        writer.value(PlainValues.of(value));
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
                JsonWriter.string(json, String.valueOf(entry.getKey()), Integer.MAX_VALUE);
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
            JsonWriter.string(json, value.toString(), Integer.MAX_VALUE);
        }
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.ops;

import io.highway.sdk.dubbo.internal.audit.JsonWriter;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes the values of reports as JSON, in printable ASCII: the SDK depends on no JSON library. Knows records, lists, maps
 * with text as keys, texts, numbers, booleans and null. As in Spring Boot's actuator, components of a record that have no
 * value are left out.
 */
final class Json {

    private final StringBuilder json = new StringBuilder();

    private Json() {}

    /** The JSON of a value of this package. */
    static String of(Object value) {
        Json writer = new Json();
        writer.value(value);
        return writer.json.toString();
    }

    private void value(@Nullable Object value) {
        if (value instanceof Record object) {
            object(object);
        } else if (value instanceof Map<?, ?> map) {
            String separator = "{";
            json.append(map.isEmpty() ? separator : "");
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                json.append(separator);
                JsonWriter.string(json, String.valueOf(entry.getKey()), Integer.MAX_VALUE);
                json.append(':');
                value(entry.getValue());
                separator = ",";
            }
            json.append('}');
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

    private void object(Record object) {
        Map<String, Object> present = new LinkedHashMap<>();
        for (RecordComponent component : object.getClass().getRecordComponents()) {
            try {
                Object value = component.getAccessor().invoke(object);
                if (value != null) {
                    present.put(component.getName(), value);
                }
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
        value(present);
    }
}

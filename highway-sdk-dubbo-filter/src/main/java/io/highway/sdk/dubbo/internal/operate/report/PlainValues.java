// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.report;

import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.internal.operate.audit.JsonWriter;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reports as maps, lists, texts, numbers and booleans, so that every serialiser writes the same words: a record is a map
 * of its components, and an enum's constant its text.
 */
public final class PlainValues {

    private PlainValues() {}

    /** The plain form of a report, or of a part of one. */
    public static Object of(Object value) {
        if (value instanceof Record object) {
            return components(object);
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, @Nullable Object> plain = new LinkedHashMap<>();
            map.forEach((key, one) -> plain.put(String.valueOf(key), ofNullable(one)));
            return plain;
        }
        if (value instanceof Iterable<?> list) {
            List<@Nullable Object> plain = new ArrayList<>();
            list.forEach(one -> plain.add(ofNullable(one)));
            return plain;
        }
        return value instanceof Number || value instanceof Boolean ? value : value.toString();
    }

    /** As JSON: as in Spring Boot's actuator, what has no value is left out. */
    static String json(Object value) {
        return JsonWriter.of(of(value), Integer.MAX_VALUE);
    }

    private static @Nullable Object ofNullable(@Nullable Object value) {
        return value == null ? null : of(value);
    }

    /** The components of a record by name. */
    static Map<String, @Nullable Object> components(Record object) {
        Map<String, @Nullable Object> plain = new LinkedHashMap<>();
        for (RecordComponent component : object.getClass().getRecordComponents()) {
            try {
                Object value = component.getAccessor().invoke(object);
                boolean hasNoTunnel = value == null && isTunnelInUse(object, component.getName());
                plain.put(component.getName(), hasNoTunnel ? "none" : ofNullable(value));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
        return plain;
    }

    private static boolean isTunnelInUse(Record object, String component) {
        return component.equals("tunnel")
                && (object instanceof HighwayReport.Island || object instanceof HighwayReport.Bulk);
    }
}

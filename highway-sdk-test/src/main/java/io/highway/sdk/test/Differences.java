// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What differs between a value and its copy, field by field. Not thread-safe. */
final class Differences {

    /** Containers of the JDK, which may arrive as another class that implements the first that fits. */
    private static final List<Class<?>> CONTAINERS = List.of(
            SortedSet.class, Set.class, List.class, SortedMap.class, Map.class, Map.Entry.class, Collection.class);

    private final List<String> found = new ArrayList<>();
    private final Set<Object> compared = Collections.newSetFromMap(new IdentityHashMap<>());

    private Differences() {}

    /** {@code path: why}, of each. */
    static List<String> between(@Nullable Object sent, @Nullable Object arrived) {
        Differences differences = new Differences();
        differences.compare(root(sent), sent, arrived);
        return differences.found;
    }

    /** The path of a whole value. */
    static String root(@Nullable Object value) {
        return value == null ? "null" : value.getClass().getTypeName();
    }

    private void compare(String path, @Nullable Object sent, @Nullable Object arrived) {
        if (sent == arrived) {
            return;
        }
        if (sent == null || arrived == null) {
            found.add(path + ": lost value: " + sent + " arrives as " + arrived + "; use another type");
            return;
        }
        Class<?> type = type(sent);
        if (type.isInterface() ? !type.isInstance(arrived) : type != type(arrived)) {
            found.add(path + ": other type: " + sent.getClass().getTypeName() + " arrives as "
                    + arrived.getClass().getTypeName() + "; use another type"
                    + (arrived instanceof Map
                            ? ", or name it in the interface or in security/serialize.allowlist"
                            : ""));
        } else if (isValue(sent)) {
            if (!sent.equals(arrived) && (hasEquals(type) || !sent.toString().equals(arrived.toString()))) {
                found.add(path + ": lost value: " + sent + " arrives as " + arrived + "; use another type");
            }
        } else if (compared.add(sent)) {
            compareParts(path, sent, arrived);
        }
    }

    private void compareParts(String path, Object sent, Object arrived) {
        Map<String, @Nullable Object> there = parts(arrived);
        if (sent instanceof Set || sent instanceof Map) {
            there = inOrder(parts(sent), there);
        }
        for (Map.Entry<String, @Nullable Object> part : parts(sent).entrySet()) {
            compare(path(path, part), part.getValue(), there.remove(part.getKey()));
        }
        there.forEach((name, part) -> compare(path + name, null, part));
        for (Field field : fields(sent.getClass())) {
            if (Modifier.isTransient(field.getModifiers())
                    && !isEmpty(value(field, sent))
                    && isEmpty(value(field, arrived))) {
                found.add(path + "." + field.getName()
                        + ": lost value: the field is transient; drop that, or expect no value");
            }
        }
    }

    /** The elements that arrived, where their equals were. */
    private static Map<String, @Nullable Object> inOrder(
            Map<String, @Nullable Object> sent, Map<String, @Nullable Object> arrived) {
        List<@Nullable Object> left = new ArrayList<>(arrived.values());
        Map<String, @Nullable Object> ordered = new LinkedHashMap<>();
        sent.forEach((name, element) -> left.stream()
                .filter(one ->
                        element == null ? one == null : between(element, one).isEmpty())
                .findFirst()
                .ifPresent(one -> {
                    left.remove(one);
                    ordered.put(name, one);
                }));
        Stream.concat(sent.keySet().stream(), arrived.keySet().stream())
                .filter(name -> !left.isEmpty() && !ordered.containsKey(name))
                .forEach(name -> ordered.put(name, left.remove(0)));
        return ordered;
    }

    /** With the class of an element. */
    static String path(String path, Map.Entry<String, @Nullable Object> part) {
        Object value = part.getValue();
        boolean isNamed = value != null && !part.getKey().startsWith(".") && !isOfLibrary(value.getClass());
        return path + part.getKey() + (isNamed ? "(" + value.getClass().getTypeName() + ")" : "");
    }

    /** The elements of a container, and the fields of another object that are sent, by their paths. */
    static Map<String, @Nullable Object> parts(Object value) {
        Map<String, @Nullable Object> parts = new LinkedHashMap<>();
        if (value.getClass().isArray()) {
            for (int i = 0; i < Array.getLength(value); i++) {
                parts.put("[" + i + "]", Array.get(value, i));
            }
        } else if (value instanceof Collection<?> collection) {
            collection.forEach(element -> parts.put("[" + parts.size() + "]", element));
        } else if (value instanceof Map<?, ?> map) {
            map.entrySet().forEach(entry -> parts.put("[" + parts.size() + "]", entry));
        } else if (value instanceof Map.Entry<?, ?> entry) {
            parts.put(".key", entry.getKey());
            parts.put(".value", entry.getValue());
        } else if (value instanceof Optional<?> optional) {
            optional.ifPresent(present -> parts.put(".get()", present));
        } else if (value instanceof Throwable thrown) {
            parts.put(".message", thrown.getMessage());
            parts.put(".cause", thrown.getCause());
        }
        fields(value.getClass()).stream()
                .filter(field -> !Modifier.isTransient(field.getModifiers()))
                .forEach(field -> parts.put("." + field.getName(), value(field, value)));
        return parts;
    }

    /** The fields of its objects, up to a class of a library. */
    static List<Field> fields(Class<?> type) {
        List<Field> fields = new ArrayList<>();
        for (Class<?> each = type; each != null && !isOfLibrary(each) && !each.isEnum(); each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    fields.add(field);
                }
            }
        }
        return fields;
    }

    private static @Nullable Object value(Field field, Object of) {
        try {
            return field.get(of);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(field + " cannot be read", e);
        }
    }

    static boolean isEmpty(@Nullable Object value) {
        return value == null
                || List.<Object>of(false, '\0', (byte) 0, (short) 0, 0, 0L, 0f, 0d)
                        .contains(value);
    }

    /** Whether it belongs to the JDK, or is generated for Protocol Buffers: its fields are its own matter. */
    static boolean isOfLibrary(Class<?> type) {
        Class<?> parent = type.getSuperclass();
        return type.getName().startsWith("java")
                || (parent != null && parent.getName().startsWith("com.google.protobuf."));
    }

    /** What a user of it relies on: the interface of a container, otherwise its class. */
    private static Class<?> type(Object value) {
        Class<?> own = value instanceof Enum<?> constant ? constant.getDeclaringClass() : value.getClass();
        return isOfLibrary(own)
                ? CONTAINERS.stream()
                        .filter(one -> one.isInstance(value))
                        .findFirst()
                        .orElse(own)
                : own;
    }

    /** Whether it is compared as a whole. */
    private static boolean isValue(Object value) {
        return value instanceof Enum
                || (isOfLibrary(value.getClass())
                        && !(type(value).isInterface() || value instanceof Optional || value instanceof Throwable));
    }

    private static boolean hasEquals(Class<?> type) {
        try {
            return type.getMethod("equals", Object.class).getDeclaringClass() != Object.class;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }
}

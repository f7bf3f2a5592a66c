// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import java.io.Serializable;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Values of the types of an interface. Not thread-safe. */
final class Samples {

    /** Of types whose values need not be given. */
    private static final List<Object> KNOWN = List.of("text", (byte) 7, (short) 7, 7, 7L, 1.5f, 1.5d, 'x', true);

    /** What a user's class may stand for, as in a method with a type variable. */
    private static final List<Class<?>> OF_ANY = List.of(Object.class, Serializable.class, Comparable.class);

    private final List<@Nullable Object> given;
    private final Set<Class<?>> missing = new LinkedHashSet<>();

    /** With the values that are taken before others of their type. */
    Samples(@Nullable Object... given) {
        this.given = Arrays.asList(given);
    }

    boolean hasNull() {
        return given.contains(null);
    }

    /** The types without a value. */
    Set<Class<?>> missing() {
        return missing;
    }

    /** All constants of an enum; lists, sets, maps and arrays of values; otherwise all given values of the type. */
    List<Object> of(Type type) {
        Class<?> raw = raw(type);
        if (raw == Void.class) {
            return List.of();
        } else if (raw.isEnum()) {
            return List.of(raw.getEnumConstants());
        } else if (raw.isArray()) {
            return List.of(array(raw.getComponentType(), of(elementOf(type))));
        } else if (isContainer(raw, ArrayList.class)) {
            return List.of(new ArrayList<>(of(argument(type, 0))));
        } else if (isContainer(raw, HashSet.class)) {
            return List.of(new HashSet<>(of(argument(type, 0))));
        } else if (isContainer(raw, HashMap.class)) {
            return List.of(map(of(argument(type, 0)), of(argument(type, 1))));
        }
        List<Object> fitting = given.stream().filter(raw::isInstance).toList();
        if (fitting.isEmpty()) {
            fitting = KNOWN.stream()
                    .filter(one -> raw.isInstance(one) && !OF_ANY.contains(raw))
                    .limit(1)
                    .toList();
        }
        if (fitting.isEmpty()) {
            missing.add(raw);
        }
        return fitting;
    }

    private static Class<?> raw(Type type) {
        if (type instanceof Class<?> known) {
            return MethodType.methodType(known).wrap().returnType();
        } else if (type instanceof ParameterizedType parameterized) {
            return raw(parameterized.getRawType());
        } else if (type instanceof GenericArrayType array) {
            return raw(array.getGenericComponentType()).arrayType();
        } else if (type instanceof WildcardType wildcard) {
            return raw(wildcard.getUpperBounds()[0]);
        }
        return raw(((TypeVariable<?>) type).getBounds()[0]);
    }

    private static boolean isContainer(Class<?> type, Class<?> implementation) {
        return type.isAssignableFrom(implementation)
                && Stream.of(Collection.class, Map.class).anyMatch(any -> any.isAssignableFrom(type));
    }

    private static Type elementOf(Type array) {
        return array instanceof GenericArrayType generic
                ? generic.getGenericComponentType()
                : ((Class<?>) array).getComponentType();
    }

    private static Type argument(Type type, int index) {
        return type instanceof ParameterizedType parameterized
                ? parameterized.getActualTypeArguments()[index]
                : String.class;
    }

    private static Object array(Class<?> component, List<Object> elements) {
        Object array = Array.newInstance(component, elements.size());
        for (int i = 0; i < elements.size(); i++) {
            Array.set(array, i, elements.get(i));
        }
        return array;
    }

    private static Map<Object, Object> map(List<Object> keys, List<Object> values) {
        Map<Object, Object> map = new HashMap<>();
        keys.forEach(key -> values.forEach(value -> map.putIfAbsent(key, value)));
        return map;
    }
}

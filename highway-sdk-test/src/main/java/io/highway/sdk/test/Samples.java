// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Builds a value of any type, with a value in each of its fields. Not thread-safe. */
final class Samples {

    @SuppressWarnings("JavaUtilDate") // interfaces have it
    private static final List<Object> KNOWN = List.of(
            "text",
            (byte) 7,
            (short) 7,
            7,
            7L,
            1.5f,
            1.5d,
            'x',
            true,
            new BigDecimal("1.50"),
            BigInteger.TEN,
            Instant.ofEpochSecond(7, 123_456_789),
            LocalDate.of(2026, 2, 28),
            LocalTime.of(7, 8, 9, 10),
            LocalDateTime.of(2026, 2, 28, 7, 8, 9, 10),
            OffsetDateTime.of(2026, 2, 28, 7, 8, 9, 10, ZoneOffset.ofHours(8)),
            ZonedDateTime.of(2026, 2, 28, 7, 8, 9, 10, ZoneOffset.ofHours(8)),
            Duration.ofMillis(1_500),
            Period.ofDays(7),
            YearMonth.of(2026, 2),
            new Date(1_500),
            new UUID(7, 8),
            URI.create("http://island.test/"),
            Locale.SIMPLIFIED_CHINESE,
            OptionalInt.of(7),
            new IllegalStateException("text"));

    private final List<@Nullable Object> given;
    private final Set<Class<?>> missing = new LinkedHashSet<>();

    /** With the values that are taken before others of their type. */
    Samples(@Nullable Object... given) {
        this.given = Arrays.asList(given);
    }

    boolean hasNull() {
        return given.contains(null);
    }

    /** The types of which none could be built. */
    Set<Class<?>> missing() {
        return missing;
    }

    /** All given values of a type, all constants of an enum, otherwise one that is built. */
    List<Object> of(Type type, Class<?> service) {
        Map<TypeVariable<?>, Type> variables = new HashMap<>();
        bind(service, variables);
        Class<?> raw = raw(type, variables);
        if (raw == Void.class) {
            return List.of();
        }
        List<Object> fitting = given(raw).toList();
        if (fitting.isEmpty() && raw.isEnum()) {
            return List.of(raw.getEnumConstants());
        }
        return fitting.isEmpty()
                ? Stream.ofNullable(build(type, variables, Set.of())).toList()
                : fitting;
    }

    /** Those of a library's container could have elements of other types. */
    private Stream<Object> given(Class<?> raw) {
        boolean isContainer = Differences.isOfLibrary(raw)
                && (Collection.class.isAssignableFrom(raw) || Map.class.isAssignableFrom(raw));
        return isContainer ? Stream.empty() : given.stream().filter(raw::isInstance);
    }

    private static void bind(Type type, Map<TypeVariable<?>, Type> variables) {
        Class<?> raw = raw(type, variables);
        if (type instanceof ParameterizedType parameterized) {
            TypeVariable<?>[] names = raw.getTypeParameters();
            for (int i = 0; i < names.length; i++) {
                Type argument = parameterized.getActualTypeArguments()[i];
                variables.put(names[i], variables.getOrDefault(argument, argument));
            }
        }
        for (Type parent : raw.getGenericInterfaces()) {
            bind(parent, variables);
        }
        if (raw.getGenericSuperclass() != null) {
            bind(raw.getGenericSuperclass(), variables);
        }
    }

    private static Class<?> raw(Type type, Map<TypeVariable<?>, Type> variables) {
        if (type instanceof Class<?> known) {
            return MethodType.methodType(known).wrap().returnType();
        } else if (type instanceof ParameterizedType parameterized) {
            return raw(parameterized.getRawType(), variables);
        } else if (type instanceof GenericArrayType array) {
            return raw(array.getGenericComponentType(), variables).arrayType();
        } else if (type instanceof WildcardType wildcard) {
            return raw(wildcard.getUpperBounds()[0], variables);
        }
        Type bound = variables.get(type);
        return raw(bound != null ? bound : ((TypeVariable<?>) type).getBounds()[0], Map.of());
    }

    /** Null for a type that is being built, and for one that cannot be. */
    private @Nullable Object build(Type type, Map<TypeVariable<?>, Type> outer, Set<Class<?>> building) {
        Map<TypeVariable<?>, Type> variables = new HashMap<>(outer);
        Type actual = outer.getOrDefault(type, type);
        bind(actual, variables);
        Class<?> raw = raw(actual, variables);
        Optional<Object> ready = Stream.concat(given(raw), KNOWN.stream().filter(raw::isInstance))
                .findFirst();
        if (ready.isPresent() || building.contains(raw)) {
            return ready.orElse(null);
        }
        Set<Class<?>> within = new HashSet<>(building);
        within.add(raw);
        if (raw.isEnum()) {
            return Arrays.stream(raw.getEnumConstants())
                    .max(Comparator.comparing(one -> one.getClass() != raw))
                    .orElse(null);
        } else if (raw.isArray()) {
            Class<?> component = raw.getComponentType();
            Type ofElement = actual instanceof GenericArrayType array ? array.getGenericComponentType() : component;
            Object element = build(ofElement, variables, within);
            Object array = Array.newInstance(component, element == null ? 0 : 1);
            if (element != null) {
                Array.set(array, 0, element);
            }
            return array;
        } else if (raw == Optional.class) {
            return Optional.ofNullable(build(argument(actual, 0), variables, within));
        }
        return Differences.isOfLibrary(raw)
                ? container(raw, actual, variables, within)
                : object(raw, variables, within);
    }

    private static Type argument(Type type, int index) {
        return type instanceof ParameterizedType parameterized
                ? parameterized.getActualTypeArguments()[index]
                : String.class;
    }

    @SuppressWarnings("unchecked")
    private @Nullable Object container(
            Class<?> raw, Type type, Map<TypeVariable<?>, Type> variables, Set<Class<?>> within) {
        Object empty = Stream.<Object>of(
                        new ArrayList<>(),
                        new HashSet<>(),
                        new HashMap<>(),
                        new TreeSet<>(),
                        new TreeMap<>(),
                        new ArrayDeque<>())
                .filter(raw::isInstance)
                .findFirst()
                .orElseGet(() -> object(raw, variables, within));
        Object first = empty instanceof Collection || empty instanceof Map
                ? build(argument(type, 0), variables, within)
                : null;
        if (first != null && empty instanceof Collection<?> collection) {
            ((Collection<Object>) collection).add(first);
        } else if (first != null && empty instanceof Map<?, ?> map) {
            Object value = build(argument(type, 1), variables, within);
            if (value != null) {
                ((Map<Object, Object>) map).put(first, value);
            }
        }
        return empty;
    }

    private @Nullable Object object(Class<?> raw, Map<TypeVariable<?>, Type> variables, Set<Class<?>> within) {
        boolean isThrown = Throwable.class.isAssignableFrom(raw);
        List<Constructor<?>> constructors = Modifier.isAbstract(raw.getModifiers())
                ? List.of()
                : Arrays.stream(raw.getDeclaredConstructors())
                        .sorted(Comparator.comparing((Constructor<?> one) -> isThrown
                                        && !List.of(one.getParameterTypes()).contains(String.class))
                                .thenComparing(Constructor::getParameterCount))
                        .toList();
        for (Constructor<?> constructor : constructors) {
            try {
                constructor.setAccessible(true);
                Object built = constructor.newInstance(Arrays.stream(constructor.getGenericParameterTypes())
                        .map(one -> build(one, variables, within))
                        .toArray());
                for (Field field : Differences.fields(raw)) {
                    if ((field.getModifiers() & (Modifier.FINAL | Modifier.TRANSIENT)) == 0
                            && Differences.isEmpty(field.get(built))) {
                        field.set(built, build(field.getGenericType(), variables, within));
                    }
                }
                return built;
            } catch (ReflectiveOperationException | RuntimeException e) {
                // another constructor may do
            }
        }
        missing.add(raw);
        return null;
    }
}

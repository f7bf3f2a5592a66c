// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.route;

import io.highway.sdk.Island;
import io.highway.sdk.IslandKey;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Array;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The annotations of a service's interface, inherited ones included. An annotation of an interface overrides the same
 * one of the interfaces that it extends; two remaining ones that contradict each other are an error.
 *
 * <p>A method that a sub-interface redeclares is the same method, also if the sub-interface binds type parameters:
 * {@code put(String)} overrides {@code put(T)} of {@code Store<T>}, and so does the bridge method {@code put(Object)}.
 */
final class InheritedAnnotations {

    private final Class<?> type;
    private final Map<TypeVariable<?>, Type> typeArguments = new HashMap<>();
    private final Set<Class<?>> interfaces = new LinkedHashSet<>();

    private InheritedAnnotations(Class<?> type) {
        this.type = type;
        collect(type);
    }

    /** An annotation and the interface that declares it. */
    private record Found<A>(Class<?> where, A annotation) {}

    /** The {@code @IslandKey} argument of a method. */
    record Key(int index, String path) {}

    /**
     * One method, whichever interface declares it.
     *
     * @param signatures its parameters, as the interfaces declare them
     */
    record MethodAnnotations(
            String name, List<List<Class<?>>> signatures, @Nullable Island island, @Nullable Key key) {}

    /**
     * The interface's {@code @Island}, declared or inherited; null if there is none.
     *
     * @throws HighwayConfigurationException if it inherits two that contradict each other
     */
    static @Nullable Island ofInterface(Class<?> type) {
        List<Found<Island>> found = new ArrayList<>();
        for (Class<?> each : new InheritedAnnotations(type).interfaces) {
            Island island = each.getDeclaredAnnotation(Island.class);
            if (island != null) {
                found.add(new Found<>(each, island));
            }
        }
        return nearest(found, type.getName(), InheritedAnnotations::text, "Write @Island on " + type.getName());
    }

    /**
     * Every method with an annotation.
     *
     * @throws HighwayConfigurationException if one inherits two that contradict each other
     */
    static List<MethodAnnotations> ofMethods(Class<?> type) {
        return new InheritedAnnotations(type).methods();
    }

    private void collect(Class<?> each) {
        if (!interfaces.add(each)) {
            return;
        }
        for (Type parent : each.getGenericInterfaces()) {
            if (parent instanceof ParameterizedType parameterized) {
                TypeVariable<?>[] variables = ((Class<?>) parameterized.getRawType()).getTypeParameters();
                for (int i = 0; i < variables.length; i++) {
                    typeArguments.put(variables[i], parameterized.getActualTypeArguments()[i]);
                }
            }
            collect(erased(parent));
        }
    }

    private List<MethodAnnotations> methods() {
        Map<String, List<Overrides>> byName = new LinkedHashMap<>();
        for (Class<?> each : interfaces) {
            for (Method method : each.getDeclaredMethods()) {
                if (!Modifier.isStatic(method.getModifiers()) && !Modifier.isPrivate(method.getModifiers())) {
                    add(method, byName.computeIfAbsent(method.getName(), any -> new ArrayList<>()));
                }
            }
        }
        return byName.values().stream()
                .flatMap(Collection::stream)
                .map(this::annotations)
                .filter(method -> method.island() != null || method.key() != null)
                .toList();
    }

    /** Declarations of one method. */
    private record Overrides(Set<List<Class<?>>> signatures, List<Method> declarations) {}

    private void add(Method method, List<Overrides> sameName) {
        Set<List<Class<?>>> signatures = new LinkedHashSet<>();
        List<Method> declarations = new ArrayList<>(List.of(method));
        List<Class<?>> written = List.of(method.getParameterTypes());
        List<Class<?>> filledIn = Arrays.stream(method.getGenericParameterTypes())
                .<Class<?>>map(this::erased)
                .toList();
        signatures.add(written);
        if (filledIn.size() == written.size()) {
            signatures.add(filledIn);
        }
        sameName.removeIf(known -> {
            boolean same = !Collections.disjoint(known.signatures, signatures);
            if (same) {
                signatures.addAll(known.signatures);
                declarations.addAll(known.declarations);
            }
            return same;
        });
        sameName.add(new Overrides(signatures, declarations));
    }

    private MethodAnnotations annotations(Overrides method) {
        String name = method.declarations.get(0).getName();
        List<Found<Island>> islands = new ArrayList<>();
        List<Found<Key>> keys = new ArrayList<>();
        for (Method declaration : method.declarations) {
            Island island = declaration.getAnnotation(Island.class);
            if (island != null) {
                islands.add(new Found<>(declaration.getDeclaringClass(), island));
            }
            Key key = key(declaration);
            if (key != null) {
                keys.add(new Found<>(declaration.getDeclaringClass(), key));
            }
        }
        String where = type.getName() + "#" + name;
        String declare = "Declare the method in " + type.getName() + " with the annotation that applies";
        return new MethodAnnotations(
                name,
                List.copyOf(method.signatures),
                nearest(islands, where, InheritedAnnotations::text, declare),
                nearest(keys, where, key -> "@IslandKey at argument " + (key.index() + 1), declare));
    }

    private static @Nullable Key key(Method method) {
        Key found = null;
        Parameter[] parameters = method.getParameters();
        for (int i = 0; i < parameters.length; i++) {
            IslandKey key = parameters[i].getAnnotation(IslandKey.class);
            if (key != null && found != null) {
                throw new HighwayConfigurationException(
                        method.getDeclaringClass().getName() + "#" + method.getName(),
                        "@IslandKey is on arguments " + (found.index() + 1) + " and " + (i + 1)
                                + ", and a call goes to one island",
                        "Write it on one argument");
            }
            if (key != null) {
                found = new Key(i, key.value());
            }
        }
        return found;
    }

    /** The annotation that no sub-interface overrides. */
    private static <A> @Nullable A nearest(
            List<Found<A>> found, String where, Function<A, String> text, String action) {
        List<Found<A>> nearest = found.stream()
                .filter(one -> found.stream()
                        .noneMatch(other -> other.where != one.where && one.where.isAssignableFrom(other.where)))
                .toList();
        if (nearest.isEmpty()) {
            return null;
        }
        Found<A> first = nearest.get(0);
        for (Found<A> other : nearest) {
            if (!other.annotation.equals(first.annotation)) {
                throw new HighwayConfigurationException(
                        where,
                        "it inherits " + text.apply(first.annotation) + " from " + first.where.getName() + " and "
                                + text.apply(other.annotation) + " from " + other.where.getName(),
                        action);
            }
        }
        return first.annotation;
    }

    private static String text(Annotation annotation) {
        Island island = (Island) annotation;
        return "@Island(\"" + island.value() + "\")"
                + (island.when() == Island.When.ALWAYS
                        ? ""
                        : " with when = " + island.when().name());
    }

    /** The class of a type, with the type variables bound as in the service's interface. */
    private Class<?> erased(Type each) {
        if (each instanceof Class<?> known) {
            return known;
        }
        if (each instanceof ParameterizedType parameterized) {
            return erased(parameterized.getRawType());
        }
        if (each instanceof GenericArrayType array) {
            return Array.newInstance(erased(array.getGenericComponentType()), 0).getClass();
        }
        if (each instanceof TypeVariable<?> variable) {
            Type argument = typeArguments.get(variable);
            return erased(argument != null ? argument : variable.getBounds()[0]);
        }
        return Object.class; // a wildcard; parameters are never one
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.route;

import io.highway.sdk.Island;
import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.IntentSource;
import io.highway.sdk.dubbo.internal.call.CanonicalMethod;
import io.highway.sdk.dubbo.internal.call.DubboCall;
import io.highway.sdk.dubbo.internal.caller.route.InheritedAnnotations.MethodAnnotations;
import io.highway.sdk.internal.Texts;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Invocation;
import org.jspecify.annotations.Nullable;

/**
 * The intents of one interface's methods, from {@code @IslandKey} and {@code @Island}, read once. Immutable.
 *
 * @param isComplete whether every method names its island, so that home needs no provider
 */
record MethodIntents(Class<?> type, Map<String, List<MethodIntent>> byName, boolean isComplete) {

    /**
     * Reads the annotations of {@code type} and of the interfaces that it extends, or returns null if no method has
     * any, so that calls skip the look-up.
     */
    static @Nullable MethodIntents read(Class<?> type) {
        Map<String, List<MethodIntent>> byName = new HashMap<>();
        for (MethodAnnotations method : InheritedAnnotations.ofMethods(type)) {
            for (List<Class<?>> parameters : method.signatures()) {
                byName.computeIfAbsent(method.name(), name -> new ArrayList<>())
                        .add(MethodIntent.of(method, parameters.toArray(Class<?>[]::new)));
            }
        }
        if (byName.isEmpty()) {
            return null;
        }
        boolean complete = Arrays.stream(type.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .allMatch(method -> byName.getOrDefault(method.getName(), List.of()).stream()
                        .anyMatch(intent -> Arrays.equals(intent.parameters, method.getParameterTypes())));
        return new MethodIntents(type, byName, complete);
    }

    /** The intents of all methods, independent of a call's arguments. */
    Stream<Intent> annotated() {
        return byName.values().stream().flatMap(List::stream).flatMap(intent -> Stream.ofNullable(intent.annotated()));
    }

    /**
     * The annotations of the called method, also for generic calls; null if it has none. A generic call that writes an
     * annotated method otherwise asks for an undetermined island.
     */
    @Nullable
    MethodIntent of(Invocation invocation, URL consumerUrl) {
        String name = CanonicalMethod.nameOf(invocation);
        List<MethodIntent> overloads = byName.get(name);
        boolean isGeneric = !name.equals(invocation.getMethodName());
        if (overloads == null && !isGeneric) {
            return null;
        }
        DubboCall call = new DubboCall(invocation, consumerUrl);
        for (MethodIntent overload : overloads == null ? List.<MethodIntent>of() : overloads) {
            if (call.takes(overload.parameters)) {
                return overload;
            }
        }
        return isGeneric && isMisspelled(name, call) ? MethodIntent.misspelled(call) : null;
    }

    /** Whether the name is that of a method with annotations, but for upper case, and no method is written so. */
    private boolean isMisspelled(String name, DubboCall call) {
        return byName.keySet().stream().anyMatch(name::equalsIgnoreCase)
                && Arrays.stream(type.getMethods())
                        .noneMatch(method -> method.getName().equals(name) && call.takes(method.getParameterTypes()));
    }

    /**
     * The annotations of one method.
     *
     * @param keyIndex index of the key argument, or -1
     * @param keyPath property path within it, or null without a key
     * @param annotated the intent of {@code @Island}, or null
     */
    @SuppressWarnings("ArrayRecordComponent") // read for every call, never compared
    record MethodIntent(
            Class<?>[] parameters, int keyIndex, @Nullable PropertyPath keyPath, @Nullable Intent annotated) {

        static MethodIntent of(MethodAnnotations method, Class<?>[] parameters) {
            Island island = method.island();
            InheritedAnnotations.Key key = method.key();
            return new MethodIntent(
                    parameters,
                    key == null ? -1 : key.index(),
                    key == null ? null : new PropertyPath("argument " + (key.index() + 1), key.path()),
                    island == null ? null : Intent.of(IntentSource.METHOD, island.value(), island.when()));
        }

        /** Of a generic call that writes the method or its types otherwise than the interface: it is refused. */
        static MethodIntent misspelled(DubboCall call) {
            String problem = "a generic call writes " + Texts.printable(call.methodName())
                    + " or its types otherwise than " + call.interfaceName()
                    + " does, where a method of that name asks for an island";
            return new MethodIntent(new Class<?>[0], -1, null, Intent.undetermined(IntentSource.METHOD, problem));
        }

        /** The intent of the key argument, or null if the method has none. */
        @Nullable
        Intent key(DubboCall call) {
            if (keyPath == null) {
                return null;
            }
            @Nullable Object[] arguments = call.arguments();
            if (arguments.length != parameters.length) {
                String problem = "a generic call has " + arguments.length + " arguments, and " + call.methodName() + " "
                        + parameters.length;
                return Intent.undetermined(IntentSource.KEY, problem);
            }
            try {
                return Intent.of(IntentSource.KEY, keyPath.read(arguments[keyIndex]));
            } catch (PropertyPath.UnreadableKeyException e) {
                return Intent.undetermined(IntentSource.KEY, e.problem());
            }
        }
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.call;

import io.highway.sdk.dubbo.internal.facts.GenericMethod;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.common.utils.ClassUtils;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.RpcInvocation;
import org.jspecify.annotations.Nullable;

/**
 * The method that a call executes, by names on which caller and provider agree over both protocols:
 *
 * <ol>
 *   <li>{@code $invoke} and {@code $invokeAsync}: the method and types in the arguments, without white space around the
 *       name, as Dubbo's {@code GenericFilter} reads it
 *   <li>a method with a protobuf message or a stream: the name with a lower-case first letter, since Triple accepts
 *       both, and the types that are neither, usually none: one side may use a generated stub, and the other an
 *       interface
 *   <li>every other method: its name and the names of its parameter types
 * </ol>
 *
 * @param name the method
 * @param types the names of its parameter types, or null if a generic call leaves them to the provider
 */
public record CanonicalMethod(String name, @Nullable List<String> types) {

    /** One type in a descriptor. */
    private static final Pattern TYPE = Pattern.compile("\\[*(?:L[^;]*;|[ZBCDFIJSV])");

    private static final Map<String, String> PRIMITIVES = Map.of(
            "Z", "boolean", "B", "byte", "C", "char", "D", "double", "F", "float", "I", "int", "J", "long", "S",
            "short", "V", "void");

    private static final String PROTOBUF_MESSAGE = "com.google.protobuf.Message";

    /** For the process: it is a property of the class, and ends with the class. */
    private static final ClassValue<Boolean> IS_PROTOBUF = new ClassValue<>() {
        @Override
        @SuppressWarnings("unchecked") // the array of no filters
        protected Boolean computeValue(Class<?> type) {
            return type.getName().equals(PROTOBUF_MESSAGE) // by name, since protobuf is optional
                    || ClassUtils.getAllInterfaces(type).stream()
                            .anyMatch(each -> each.getName().equals(PROTOBUF_MESSAGE));
        }
    };

    /** The method that a call executes. */
    public static CanonicalMethod of(Invocation invocation) {
        CanonicalMethod generic = generic(invocation);
        if (generic != null) {
            return generic;
        }
        String name = invocation.getMethodName();
        Class<?>[] parameters = invocation.getParameterTypes();
        if (parameters == null) {
            return new CanonicalMethod(name, named(invocation));
        }
        List<String> types = new ArrayList<>(parameters.length);
        for (Class<?> type : parameters) {
            if (!StreamObserver.class.isAssignableFrom(type) && !IS_PROTOBUF.get(type)) {
                types.add(type.getName());
            }
        }
        boolean isPlain = types.size() == parameters.length;
        return new CanonicalMethod(isPlain ? name : decapitalized(name), types);
    }

    /** The types of a call that is not decoded, by the descriptor that it was sent with. */
    private static List<String> named(Invocation invocation) {
        String descriptor = ((RpcInvocation) invocation).getParameterTypesDesc();
        List<String> types = new ArrayList<>();
        Matcher each = TYPE.matcher(descriptor == null ? "" : descriptor);
        while (each.find()) {
            types.add(className(each.group()));
        }
        return types;
    }

    /** As {@link Class#getName} writes it. */
    private static String className(String descriptor) {
        String primitive = PRIMITIVES.get(descriptor);
        if (primitive != null) {
            return primitive;
        }
        String dotted = descriptor.replace('/', '.');
        return dotted.startsWith("[") ? dotted : dotted.substring(1, dotted.length() - 1);
    }

    /** The called method; of a generic call, the one it names. */
    public static String nameOf(Invocation invocation) {
        CanonicalMethod generic = generic(invocation);
        return generic == null ? invocation.getMethodName() : generic.name;
    }

    /** What a call names in its arguments, decoded or not; null if it is no generic call that names its method. */
    public static @Nullable CanonicalMethod generic(Invocation invocation) {
        if (!isGeneric(invocation)) {
            return null;
        }
        Object[] arguments = invocation.getArguments();
        if (arguments != null && arguments.length > 0 && arguments[0] instanceof String name) {
            return new CanonicalMethod(
                    name.trim(),
                    arguments.length > 1 && arguments[1] instanceof String[] types
                            ? withoutNulls(Arrays.asList(types))
                            : null);
        }
        GenericMethod facts = CallAttributes.get(invocation, GenericMethod.class);
        return facts == null
                ? null
                : new CanonicalMethod(
                        facts.method().trim(), facts.types() == null ? null : withoutNulls(facts.types()));
    }

    /** Whether it is {@code $invoke} or {@code $invokeAsync}. */
    public static boolean isGeneric(Invocation invocation) {
        String method = invocation.getMethodName();
        return CommonConstants.$INVOKE.equals(method) || CommonConstants.$INVOKE_ASYNC.equals(method);
    }

    /** Whether these are the names of the classes, as {@link Class#getName} or Java's sources write them. */
    public static boolean areNamed(Class<?>[] classes, List<String> names) {
        return classes.length == names.size()
                && IntStream.range(0, classes.length)
                        .allMatch(i -> classes[i].getName().equals(names.get(i))
                                || classes[i].getTypeName().equals(names.get(i)));
    }

    private static List<String> withoutNulls(List<@Nullable String> named) {
        return named.stream().map(String::valueOf).toList();
    }

    private static String decapitalized(String name) {
        return name.isEmpty() || !Character.isUpperCase(name.charAt(0))
                ? name
                : Character.toLowerCase(name.charAt(0)) + name.substring(1);
    }
}

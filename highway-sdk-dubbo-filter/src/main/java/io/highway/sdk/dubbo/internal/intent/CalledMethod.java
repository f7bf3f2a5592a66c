// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.intent;

import java.util.ArrayList;
import java.util.List;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.Invocation;
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
public record CalledMethod(String name, @Nullable List<String> types) {

    private static final String PROTOBUF_MESSAGE = "com.google.protobuf.Message";

    /** For the process: it is a property of the class, and ends with the class. */
    private static final ClassValue<Boolean> IS_PROTOBUF = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return isProtobuf(type);
        }
    };

    /** The method that a call executes. */
    public static CalledMethod of(Invocation invocation) {
        Object[] arguments = genericArguments(invocation);
        if (arguments != null) {
            return new CalledMethod(
                    ((String) arguments[0]).trim(),
                    arguments.length > 1 && arguments[1] instanceof String[] named ? withoutNulls(named) : null);
        }
        String name = invocation.getMethodName();
        Class<?>[] parameters = invocation.getParameterTypes();
        if (parameters == null || parameters.length == 0) {
            return new CalledMethod(name, List.of());
        }
        List<String> types = new ArrayList<>(parameters.length);
        for (Class<?> type : parameters) {
            if (!StreamObserver.class.isAssignableFrom(type) && !IS_PROTOBUF.get(type)) {
                types.add(type.getName());
            }
        }
        boolean isPlain = types.size() == parameters.length;
        return new CalledMethod(isPlain ? name : decapitalized(name), types);
    }

    /** The called method; of a generic call, the one it names. */
    public static String nameOf(Invocation invocation) {
        Object[] arguments = genericArguments(invocation);
        return arguments == null ? invocation.getMethodName() : ((String) arguments[0]).trim();
    }

    /** The arguments of a generic call that names its method, or null. */
    private static Object @Nullable [] genericArguments(Invocation invocation) {
        String method = invocation.getMethodName();
        if (!CommonConstants.$INVOKE.equals(method) && !CommonConstants.$INVOKE_ASYNC.equals(method)) {
            return null;
        }
        Object[] arguments = invocation.getArguments();
        return arguments != null && arguments.length > 0 && arguments[0] instanceof String ? arguments : null;
    }

    private static List<String> withoutNulls(String[] named) {
        List<String> types = new ArrayList<>(named.length);
        for (String type : named) {
            types.add(String.valueOf(type));
        }
        return types;
    }

    private static String decapitalized(String name) {
        return name.isEmpty() || !Character.isUpperCase(name.charAt(0))
                ? name
                : Character.toLowerCase(name.charAt(0)) + name.substring(1);
    }

    /** By name, since protobuf is optional. */
    private static boolean isProtobuf(@Nullable Class<?> type) {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            if (each.getName().equals(PROTOBUF_MESSAGE)) {
                return true;
            }
            for (Class<?> implemented : each.getInterfaces()) {
                if (isProtobuf(implemented)) {
                    return true;
                }
            }
        }
        return false;
    }
}

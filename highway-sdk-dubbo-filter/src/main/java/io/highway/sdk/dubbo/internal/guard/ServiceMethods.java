// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.guard;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.utils.ReflectUtils;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.model.MethodDescriptor;
import org.apache.dubbo.rpc.model.ServiceDescriptor;
import org.apache.dubbo.rpc.service.GenericService;
import org.jspecify.annotations.Nullable;

/** Checks whether a service has the called method; callers may have another version of its interface. */
final class ServiceMethods {

    private static final int LONGEST_ANSWER = 500;

    private ServiceMethods() {}

    /** The missing method and the existing ones, or null if the service has the method. */
    static @Nullable String missing(Invoker<?> invoker, Invocation invocation) {
        String missing = whatIsMissing(invoker, invocation);
        if (missing == null) {
            return null;
        }
        return printable(missing);
    }

    /** A text with names that come from the caller, for messages. */
    static String printable(String text) {
        String safe = text.replaceAll("[^ -~]", "?");
        return safe.length() > LONGEST_ANSWER ? safe.substring(0, LONGEST_ANSWER) + "..." : safe;
    }

    private static @Nullable String whatIsMissing(Invoker<?> invoker, Invocation invocation) {
        String method = invocation.getMethodName();
        Object[] arguments = invocation.getArguments();
        boolean isGeneric = (method.equals(CommonConstants.$INVOKE) || method.equals(CommonConstants.$INVOKE_ASYNC))
                && arguments != null
                && arguments.length == 3;
        if (isGeneric && !(arguments[0] instanceof String)) {
            return "the generic call names no method";
        }
        Class<?> service = invoker.getInterface();
        ServiceDescriptor methods = invocation.getServiceModel() == null
                ? null
                : invocation.getServiceModel().getServiceModel();
        if (methods == null || GenericService.class.isAssignableFrom(service)) { // accepts any method
            return null;
        }
        if (isGeneric) {
            String[] types = arguments[1] instanceof String[] named ? named : null;
            return missing(service, methods, ((String) arguments[0]).trim(), types);
        }
        return method.startsWith("$") ? null : missing(service, methods, method, null); // $echo is Dubbo's own
    }

    private static @Nullable String missing(
            Class<?> service, ServiceDescriptor methods, String method, String @Nullable [] types) {
        List<MethodDescriptor> named = methods.getMethods(method);
        if (named == null || named.isEmpty()) {
            boolean known = Arrays.stream(service.getMethods())
                    .anyMatch(any -> any.getName().equalsIgnoreCase(method));
            return known ? null : service.getName() + " has no method " + method;
        }
        return types == null ? null : missing(service, methods, method, named, types);
    }

    /** Looks the method up as Dubbo's {@code GenericFilter} does. */
    private static @Nullable String missing(
            Class<?> service, ServiceDescriptor methods, String method, List<MethodDescriptor> named, String[] types) {
        Class<?>[] classes = new Class<?>[types.length];
        for (int i = 0; i < types.length; i++) {
            try {
                classes[i] = ReflectUtils.name2class(String.valueOf(types[i])); // a caller may send null
            } catch (ClassNotFoundException | LinkageError e) {
                return service.getName() + " has no method " + method + signature(types) + ", for lack of the class "
                        + types[i] + "; it has " + signatures(named);
            }
        }
        return methods.getMethod(method, classes) != null
                ? null
                : service.getName() + " has no method " + method + signature(types) + "; it has " + signatures(named);
    }

    private static String signatures(List<MethodDescriptor> methods) {
        return methods.stream()
                .map(method -> method.getMethodName()
                        + signature(Arrays.stream(method.getParameterClasses())
                                .map(Class::getTypeName)
                                .toArray(String[]::new)))
                .collect(Collectors.joining(", "));
    }

    private static String signature(String[] types) {
        return "(" + String.join(", ", types) + ")";
    }
}

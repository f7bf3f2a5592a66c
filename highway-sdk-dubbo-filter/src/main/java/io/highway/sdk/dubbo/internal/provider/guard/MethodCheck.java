// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import io.highway.sdk.dubbo.internal.call.CanonicalMethod;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.model.MethodDescriptor;
import org.apache.dubbo.rpc.model.ServiceDescriptor;
import org.apache.dubbo.rpc.service.GenericService;
import org.jspecify.annotations.Nullable;

/** Checks whether a service has the called method; callers may have another version of its interface. */
final class MethodCheck {

    private static final int LONGEST_ANSWER = 500;

    private MethodCheck() {}

    /** The missing method and the existing ones, or null if the service has the method. */
    static @Nullable String missing(Invoker<?> invoker, Invocation invocation) {
        String missing = whatIsMissing(invoker, invocation);
        return missing == null ? null : printable(missing);
    }

    /** A text with names that come from the caller, for messages. */
    static String printable(String text) {
        String safe = text.replaceAll("[^ -~]", "?");
        return safe.length() > LONGEST_ANSWER ? safe.substring(0, LONGEST_ANSWER) + "..." : safe;
    }

    private static @Nullable String whatIsMissing(Invoker<?> invoker, Invocation invocation) {
        String method = invocation.getMethodName();
        CanonicalMethod generic = CanonicalMethod.generic(invocation);
        Class<?> service = invoker.getInterface();
        ServiceDescriptor methods = invocation.getServiceModel() == null
                ? null
                : invocation.getServiceModel().getServiceModel();
        if (generic == null && CanonicalMethod.isGeneric(invocation)) {
            return "the generic call names no method";
        }
        if (methods == null || GenericService.class.isAssignableFrom(service)) { // accepts any method
            return null;
        }
        if (generic != null) {
            return missing(service, methods, generic.name(), generic.types());
        }
        return method.startsWith("$") ? null : missing(service, methods, method, null); // $echo is Dubbo's own
    }

    private static @Nullable String missing(
            Class<?> service, ServiceDescriptor methods, String method, @Nullable List<String> types) {
        List<MethodDescriptor> named = methods.getMethods(method);
        if (named == null || named.isEmpty()) {
            boolean known = Arrays.stream(service.getMethods())
                    .anyMatch(any -> any.getName().equalsIgnoreCase(method));
            return known ? null : service.getName() + " has no method " + method;
        }
        return types == null // by the names of the types: a class that the caller names is not looked up
                        || named.stream().anyMatch(each -> CanonicalMethod.areNamed(each.getParameterClasses(), types))
                ? null
                : service.getName() + " has no method " + method + signature(types) + "; it has " + signatures(named);
    }

    private static String signatures(List<MethodDescriptor> methods) {
        return methods.stream()
                .map(method -> method.getMethodName()
                        + signature(Arrays.stream(method.getParameterClasses())
                                .map(Class::getTypeName)
                                .toList()))
                .collect(Collectors.joining(", "));
    }

    private static String signature(List<String> types) {
        return "(" + String.join(", ", types) + ")";
    }
}

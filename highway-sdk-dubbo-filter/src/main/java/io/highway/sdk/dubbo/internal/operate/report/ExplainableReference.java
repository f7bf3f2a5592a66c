// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.report;

import io.highway.sdk.dubbo.HighwayExplain.Call;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.application.RoutedReferences.RoutedReference;
import io.highway.sdk.dubbo.internal.call.DubboCall;
import io.highway.sdk.dubbo.internal.caller.route.IntentResolver;
import io.highway.sdk.dubbo.internal.caller.route.ServiceInterfaceResolver;
import io.highway.sdk.dubbo.internal.policy.Suggestions;
import io.highway.sdk.internal.Texts;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.RpcInvocation;
import org.jspecify.annotations.Nullable;

/** A reference of the application, for explanations of its calls. */
record ExplainableReference(
        String serviceKey, URL url, @Nullable Class<?> type, IntentResolver intents, BooleanSupplier homeHasProviders) {

    /** A call of a reference. */
    record Invoked(String method, DubboCall call) {}

    /** The references that a service's name may mean. */
    static List<ExplainableReference> of(String service, HighwayRuntime runtime) {
        // a reference has an invoker for each registry, and for each of interface and application discovery
        Map<Object, List<RoutedReference<?>>> found = runtime.references().all().stream()
                .filter(reference -> isMeant(service, reference.getUrl()))
                .collect(Collectors.groupingBy(
                        reference -> List.of(
                                reference.getUrl().getServiceKey(),
                                reference.intents().declaredUnconfigured().toList()),
                        LinkedHashMap::new,
                        Collectors.toList()));
        if (found.isEmpty()) {
            List<String> known = runtime.references().all().stream()
                    .map(reference -> reference.getUrl().getServiceKey())
                    .toList();
            throw new IllegalArgumentException("service: this application has no reference of \""
                    + Texts.printable(service) + "\"; write [group/]interface[:version] of one of its "
                    + Set.copyOf(known).size() + " references" + Suggestions.hint(service, known));
        }
        return found.values().stream()
                .map(ExplainableReference::of)
                .sorted(Comparator.comparing(ExplainableReference::serviceKey))
                .toList();
    }

    private static boolean isMeant(String service, URL url) {
        return service.equals(url.getServiceInterface()) || service.equals(url.getServiceKey());
    }

    private static ExplainableReference of(List<RoutedReference<?>> same) {
        RoutedReference<?> first = same.get(0);
        return new ExplainableReference(
                first.getUrl().getServiceKey(),
                first.getUrl(),
                ServiceInterfaceResolver.of(first),
                first.intents(),
                () -> same.stream().anyMatch(RoutedReference::isAvailable));
    }

    /** The calls that may be meant: one for each overload that fits. */
    List<Invoked> calls(Call call) {
        String name = call.method().replaceFirst("\\(.*", "").trim();
        if (type == null) {
            return List.of(new Invoked(call.method(), invocation(name, new Class<?>[0], arguments(call, 0))));
        }
        List<Method> methods = Stream.of(type.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()) && !method.isBridge())
                .toList();
        String types = call.method().contains("(") ? call.method().replace(" ", "") : null;
        Map<String, Invoked> fitting = new LinkedHashMap<>();
        methods.stream()
                .filter(method -> method.getName().equals(name))
                .filter(method -> types == null || types.equals(signature(method)))
                .filter(method -> takes(method, call.arguments()))
                .sorted(Comparator.comparing(ExplainableReference::signature))
                .forEach(method -> fitting.putIfAbsent(
                        signature(method),
                        new Invoked(
                                signature(method),
                                invocation(
                                        name,
                                        method.getParameterTypes(),
                                        arguments(call, method.getParameterCount())))));
        if (fitting.isEmpty()) {
            throw new IllegalArgumentException(noMethod(call, name, methods));
        }
        return List.copyOf(fitting.values());
    }

    private String noMethod(Call call, String name, List<Method> methods) {
        List<String> names =
                methods.stream().map(Method::getName).distinct().sorted().toList();
        String signatures = methods.stream()
                .filter(method -> !names.contains(name) || method.getName().equals(name))
                .map(ExplainableReference::signature)
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
        return "method: " + serviceKey + " has no method \"" + Texts.printable(call.method()) + "\""
                + (call.arguments() == null ? "" : " that takes these arguments") + "; its methods are " + signatures
                + (names.contains(name) ? "" : Suggestions.hint(name, names));
    }

    private static String signature(Method method) {
        return method.getName()
                + Arrays.stream(method.getParameterTypes())
                        .map(Class::getTypeName)
                        .collect(Collectors.joining(",", "(", ")"));
    }

    private static boolean takes(Method method, @Nullable List<@Nullable Object> arguments) {
        if (arguments == null) {
            return true;
        }
        Class<?>[] types = method.getParameterTypes();
        boolean fits = types.length == arguments.size();
        for (int i = 0; fits && i < types.length; i++) {
            Object argument = arguments.get(i);
            fits = argument == null
                    ? !types[i].isPrimitive()
                    : MethodType.methodType(types[i]).wrap().returnType().isInstance(argument);
        }
        return fits;
    }

    private static @Nullable Object[] arguments(Call call, int count) {
        List<@Nullable Object> known = call.arguments();
        return known == null ? new @Nullable Object[count] : known.toArray();
    }

    private DubboCall invocation(String method, Class<?>[] types, @Nullable Object[] arguments) {
        RpcInvocation invocation = new RpcInvocation(
                url.getServiceModel(), method, url.getServiceInterface(), serviceKey, types, arguments);
        return new DubboCall(invocation, url);
    }
}

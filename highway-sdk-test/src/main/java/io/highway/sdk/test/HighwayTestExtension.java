// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import io.highway.sdk.HighwayContext;
import io.highway.sdk.HighwayScope;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.dubbo.rpc.RpcContext;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/** Starts the {@link Islands} of a class and its nested classes; those of a Spring test belong to its context. */
final class HighwayTestExtension
        implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(HighwayTestExtension.class);

    /** The packages of interfaces that are no services. */
    private static final List<String> OF_OTHERS = List.of("org.junit.", "java.", "javax.", "jakarta.", "kotlin.");

    private static final String SPRING = "org.springframework.test.context.junit.jupiter.SpringExtension";

    /** The islands of a method; JUnit would close them with the method. */
    private record Current(Islands islands, HighwayContext context) {}

    /**
     * The islands of a class and its nested classes, which JUnit closes with it, also if its constructor fails; or a nested
     * class without settings, while its tests run.
     */
    @SuppressWarnings("deprecation") // before 5.13 JUnit closes only these
    private record OfClass(Islands islands, Runnable end) implements Store.CloseableResource, AutoCloseable {

        @Override
        public void close() {
            end.run();
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        boolean isSpring = isSpring(context);
        if (isSpring && context.getTestInstance().isEmpty()) {
            return; // it is early for Spring's context
        }
        Islands islands = islands(context);
        Class<?> test = context.getRequiredTestClass();
        if (!isSpring && !annotated(test).equals(test)) {
            islands.enter(context.getUniqueId());
            context.getStore(NAMESPACE).put("nested", new OfClass(islands, islands::leave));
        }
    }

    /** The class itself, or the next one around it, that has settings. */
    private static Class<?> annotated(Class<?> test) {
        return around(test)
                .filter(type -> AnnotationSupport.isAnnotated(type, HighwayTest.class))
                .findFirst()
                .orElseThrow();
    }

    private static Stream<Class<?>> around(Class<?> test) {
        return Stream.iterate(test, Objects::nonNull, Class::getEnclosingClass);
    }

    /** The builder with the settings of an annotation. */
    static Islands.Builder builder(String home, String[] islands, boolean isReal, String[] properties) {
        Islands.Builder builder = Islands.builder().home(home).islands(islands).real(isReal);
        for (String property : properties) {
            int end = property.indexOf('=');
            if (end < 0) {
                throw new IllegalArgumentException(
                        "properties: \"" + property + "\" is not allowed; write key=value, or island:key=value");
            }
            String key = property.substring(0, end);
            int island = key.indexOf(':');
            builder.property(
                    island < 0 ? home : key.substring(0, island),
                    key.substring(island + 1),
                    property.substring(end + 1));
        }
        return builder;
    }

    /** Whether Spring's extension runs the test. */
    private static boolean isSpring(ExtensionContext context) {
        return around(context.getRequiredTestClass())
                .flatMap(type -> AnnotationSupport.findRepeatableAnnotations(type, ExtendWith.class).stream())
                .flatMap(extensions -> Arrays.stream(extensions.value()))
                .anyMatch(extension -> extension.getName().equals(SPRING));
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        Islands islands = islands(context);
        islands.begin(context.getUniqueId());
        // Spring may close its context before the method has ended here
        context.getStore(NAMESPACE).put(Current.class, new Current(islands, HighwayContext.capture()));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Current current = context.getStore(NAMESPACE).get(Current.class, Current.class);
        if (current != null) { // else it could not begin
            current.islands.end(context.getUniqueId());
            RpcContext.removeContext(); // attachments of a call that was not made
            requireClosedScopes(current.context);
            current.islands.verify();
        }
    }

    static void requireClosedScopes(HighwayContext before) {
        if (before.isEmpty() && !HighwayContext.capture().isEmpty()) {
            HighwayScope unused = before.open(); // of the next test
            throw new AssertionError(
                    "a scope is open at the end of the test, and would apply to the next one: close what"
                            + " Highway.to(..).open() returns, such as by try-with-resources");
        }
    }

    /** Starts them for a class, or for its constructor before; a nested class without settings has those around it. */
    private static Islands islands(ExtensionContext context) {
        if (isSpring(context)) {
            Islands islands = SpringExtension.getApplicationContext(context).getBean(Islands.class);
            islands.usedBy(annotated(context.getRequiredTestClass()));
            return islands;
        }
        return context.getStore(NAMESPACE)
                .getOrComputeIfAbsent(
                        annotated(context.getRequiredTestClass()), HighwayTestExtension::start, OfClass.class)
                .islands();
    }

    private static OfClass start(Class<?> annotated) {
        HighwayTest settings =
                AnnotationSupport.findAnnotation(annotated, HighwayTest.class).orElseThrow();
        Islands islands = builder(settings.home(), settings.islands(), settings.real(), settings.properties())
                .start();
        return new OfClass(islands, islands::close);
    }

    /** Parameters with other annotations belong to other extensions, as do JUnit's and Spring's own types. */
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        boolean isService = type.isInterface()
                && !isSpring(context)
                && OF_OTHERS.stream().noneMatch(type.getName()::startsWith)
                && parameter.getParameter().getAnnotations().length == 0;
        return type == Islands.class || isService;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        Islands islands = islands(context);
        return type == Islands.class ? islands : islands.reference(type);
    }
}

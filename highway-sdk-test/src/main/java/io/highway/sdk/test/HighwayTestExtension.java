// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import java.lang.annotation.Annotation;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Starts the {@link Islands} of a class and its nested classes; those of a Spring test belong to its context. */
final class HighwayTestExtension
        implements BeforeAllCallback, AfterAllCallback, BeforeEachCallback, AfterEachCallback, ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(HighwayTestExtension.class);

    /** The test class that the islands end with. */
    private static final String OWNER = "owner";

    HighwayTestExtension() {}

    @Override
    public void beforeAll(ExtensionContext context) {
        if (!isSpring(context)) {
            Islands unused = islands(context);
        }
    }

    private static HighwayTest settings(Class<?> test) {
        return around(test)
                .flatMap(type -> AnnotationSupport.findAnnotation(type, HighwayTest.class).stream())
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
        Class<? extends Annotation> spring = springTest();
        return spring != null
                && around(context.getRequiredTestClass()).anyMatch(type -> AnnotationSupport.isAnnotated(type, spring));
    }

    /** What annotates the annotations of Spring's tests, or null without Spring. */
    private static @Nullable Class<? extends Annotation> springTest() {
        try {
            return Class.forName("org.springframework.test.context.BootstrapWith")
                    .asSubclass(Annotation.class);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (context.getRequiredTestClass().equals(context.getStore(NAMESPACE).get(OWNER))) {
            islands(context).close();
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        islands(context).begin(context.getUniqueId());
    }

    @Override
    public void afterEach(ExtensionContext context) {
        islands(context).end(context.getUniqueId());
        islands(context).verify();
    }

    /** Starts them for a class, or for its constructor before; a nested class has those of the class around it. */
    private static Islands islands(ExtensionContext context) {
        if (isSpring(context)) {
            return SpringIslands.of(context);
        }
        Store store = context.getStore(NAMESPACE);
        if (store.get(OWNER) == null) {
            Class<?> test = context.getRequiredTestClass();
            HighwayTest settings = settings(test);
            store.put(
                    Islands.class,
                    builder(settings.home(), settings.islands(), settings.real(), settings.properties())
                            .start());
            store.put(OWNER, test);
        }
        return store.get(Islands.class, Islands.class);
    }

    /** Parameters with other annotations belong to other extensions, as do JUnit's and Spring's own types. */
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        boolean isService = type.isInterface()
                && !isSpring(context)
                && !type.getName().startsWith("org.junit.")
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

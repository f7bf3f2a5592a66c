// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.intent;

import io.highway.sdk.Island;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.function.Consumer;
import org.apache.dubbo.config.spring.ReferenceBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Every {@code @Island} on the classes of a Spring application's beans, on their fields and on their methods. */
public final class IslandAnnotations {

    private IslandAnnotations() {}

    /**
     * One annotated element.
     *
     * @param element the class, field or method
     * @param island its annotation
     */
    public record Place(AnnotatedElement element, Island island) {

        /** The class, or the class and the member. */
        public String name() {
            return element instanceof Member member
                    ? member.getDeclaringClass().getName() + "." + member.getName()
                    : ((Class<?>) element).getName();
        }

        /** Whether it is a method that returns a {@link ReferenceBean}, as a {@code @Bean} method may. */
        public boolean makesReferences() {
            return element instanceof Method method && ReferenceBean.class.isAssignableFrom(method.getReturnType());
        }
    }

    /** Visits each of them, once per bean. */
    public static void visit(ConfigurableListableBeanFactory beanFactory, Consumer<Place> visitor) {
        for (String name : beanFactory.getBeanDefinitionNames()) {
            Class<?> type = beanFactory.getType(name, false);
            if (type != null && !type.isInterface() && !type.isSynthetic()) {
                visit(ClassUtils.getUserClass(type), visitor);
            }
        }
    }

    private static void visit(Class<?> type, Consumer<Place> visitor) {
        if (type.getName().startsWith("org.springframework.")) {
            return;
        }
        Island ofType = type.getAnnotation(Island.class);
        if (ofType != null) {
            visitor.accept(new Place(type, ofType));
        }
        ReflectionUtils.doWithFields(type, field -> visitElement(field, visitor));
        ReflectionUtils.doWithMethods(type, method -> visitElement(method, visitor), IslandAnnotations::isOfAClass);
    }

    private static void visitElement(AnnotatedElement element, Consumer<Place> visitor) {
        Island island = AnnotatedElementUtils.findMergedAnnotation(element, Island.class);
        if (island != null && AnnotatedElementUtils.isAnnotated(element, Island.class)) {
            visitor.accept(new Place(element, island));
        }
    }

    /**
     * Excludes default methods of service interfaces, whose {@code @Island} is allowed, although they are methods of
     * the bean.
     */
    private static boolean isOfAClass(Method method) {
        return !method.getDeclaringClass().isInterface() && !method.isBridge();
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.route;

import io.highway.sdk.Island;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.dubbo.config.spring.ReferenceBean;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Every {@code @Island} on the classes of a Spring application's beans, on their fields, methods and parameters. */
public final class SpringIslandAnnotations {

    private SpringIslandAnnotations() {}

    /**
     * One annotated element.
     *
     * @param element the class, field, method or parameter
     * @param island its annotation
     * @param isInjected whether it is a parameter for which Spring has chosen the bean
     */
    public record Place(AnnotatedElement element, Island island, boolean isInjected) {

        /** The class, or the class and the member, with the type of the parameter. */
        public String name() {
            if (element instanceof Parameter parameter) {
                return nameOf(parameter.getDeclaringExecutable()) + "("
                        + parameter.getType().getSimpleName() + ")";
            }
            return element instanceof Member member ? nameOf(member) : ((Class<?>) element).getName();
        }

        private static String nameOf(Member member) {
            String type = member.getDeclaringClass().getName();
            return member instanceof Constructor ? type : type + "." + member.getName();
        }

        /** Whether it is a method that returns a {@link ReferenceBean}, as a {@code @Bean} method may. */
        public boolean makesReferences() {
            return element instanceof Method method && ReferenceBean.class.isAssignableFrom(method.getReturnType());
        }
    }

    /** The problem with one of them, if no key is set. */
    public static HighwayConfigurationException unconfigured(String where, Island island) {
        return new HighwayConfigurationException(
                where,
                "it asks for island \"" + island.value()
                        + "\", but no highway.* key is set in Spring's environment or in dubbo.properties",
                "Write highway.island, highway.gateways.dubbo or highway.gateways.triple, and"
                        + " highway.islands.<id>.tunnel=auto (is a profile missing?), or highway.enabled=false to let home"
                        + " serve such calls");
    }

    /** Visits each of them, once per bean. */
    public static void visit(ConfigurableListableBeanFactory beanFactory, Consumer<Place> visitor) {
        for (String name : beanFactory.getBeanDefinitionNames()) {
            Class<?> type = beanFactory.getType(name, false);
            if (type != null && !type.isInterface() && !type.isSynthetic()) {
                Class<?> declared = ClassUtils.getUserClass(type);
                visit(declared, injected(declared, beanFactory.getMergedBeanDefinition(name)), visitor);
            }
        }
    }

    /** @param injected the constructor whose arguments Spring chooses, or null */
    private static void visit(Class<?> type, @Nullable Constructor<?> injected, Consumer<Place> visitor) {
        if (type.getName().startsWith("org.springframework.")) {
            return;
        }
        Island ofType = type.getAnnotation(Island.class);
        if (ofType != null) {
            visitor.accept(new Place(type, ofType, false));
        }
        ReflectionUtils.doWithFields(
                type, field -> visitElement(field, false, visitor), field -> !isCopied(field, injected));
        ReflectionUtils.doWithMethods(
                type, method -> visitMethod(method, visitor), method -> isOfAClass(method) && !isAccessor(method));
        for (Class<?> one = type; one != null; one = one.getSuperclass()) {
            for (Constructor<?> constructor : constructors(one)) {
                visitParameters(constructor, any -> any.equals(injected), visitor);
            }
        }
    }

    private static @Nullable Constructor<?> injected(Class<?> type, BeanDefinition definition) {
        if (definition.getFactoryMethodName() != null
                || definition.hasConstructorArgumentValues()
                || (definition instanceof AbstractBeanDefinition bean && bean.getInstanceSupplier() != null)) {
            return null;
        }
        Constructor<?>[] all = constructors(type);
        return Arrays.stream(all)
                .filter(SpringIslandAnnotations::isAutowired)
                .findFirst()
                .orElseGet(() -> all.length == 1 ? all[0] : BeanUtils.findPrimaryConstructor(type)); // of Kotlin
    }

    /** A record and Lombok have the annotation of the constructor's parameter at the field, too. */
    private static boolean isCopied(Field field, @Nullable Constructor<?> injected) {
        if (injected == null || !Modifier.isFinal(field.getModifiers())) {
            return false;
        }
        Island island = AnnotatedElementUtils.findMergedAnnotation(field, Island.class);
        return island != null
                && Arrays.stream(injected.getParameters())
                        .anyMatch(parameter -> parameter.getType() == field.getType()
                                && island.equals(AnnotatedElementUtils.findMergedAnnotation(parameter, Island.class)));
    }

    private static boolean isAccessor(Method method) {
        RecordComponent[] components = method.getDeclaringClass().getRecordComponents();
        return components != null
                && Arrays.stream(components).anyMatch(component -> method.equals(component.getAccessor()));
    }

    private static Constructor<?>[] constructors(Class<?> type) {
        try {
            return type.getDeclaredConstructors();
        } catch (LinkageError e) {
            return new Constructor<?>[0]; // one has a parameter of an optional library; a @Bean method calls another
        }
    }

    private static void visitMethod(Method method, Consumer<Place> visitor) {
        visitElement(method, false, visitor);
        visitParameters(
                method,
                any -> AnnotatedElementUtils.isAnnotated(any, Bean.class)
                        || (isAutowired(any) && !Modifier.isStatic(any.getModifiers())),
                visitor);
    }

    private static void visitParameters(
            Executable executable, Predicate<Executable> isInjected, Consumer<Place> visitor) {
        for (Parameter parameter : executable.getParameters()) {
            if (parameter.getAnnotations().length > 0) { // of most no more is asked
                visitElement(parameter, isInjected.test(executable), visitor);
            }
        }
    }

    private static boolean isAutowired(Executable element) {
        return AnnotatedElementUtils.isAnnotated(element, Autowired.class)
                || Arrays.stream(element.getAnnotations())
                        .anyMatch(any -> any.annotationType().getName().endsWith(".inject.Inject"));
    }

    private static void visitElement(AnnotatedElement element, boolean isInjected, Consumer<Place> visitor) {
        Island island = AnnotatedElementUtils.findMergedAnnotation(element, Island.class);
        if (island != null && AnnotatedElementUtils.isAnnotated(element, Island.class)) {
            visitor.accept(new Place(element, island, isInjected));
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

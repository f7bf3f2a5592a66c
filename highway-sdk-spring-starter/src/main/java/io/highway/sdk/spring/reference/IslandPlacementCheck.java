// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.reference;

import io.highway.sdk.Island;
import io.highway.sdk.dubbo.policy.HighwayConfigurationException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.apache.dubbo.config.annotation.DubboReference;
import org.apache.dubbo.config.spring.ReferenceBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Fails the start-up where an application wrote {@code @Island} on something that Dubbo never sees, instead of letting
 * its calls stay home in silence.
 */
public final class IslandPlacementCheck implements SmartInitializingSingleton {

    private final ConfigurableListableBeanFactory beanFactory;
    private final ObjectProvider<IslandReferences> references;

    /** Looks at the beans of this factory. */
    public IslandPlacementCheck(
            ConfigurableListableBeanFactory beanFactory, ObjectProvider<IslandReferences> references) {
        this.beanFactory = beanFactory;
        this.references = references;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (IslandReferenceRegistrar.isReadAtBuildTime()) {
            return;
        }
        references.ifAvailable(seen -> {
            for (String name : beanFactory.getBeanDefinitionNames()) {
                Class<?> type = beanFactory.getType(name, false);
                if (type != null && !type.isInterface() && !type.isSynthetic()) {
                    check(ClassUtils.getUserClass(type), seen);
                }
            }
        });
    }

    private static void check(Class<?> type, IslandReferences seen) {
        if (type.getName().startsWith("org.springframework.")) {
            return;
        }
        if (type.isAnnotationPresent(Island.class)) {
            throw misplaced(
                    type.getName(),
                    "it is read from service interfaces, and this is a class",
                    "Write it on the interface of the service, or beside a reference to it");
        }
        ReflectionUtils.doWithFields(type, field -> check(field, seen));
        ReflectionUtils.doWithMethods(type, method -> check(method, seen), IslandPlacementCheck::isOfAClass);
    }

    /** A service's interface may say where each method goes, and a default method of it is a method of the bean. */
    private static boolean isOfAClass(Method method) {
        return !method.getDeclaringClass().isInterface() && !method.isBridge();
    }

    private static void check(Field field, IslandReferences seen) {
        if (AnnotatedElementUtils.isAnnotated(field, Island.class)) {
            require(field, seen, "field");
        }
    }

    private static void check(Method method, IslandReferences seen) {
        boolean makesReferences = ReferenceBean.class.isAssignableFrom(method.getReturnType());
        if (!makesReferences && AnnotatedElementUtils.isAnnotated(method, Island.class)) {
            require(method, seen, "method");
        }
    }

    private static <M extends Member & AnnotatedElement> void require(M member, IslandReferences seen, String kind) {
        if (seen.hasSeen(member)) {
            return;
        }
        String where = member.getDeclaringClass().getName() + "." + member.getName();
        if (!AnnotatedElementUtils.isAnnotated(member, DubboReference.class)) {
            throw misplaced(
                    where,
                    "Dubbo never sees it, because the " + kind + " has no @DubboReference",
                    "Write @DubboReference beside it, or @Island on the service's interface");
        }
        throw misplaced(
                where,
                Modifier.isStatic(member.getModifiers())
                        ? "Dubbo never sees it, because the " + kind + " is static"
                        : "Dubbo made no reference for this " + kind,
                "Write both annotations on an instance field or setter of a Spring bean");
    }

    private static HighwayConfigurationException misplaced(String where, String problem, String action) {
        return new HighwayConfigurationException("@Island on " + where, problem, action);
    }
}

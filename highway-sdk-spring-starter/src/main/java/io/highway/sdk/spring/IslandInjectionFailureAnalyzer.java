// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring;

import io.highway.sdk.Island;
import java.lang.reflect.Constructor;
import java.lang.reflect.Member;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.Order;

/** Says what {@code @Island} chooses from, if Spring finds no bean with it; before Boot's own analyzers. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class IslandInjectionFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable failure, NoSuchBeanDefinitionException cause) {
        InjectionPoint point = null;
        for (Throwable one = failure; one != null && one != cause; one = one.getCause()) {
            point = one instanceof UnsatisfiedDependencyException unsatisfied ? unsatisfied.getInjectionPoint() : point;
        }
        return point == null ? null : analyze(point, cause);
    }

    private static @Nullable FailureAnalysis analyze(InjectionPoint point, NoSuchBeanDefinitionException cause) {
        Island island = islandAt(point);
        if (island == null || cause instanceof NoUniqueBeanDefinitionException) {
            return null; // Boot lists those that were found
        }
        Member member = point.getMember();
        String type = member.getDeclaringClass().getName();
        return new FailureAnalysis(
                "Highway cannot start:\n\n    @Island on "
                        + (member instanceof Constructor ? type : type + "." + member.getName())
                        + "\n\nNo @Bean method that makes a reference has @Island(\"" + island.value()
                        + "\"), and Spring chooses among these. "
                        + cause.getMessage(),
                "Write @DubboReference next to it at a field or setter, or a @Bean method with @DubboReference and the same"
                        + " @Island, letter for letter: Spring compares a placeholder as it is written.",
                cause);
    }

    private static @Nullable Island islandAt(InjectionPoint point) {
        Island direct = point.getAnnotation(Island.class);
        return direct != null
                ? direct
                : AnnotatedElementUtils.findMergedAnnotation(point.getAnnotatedElement(), Island.class);
    }
}

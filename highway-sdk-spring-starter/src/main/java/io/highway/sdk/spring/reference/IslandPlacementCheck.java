// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.reference;

import io.highway.sdk.Island;
import io.highway.sdk.IslandId;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.internal.caller.route.SpringIslandAnnotations;
import io.highway.sdk.internal.Texts;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import org.apache.dubbo.config.annotation.DubboReference;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Fails start-up if {@code @Island} is on an element that Dubbo and Spring ignore, instead of silently serving its calls at
 * home.
 */
public record IslandPlacementCheck(
        ConfigurableListableBeanFactory beanFactory, ObjectProvider<IslandReferences> references)
        implements SmartInitializingSingleton {

    @Override
    public void afterSingletonsInstantiated() {
        if (IslandReferenceRegistrar.isAheadOfTime()) {
            SpringIslandAnnotations.visit(beanFactory, place -> {
                throw misplaced(
                        place.name(),
                        "Spring's ahead-of-time processing generates references without it, so home would serve their calls",
                        "Start without spring.aot.enabled, or name the island of each call by Highway.to(..)");
            });
        }
        references.ifAvailable(seen -> SpringIslandAnnotations.visit(beanFactory, place -> check(place, seen)));
    }

    private static void check(SpringIslandAnnotations.Place place, IslandReferences seen) {
        if (place.element() instanceof Parameter parameter) {
            require(parameter, place);
        }
        if (place.element() instanceof Class<?> type) {
            throw misplaced(
                    type.getName(),
                    "it is read from service interfaces, and this is a class",
                    "Write it on the interface of the service, or on a reference to it");
        }
        if (place.element() instanceof Member member && !place.makesReferences()) {
            require(member, place, seen);
        }
    }

    private static void require(Parameter parameter, SpringIslandAnnotations.Place place) {
        if (!place.isInjected()) {
            throw misplaced(
                    place.name(),
                    "Spring injects nothing there",
                    "Write it on a parameter of a constructor that Spring calls, or of a method with @Bean or"
                            + " @Autowired");
        }
        if (!parameter.isAnnotationPresent(Island.class)) {
            throw misplaced(
                    place.name(),
                    "Spring does not merge the attributes of an annotation that carries it",
                    "Write @Island itself on the parameter");
        }
        if (!IslandId.isValid(place.island().value()) && !place.island().value().contains("${")) {
            throw misplaced(
                    place.name(),
                    Texts.islandProblem("island", place.island().value()),
                    "Write an island's id, such as @Island(\"shanghai\")");
        }
    }

    private static void require(Member member, SpringIslandAnnotations.Place place, IslandReferences seen) {
        if (seen.hasSeen(member)) {
            return;
        }
        String kind = member instanceof Field ? "field" : "method";
        if (!AnnotatedElementUtils.isAnnotated(place.element(), DubboReference.class)) {
            throw misplaced(
                    place.name(),
                    "Dubbo ignores it, because the " + kind + " has no @DubboReference",
                    "Write @DubboReference next to it, or @Island on the service's interface");
        }
        throw misplaced(
                place.name(),
                Modifier.isStatic(member.getModifiers())
                        ? "Dubbo ignores it, because the " + kind + " is static"
                        : "Dubbo made no reference for this " + kind,
                "Write both annotations on an instance field or setter of a Spring bean");
    }

    private static HighwayConfigurationException misplaced(String where, String problem, String action) {
        return new HighwayConfigurationException("@Island on " + where, problem, action);
    }
}

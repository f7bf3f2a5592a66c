// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.reference;

import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.Island;
import io.highway.sdk.IslandId;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.internal.caller.route.IntentResolver;
import io.highway.sdk.dubbo.internal.caller.route.SpringIslandAnnotations;
import io.highway.sdk.internal.Texts;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Member;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.dubbo.config.annotation.DubboReference;
import org.apache.dubbo.config.spring.Constants;
import org.apache.dubbo.config.spring.ReferenceBean;
import org.apache.dubbo.config.spring.reference.ReferenceAttributes;
import org.apache.dubbo.config.spring.reference.ReferenceBeanSupport;
import org.apache.dubbo.config.spring.util.DubboAnnotationUtils;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.type.MethodMetadata;

/**
 * Converts {@code @Island} on a reference to parameters of the reference, before Dubbo looks for an existing equal
 * reference. So two injections of one service with different islands get different references.
 */
public final class IslandReferences implements BeanFactoryAware {

    private static final String DONE = IslandReferences.class.getName();

    private final boolean configured;
    private final Map<Member, String> seen = new ConcurrentHashMap<>();
    private @Nullable ConfigurableListableBeanFactory factory;

    /**
     * Called by {@link IslandReferenceRegistrar}.
     *
     * @param configured whether any {@code highway.*} key is set; otherwise {@code @Island} fails start-up
     */
    public IslandReferences(boolean configured) {
        this.configured = configured;
    }

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        factory = (ConfigurableListableBeanFactory) beanFactory;
    }

    private ConfigurableListableBeanFactory beanFactory() {
        return Objects.requireNonNull(factory, "the bean factory comes first");
    }

    /** That of an application context, which {@link IslandReferenceRegistrar} has registered. */
    static IslandReferences of(BeanFactory beanFactory) {
        return beanFactory.getBean(IslandReferences.class.getName(), IslandReferences.class);
    }

    /**
     * Processes a field or setter with {@code @DubboReference}, directly or by a meta-annotation, after the
     * {@code @Bean} methods, whose references Dubbo may find equal.
     */
    void atInjectionPoint(Member member, Map<String, Object> attributes) {
        atBeanMethods();
        Island island = AnnotatedElementUtils.findMergedAnnotation((AnnotatedElement) member, Island.class);
        if (island != null) {
            seen.put(member, addTo(attributes, island, where(member)));
        }
    }

    /**
     * The attributes of a reference for a bean that is created again, if its placeholder resolves to another island
     * now. Both references are kept, as the bean may be created again with the first island.
     *
     * @return null if the island is the same as for the first such bean
     * @throws HighwayConfigurationException if the reference has an explicit id, which identifies the reference of the
     *     first island
     */
    @Nullable
    Map<String, Object> resolvedAnew(Member member, Map<String, Object> attributes) {
        String first = seen.get(member);
        if (first == null) {
            return null;
        }
        Island island = Objects.requireNonNull(
                AnnotatedElementUtils.findMergedAnnotation((AnnotatedElement) member, Island.class));
        if (!island.value().contains("${")) {
            return null;
        }
        String now = resolve(island.value(), where(member));
        if (now.equals(first)) {
            return null;
        }
        DubboReference reference =
                AnnotatedElementUtils.findMergedAnnotation((AnnotatedElement) member, DubboReference.class);
        if (reference == null || !reference.id().isEmpty()) {
            throw new HighwayConfigurationException(
                    where(member),
                    "\"" + island.value() + "\" named \"" + first + "\" when the application started and names \"" + now
                            + "\" now, and a reference with an id keeps its island",
                    "Remove the id of @DubboReference, or restart the application");
        }
        Map<String, Object> anew = new LinkedHashMap<>(attributes);
        anew.remove(ReferenceAttributes.ID); // the id that Dubbo assigned for the first island
        Map<String, String> parameters = parameters(anew.get(ReferenceAttributes.PARAMETERS));
        parameters.remove(HighwayAttachments.ISLAND);
        anew.put(ReferenceAttributes.PARAMETERS, parameters);
        addTo(anew, island, where(member));
        return anew;
    }

    private static String where(Member member) {
        return "@Island on " + member.getDeclaringClass().getName() + "." + member.getName();
    }

    /** Processes every {@code @Bean @DubboReference} method that Dubbo has read so far. */
    void atBeanMethods() {
        for (String name : beanFactory().getBeanDefinitionNames()) {
            BeanDefinition definition = beanFactory().getBeanDefinition(name);
            if (definition.getAttribute(Constants.REFERENCE_PROPS) instanceof Map<?, ?> props
                    && definition.getAttribute(DONE) == null) {
                addTo(typed(props), definition);
            }
        }
    }

    /** Processes a bean that the application created itself, such as by a {@code ReferenceBeanBuilder}. */
    void atBean(ReferenceBean<?> bean, String name) {
        BeanDefinition definition = beanFactory().getBeanDefinition(name);
        if (definition.hasAttribute(Constants.REFERENCE_PROPS) || islandOf(definition) == null) {
            return;
        }
        Map<String, Object> attributes = bean.getReferenceProps();
        if (attributes == null) { // created by its empty constructor: Dubbo uses the attributes of the definition
            attributes = new LinkedHashMap<>();
            ReferenceBeanSupport.convertReferenceProps(
                    attributes, (Class<?>) definition.getAttribute(ReferenceAttributes.INTERFACE_CLASS));
            definition.setAttribute(Constants.REFERENCE_PROPS, attributes);
        }
        addTo(attributes, definition);
    }

    /** Whether Dubbo creates a reference for this annotated field or method. */
    boolean hasSeen(Member member) {
        return seen.containsKey(member);
    }

    private void addTo(Map<String, Object> attributes, BeanDefinition definition) {
        Island island = islandOf(definition);
        if (island != null) {
            addTo(attributes, island, "@Island on " + IslandReferenceRegistrar.nameOf(definition));
        }
        definition.setAttribute(DONE, true);
    }

    /** That of a {@code @Bean} method. */
    static @Nullable Island islandOf(BeanDefinition definition) {
        MethodMetadata method =
                definition instanceof AnnotatedBeanDefinition annotated ? annotated.getFactoryMethodMetadata() : null;
        MergedAnnotation<Island> island = method == null
                ? MergedAnnotation.missing()
                : method.getAnnotations().get(Island.class);
        return island.isPresent() ? island.synthesize() : null;
    }

    /** Returns the island's id. */
    private String addTo(Map<String, Object> attributes, Island island, String where) {
        if (!configured) {
            throw SpringIslandAnnotations.unconfigured(where, island);
        }
        String id = resolve(island.value(), where);
        if (!IslandId.isValid(id)) {
            throw new HighwayConfigurationException(
                    where, Texts.islandProblem("island", id), "Write an island's id, such as @Island(\"shanghai\")");
        }
        Map<String, String> parameters = parameters(attributes.get(ReferenceAttributes.PARAMETERS));
        String other = parameters.put(HighwayAttachments.ISLAND, id);
        if (other != null && !other.equals(id)) {
            throw new HighwayConfigurationException(
                    where,
                    "it names \"" + id + "\", and the reference's parameter " + HighwayAttachments.ISLAND + " \""
                            + other + "\"",
                    "Write one of them");
        }
        if (island.when() == Island.When.HOME_ABSENT) {
            parameters.put(IntentResolver.WHEN_PARAMETER, island.when().toString());
        }
        attributes.put(
                ReferenceAttributes.PARAMETERS,
                attributes.get(ReferenceAttributes.PARAMETERS) instanceof Map ? parameters : pairs(parameters));
        return id;
    }

    private String resolve(String value, String where) {
        String resolved = "${";
        try {
            resolved = Objects.requireNonNullElse(beanFactory().resolveEmbeddedValue(value), "");
        } catch (IllegalArgumentException e) {
            // the same problem as a placeholder that Spring leaves unresolved
        }
        if (resolved.contains("${")) {
            throw new HighwayConfigurationException(
                    where, "nothing resolves \"" + value + "\"", "Set the property, or write an island's id");
        }
        return resolved;
    }

    /** The parameters: an annotation contains pairs of text, a builder a map. */
    private static Map<String, String> parameters(@Nullable Object written) {
        Map<String, String> parameters = new LinkedHashMap<>();
        if (written instanceof String[] pairs) {
            parameters.putAll(DubboAnnotationUtils.convertParameters(pairs));
        } else if (written instanceof Map<?, ?> map) {
            map.forEach((key, value) -> parameters.put(String.valueOf(key), String.valueOf(value)));
        }
        return parameters;
    }

    private static String[] pairs(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .flatMap(entry -> Stream.of(entry.getKey(), entry.getValue()))
                .toArray(String[]::new);
    }

    @SuppressWarnings("unchecked") // Dubbo's own map, of attribute names
    private static Map<String, Object> typed(Map<?, ?> props) {
        return (Map<String, Object>) props;
    }
}

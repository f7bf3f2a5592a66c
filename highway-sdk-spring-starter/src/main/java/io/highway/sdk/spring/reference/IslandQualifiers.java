// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.reference;

import io.highway.sdk.Island;
import java.util.Set;
import org.springframework.beans.factory.annotation.CustomAutowireConfigurer;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Lets {@code @Island} on an injected parameter choose the reference of the {@code @Bean} method with the same annotation.
 *
 * <p>Spring itself would also compare it with the annotation of a bean's type. That may be the service's interface, whose
 * island is not the one of a reference that names another island. So each such bean gets what Spring compares first.
 */
public final class IslandQualifiers implements BeanFactoryPostProcessor {

    /** No island has this id. */
    private static final String NONE = "no island";

    /** Called by the auto-configuration. */
    public IslandQualifiers() {}

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
        CustomAutowireConfigurer configurer = new CustomAutowireConfigurer();
        configurer.setCustomQualifierTypes(Set.of(Island.class));
        configurer.postProcessBeanFactory(beanFactory);
        for (String name : beanFactory.getBeanDefinitionNames()) {
            if (beanFactory.getBeanDefinition(name) instanceof AbstractBeanDefinition bean) {
                Island own = IslandReferences.islandOf(bean);
                if (own != null) {
                    qualify(bean, own.value(), own.when());
                } else if (isOfItsType(beanFactory, name)) {
                    qualifyAsNone(bean);
                }
            }
        }
    }

    /**
     * No parameter chooses a reference that Dubbo finds at a field or setter, also when it creates beans later.
     *
     * @return the name
     */
    static String atInjectionPoint(ConfigurableListableBeanFactory beanFactory, String name) {
        if (beanFactory.containsBeanDefinition(name) // else it is an alias of another reference
                && beanFactory.getBeanDefinition(name) instanceof AbstractBeanDefinition bean) {
            qualifyAsNone(bean);
        }
        return name;
    }

    /** Unless it has one: of a {@code @Bean} method, or from ahead-of-time processing. */
    private static void qualifyAsNone(AbstractBeanDefinition bean) {
        if (!bean.hasQualifier(Island.class.getName())) {
            qualify(bean, NONE, Island.When.ALWAYS);
        }
    }

    private static void qualify(AbstractBeanDefinition bean, String island, Island.When when) {
        AutowireCandidateQualifier qualifier = new AutowireCandidateQualifier(Island.class);
        qualifier.setAttribute("value", island);
        qualifier.setAttribute("when", when);
        bean.addQualifier(qualifier);
    }

    private static boolean isOfItsType(ConfigurableListableBeanFactory beanFactory, String name) {
        Class<?> type = beanFactory.getType(name, false);
        return type != null && AnnotatedElementUtils.hasAnnotation(type, Island.class);
    }
}

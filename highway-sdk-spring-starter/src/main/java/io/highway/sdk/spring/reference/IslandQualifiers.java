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
            qualify(beanFactory, name);
        }
    }

    /** Also for references that Dubbo finds when it creates the beans that use them. */
    static void qualify(ConfigurableListableBeanFactory beanFactory, String name) {
        if (!beanFactory.containsBeanDefinition(name) // but another name of a reference with one
                || !(beanFactory.getBeanDefinition(name) instanceof AbstractBeanDefinition bean)) {
            return;
        }
        Island own = IslandReferences.islandOf(bean);
        if (own == null && !isOfItsType(beanFactory, name)) {
            return;
        }
        AutowireCandidateQualifier qualifier = new AutowireCandidateQualifier(Island.class);
        qualifier.setAttribute("value", own == null ? NONE : own.value());
        qualifier.setAttribute("when", own == null ? Island.When.ALWAYS : own.when());
        bean.addQualifier(qualifier);
    }

    private static boolean isOfItsType(ConfigurableListableBeanFactory beanFactory, String name) {
        Class<?> type = beanFactory.getType(name, false);
        return type != null && AnnotatedElementUtils.hasAnnotation(type, Island.class);
    }
}

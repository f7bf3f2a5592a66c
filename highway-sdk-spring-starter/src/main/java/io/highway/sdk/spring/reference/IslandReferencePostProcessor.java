// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.reference;

import java.lang.reflect.Member;
import java.util.Map;
import org.apache.dubbo.config.spring.ReferenceBean;
import org.apache.dubbo.config.spring.beans.factory.annotation.ReferenceAnnotationBeanPostProcessor;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotationAttributes;

/** Dubbo's reader of {@code @DubboReference}, which also reads {@code @Island} next to it. */
class IslandReferencePostProcessor extends ReferenceAnnotationBeanPostProcessor {

    private IslandReferences islands() {
        return IslandReferences.of(getBeanFactory());
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
        super.postProcessBeanFactory(beanFactory);
        islands().atBeanMethods();
    }

    @Override
    public String registerReferenceBean(
            String propertyName, Class<?> injectedType, Map<String, Object> attributes, Member member) {
        islands().atInjectionPoint(member, attributes); // before Dubbo compares references
        return IslandQualifiers.atInjectionPoint(
                getBeanFactory(), super.registerReferenceBean(propertyName, injectedType, attributes, member));
    }

    /** If a scope creates a bean again, its placeholder may resolve to another island than the first time. */
    @Override
    protected Object doGetInjectedBean(
            AnnotationAttributes attributes,
            Object bean,
            String beanName,
            Class<?> injectedType,
            AnnotatedInjectElement element)
            throws Exception {
        Map<String, Object> anew = islands().resolvedAnew(element.getMember(), attributes);
        if (anew == null) {
            return super.doGetInjectedBean(attributes, bean, beanName, injectedType, element);
        }
        String name = super.registerReferenceBean(element.getPropertyName(), injectedType, anew, element.getMember());
        return getBeanFactory().getBean(IslandQualifiers.atInjectionPoint(getBeanFactory(), name));
    }

    @Override
    public @Nullable Object postProcessBeforeInitialization(Object bean, String name) {
        if (bean instanceof ReferenceBean<?> reference) {
            islands().atBean(reference, name);
        }
        return super.postProcessBeforeInitialization(bean, name);
    }

    /** Dubbo's clears caches, and logs that, of an instance that Spring replaces at each start. */
    @Override
    public void destroy() {
        // the caches end with it
    }
}

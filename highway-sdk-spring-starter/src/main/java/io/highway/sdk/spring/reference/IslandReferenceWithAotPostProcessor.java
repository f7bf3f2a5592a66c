// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.reference;

import org.apache.dubbo.config.spring6.beans.factory.annotation.ReferenceAnnotationWithAotBeanPostProcessor;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.PropertyValues;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;

/** Also generates code ahead of time, if {@code dubbo-config-spring6} provides the generator. */
class IslandReferenceWithAotPostProcessor extends IslandReferencePostProcessor implements BeanRegistrationAotProcessor {

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        return new Generator().processAheadOfTime(bean);
    }

    /** Dubbo's, for the references that this reader has registered. */
    private final class Generator extends ReferenceAnnotationWithAotBeanPostProcessor {

        @Override
        protected AnnotatedInjectionMetadata findInjectionMetadata(
                String beanName, Class<?> type, @Nullable PropertyValues values) {
            return IslandReferenceWithAotPostProcessor.this.findInjectionMetadata(beanName, type, values);
        }
    }
}

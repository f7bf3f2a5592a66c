// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.reference;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import java.util.Map;
import org.apache.dubbo.config.spring.beans.factory.annotation.ReferenceAnnotationBeanPostProcessor;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.core.NativeDetector;
import org.springframework.core.SpringProperties;
import org.springframework.core.type.MethodMetadata;

/**
 * Replaces Dubbo's reader of {@code @DubboReference} by the SDK's. It must happen here, since Dubbo creates an instance
 * right after bean definitions have been registered.
 *
 * @param configured whether there is some key; without, a reference with {@code @Island} fails start-up, and a replaced
 *     reader is accepted
 */
public record IslandReferenceRegistrar(boolean configured) implements BeanDefinitionRegistryPostProcessor {

    private static final String WITH_AOT =
            "org.apache.dubbo.config.spring6.beans.factory.annotation.ReferenceAnnotationWithAotBeanPostProcessor";

    /** The SDK's class by Dubbo's, as text, since one of them may be missing. */
    private static final Map<String, String> OURS = Map.of(
            ReferenceAnnotationBeanPostProcessor.class.getName(),
            "io.highway.sdk.spring.reference.IslandReferencePostProcessor",
            WITH_AOT,
            "io.highway.sdk.spring.reference.IslandReferenceWithAotPostProcessor");

    @Override
    public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
        BeanDefinition reader = reader(registry);
        if (reader == null) {
            if (isAheadOfTime() || !configured) {
                return;
            }
            throw new HighwayConfigurationException(
                    "@Island",
                    "Dubbo's reader of @DubboReference (bean " + ReferenceAnnotationBeanPostProcessor.BEAN_NAME
                            + ") is not in this application context, so nothing would read @Island on a reference",
                    "Add dubbo-spring-boot-starter or @EnableDubbo, or write highway.enabled=false");
        }
        String ours = OURS.get(String.valueOf(reader.getBeanClassName()));
        if (ours == null && !configured) {
            return;
        }
        if (ours == null) {
            throw new HighwayConfigurationException(
                    "@Island",
                    "Dubbo's reader of @DubboReference was replaced by " + nameOf(reader)
                            + ", so nothing would read @Island on a reference",
                    "Remove that replacement, or write highway.enabled=false");
        }
        reader.setBeanClassName(ours);
        registry.registerBeanDefinition(
                IslandReferences.class.getName(),
                BeanDefinitionBuilder.rootBeanDefinition(IslandReferences.class)
                        .setRole(BeanDefinition.ROLE_INFRASTRUCTURE)
                        .addConstructorArgValue(configured)
                        .getBeanDefinition());
    }

    /** Whether references are those that ahead-of-time processing has generated: without what {@code @Island} says. */
    static boolean isAheadOfTime() {
        return NativeDetector.inNativeImage() || SpringProperties.getFlag("spring.aot.enabled");
    }

    private static @Nullable BeanDefinition reader(BeanDefinitionRegistry registry) {
        for (String name : new String[] {ReferenceAnnotationBeanPostProcessor.BEAN_NAME, WITH_AOT}) {
            if (registry.containsBeanDefinition(name)) {
                return registry.getBeanDefinition(name);
            }
        }
        return null;
    }

    /** The {@code @Bean} method, or the class. */
    static String nameOf(BeanDefinition bean) {
        MethodMetadata method =
                bean instanceof AnnotatedBeanDefinition annotated ? annotated.getFactoryMethodMetadata() : null;
        return method == null
                ? String.valueOf(bean.getBeanClassName())
                : method.getDeclaringClassName() + "." + method.getMethodName() + "()";
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
        // only bean definitions are processed
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.entry;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.internal.application.DubboVersionCheck;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.caller.route.SpringIslandAnnotations;
import java.util.Objects;
import org.apache.dubbo.config.spring.context.DubboConfigApplicationListener;
import org.apache.dubbo.config.spring.context.DubboSpringInitContext;
import org.apache.dubbo.config.spring.context.DubboSpringInitCustomizer;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;

/**
 * Fails start-up if {@code @Island} is on a Spring bean and the starter, which reads it, is not active, or no
 * {@code highway.*} key is set: home must not answer its calls because a profile is missing. With
 * {@code highway.enabled=false}, with the starter or without, it is recorded for the warning at start-up. Dubbo's set-up of a
 * Spring context loads it; without Spring it is never loaded.
 */
public final class SpringIslandCheck
        implements DubboSpringInitCustomizer, BeanFactoryAware, SmartInitializingSingleton {

    /** A bean that the starter's auto-configuration declares in every context with Dubbo. */
    private static final String BEAN_OF_THE_STARTER = "springHighway";

    private @Nullable ConfigurableListableBeanFactory factory;

    @Override
    public void customize(DubboSpringInitContext context) {
        String name = SpringIslandCheck.class.getName();
        if (!context.getRegistry().containsBeanDefinition(name)) {
            context.getRegistry()
                    .registerBeanDefinition(
                            name,
                            BeanDefinitionBuilder.rootBeanDefinition(SpringIslandCheck.class)
                                    .setRole(BeanDefinition.ROLE_INFRASTRUCTURE)
                                    .getBeanDefinition());
        }
    }

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        factory = (ConfigurableListableBeanFactory) beanFactory;
    }

    @Override
    public void afterSingletonsInstantiated() {
        ConfigurableListableBeanFactory beans = Objects.requireNonNull(factory);
        boolean isRead = beans.containsLocalBean(BEAN_OF_THE_STARTER);
        if (!isRead || runtime(beans).policyIfEnabled() == null) {
            SpringIslandAnnotations.visit(beans, place -> refuse(place, isRead, runtime(beans)));
        }
    }

    private static HighwayRuntime runtime(ConfigurableListableBeanFactory beans) {
        DubboVersionCheck.require();
        beans.getBean(DubboConfigApplicationListener.class).init(); // it may not have prepared the configuration yet
        return HighwayRuntime.of(beans.getBean(ApplicationModel.class.getName(), ApplicationModel.class));
    }

    private static void refuse(SpringIslandAnnotations.Place place, boolean isRead, HighwayRuntime runtime) {
        if (!runtime.isUnconfigured() && runtime.policyIfEnabled() == null) {
            runtime.warnings().ignored("@Island(\"" + place.island().value() + "\") on " + place.name());
            return;
        }
        if (isRead) {
            throw SpringIslandAnnotations.unconfigured("@Island on " + place.name(), place.island());
        }
        if (place.element() instanceof Class) {
            return;
        }
        throw new HighwayConfigurationException(
                "@Island on " + place.name(),
                "nothing reads it, because the SDK's auto-configuration for Spring Boot is not active, so home would serve"
                        + " calls for island \"" + place.island().value() + "\"",
                "Use highway-sdk-spring-starter and do not exclude HighwayAutoConfiguration; without Spring Boot write the"
                        + " reference's parameter highway-island; or let home serve such calls by highway.enabled=false in"
                        + " dubbo.properties");
    }
}

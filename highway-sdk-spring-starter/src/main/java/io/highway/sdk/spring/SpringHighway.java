// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring;

import io.highway.sdk.IslandResolver;
import io.highway.sdk.dubbo.HighwayCustomizer;
import io.highway.sdk.dubbo.HighwayRouting;
import io.highway.sdk.dubbo.HighwaySetup;
import io.highway.sdk.dubbo.outcome.OutcomeListener;
import io.highway.sdk.dubbo.policy.HighwayConfigurationException;
import io.highway.sdk.spring.reference.IslandReferenceRegistrar;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Hands Spring's side to Dubbo's: the keys of the environment, and beans that resolve business keys, hear outcomes or
 * customize. Beans are asked for when the configuration is read, which is after they could all be made.
 */
final class SpringHighway implements BeanFactoryPostProcessor, SmartInitializingSingleton {

    private final ConfigurableEnvironment environment;
    private @Nullable ConfigurableListableBeanFactory beans;
    private @Nullable ApplicationModel application;

    SpringHighway(ConfigurableEnvironment environment) {
        this.environment = environment;
    }

    /** By its name, as Dubbo registers it: a look-up by type might make beans too early. */
    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
        if (beanFactory.containsBean(ApplicationModel.class.getName())) {
            ApplicationModel bound = beanFactory.getBean(ApplicationModel.class.getName(), ApplicationModel.class);
            HighwayCustomizer customizer = setup -> customize(setup, beanFactory);
            bound.getBeanFactory().registerBean(customizer);
            application = bound;
            beans = beanFactory;
        }
    }

    /** Keys may also stand in Dubbo's config centre; alone there they would come too late for {@code @Island}. */
    @Override
    public void afterSingletonsInstantiated() {
        if (application != null
                && beans != null
                && beans.getBeanNamesForType(IslandReferenceRegistrar.class, true, false).length == 0
                && HighwayRouting.of(application).policyIfEnabled() != null) {
            throw new HighwayConfigurationException(
                    "highway.island",
                    "highway.* keys stand only in Dubbo's config centre, which is read after @Island beside references",
                    "Write highway.island in application.yml, too");
        }
    }

    private void customize(HighwaySetup setup, ConfigurableListableBeanFactory beanFactory) {
        setup.environment(SpringSettings.read(environment));
        beanFactory.getBeanProvider(IslandResolver.class).ifAvailable(setup::islandResolver);
        beanFactory.getBeanProvider(OutcomeListener.class).orderedStream().forEach(setup::outcomeListener);
        beanFactory
                .getBeanProvider(HighwayCustomizer.class)
                .orderedStream()
                .forEach(customizer -> customizer.customize(setup));
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring;

import io.highway.sdk.IslandResolver;
import io.highway.sdk.dubbo.HighwayCustomizer;
import io.highway.sdk.dubbo.HighwaySetup;
import io.highway.sdk.dubbo.outcome.OutcomeListener;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Hands Spring's side to Dubbo's: the keys of the environment, and beans that resolve business keys, hear outcomes or
 * customize. Beans are asked for when the configuration is read, which is after they could all be made.
 */
final class SpringHighway implements BeanFactoryPostProcessor {

    private final ConfigurableEnvironment environment;

    SpringHighway(ConfigurableEnvironment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
        ApplicationModel application =
                beanFactory.getBeanProvider(ApplicationModel.class).getIfAvailable();
        if (application != null) {
            HighwayCustomizer customizer = setup -> customize(setup, beanFactory);
            application.getBeanFactory().registerBean(customizer);
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

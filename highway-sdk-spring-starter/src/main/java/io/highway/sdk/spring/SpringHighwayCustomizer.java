// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring;

import io.highway.sdk.IslandResolver;
import io.highway.sdk.dubbo.GuardListener;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.HighwayCustomizer;
import io.highway.sdk.dubbo.HighwaySetup;
import io.highway.sdk.dubbo.NetworkListener;
import io.highway.sdk.dubbo.OutcomeListener;
import io.highway.sdk.dubbo.ReplayStore;
import io.highway.sdk.dubbo.internal.application.CustomizationCollector;
import io.highway.sdk.dubbo.internal.application.DubboVersionCheck;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import io.highway.sdk.spring.internal.OnHighwayCondition;
import io.highway.sdk.spring.internal.SpringSettings;
import java.util.Objects;
import org.apache.dubbo.config.spring.context.DubboConfigApplicationListener;
import org.apache.dubbo.config.spring.context.event.DubboConfigInitEvent;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Passes Spring's configuration to the SDK: the keys of the environment, and the beans that resolve business keys,
 * receive outcomes, remember signatures or customize.
 *
 * <p>The configuration is read, and those beans are created, as soon as Dubbo has prepared its own, before all other
 * beans. Errors fail start-up there, and a call from another thread during start-up does not wait for Spring.
 */
final class SpringHighwayCustomizer implements BeanFactoryPostProcessor, ApplicationListener<DubboConfigInitEvent> {

    private final ConfigurableEnvironment environment;
    private @Nullable ConfigurableListableBeanFactory beans;

    SpringHighwayCustomizer(ConfigurableEnvironment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
        ApplicationModel application = application(beanFactory);
        if (application != null) {
            HighwayCustomizer customizer = setup -> customize(setup, beanFactory);
            application.getBeanFactory().registerBean(customizer);
            HighwayRuntime.of(application).readAgainIfUnconfigured();
            beans = beanFactory;
        }
    }

    /** Looks up the bean by the name that Dubbo registers: a look-up by type might create beans too early. */
    private static @Nullable ApplicationModel application(ConfigurableListableBeanFactory beanFactory) {
        String name = ApplicationModel.class.getName();
        return beanFactory.containsBean(name) ? beanFactory.getBean(name, ApplicationModel.class) : null;
    }

    @Override
    public void onApplicationEvent(DubboConfigInitEvent event) {
        ConfigurableListableBeanFactory known = beans;
        if (known == null || event.getApplicationContext().getAutowireCapableBeanFactory() != known) {
            return;
        }
        DubboVersionCheck.require();
        known.getBean(DubboConfigApplicationListener.class).init(); // its listener may run after this one
        HighwayRuntime runtime = HighwayRuntime.of(Objects.requireNonNull(application(known)));
        Policy policy = runtime.policyIfEnabled();
        OnHighwayCondition.State state = OnHighwayCondition.state(environment, known.getBeanClassLoader());
        if (runtime.isUnconfigured() && state == OnHighwayCondition.State.ON) { // it began to read before Spring's keys
            throw new HighwayConfigurationException(
                    "highway.island",
                    "another thread has used Dubbo's application without the keys of Spring while Spring started it",
                    "Use Dubbo before Spring starts, or after");
        }
        if (policy != null && state == OnHighwayCondition.State.UNCONFIGURED) {
            throw new HighwayConfigurationException(
                    "highway.island",
                    "highway.* keys are only in Dubbo's config centre or only set by a HighwayCustomizer; both are read"
                            + " after @Island on references",
                    "Write highway.island in application.yml, too");
        }
    }

    private void customize(HighwaySetup setup, ConfigurableListableBeanFactory beanFactory) {
        RawSettings settings = SpringSettings.read(environment);
        ((CustomizationCollector) setup).environment(settings);
        if (OnHighwayCondition.isSwitchedOff(settings)) {
            return;
        }
        beanFactory.getBeanProvider(IslandResolver.class).ifAvailable(setup::islandResolver);
        beanFactory.getBeanProvider(OutcomeListener.class).orderedStream().forEach(setup::outcomeListener);
        beanFactory.getBeanProvider(NetworkListener.class).orderedStream().forEach(setup::networkListener);
        beanFactory.getBeanProvider(ReplayStore.class).ifAvailable(setup::replayStore);
        beanFactory.getBeanProvider(GuardListener.class).orderedStream().forEach(setup::guardListener);
        beanFactory
                .getBeanProvider(HighwayCustomizer.class)
                .orderedStream()
                .forEach(customizer -> customizer.customize(setup));
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.reference;

import io.highway.sdk.dubbo.internal.intent.IslandAnnotations;
import io.highway.sdk.dubbo.internal.runtime.HighwayRuntime;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Records every {@code @Island} of an application with {@code highway.enabled=false}, for the warning at start-up. */
public record IgnoredIslands(ConfigurableListableBeanFactory beanFactory) implements SmartInitializingSingleton {

    @Override
    public void afterSingletonsInstantiated() {
        String application = ApplicationModel.class.getName(); // the name that Dubbo registers
        if (!beanFactory.containsBean(application)) {
            return;
        }
        HighwayRuntime runtime = HighwayRuntime.of(beanFactory.getBean(application, ApplicationModel.class));
        IslandAnnotations.visit(beanFactory, place -> runtime.warnings()
                .ignored("@Island(\"" + place.island().value() + "\") on " + place.name()));
    }
}

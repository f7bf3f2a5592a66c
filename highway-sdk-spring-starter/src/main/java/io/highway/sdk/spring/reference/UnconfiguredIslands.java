// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.reference;

import io.highway.sdk.Island;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.internal.caller.route.IslandAnnotations;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Fails start-up of an application with {@code @Island} and without any {@code highway.*} key: home must not answer its
 * calls because a profile is missing. {@link IslandReferences} fails earlier if Dubbo creates a reference.
 */
public record UnconfiguredIslands(ConfigurableListableBeanFactory beanFactory) implements SmartInitializingSingleton {

    @Override
    public void afterSingletonsInstantiated() {
        IslandAnnotations.visit(beanFactory, place -> {
            throw unconfigured("@Island on " + place.name(), place.island());
        });
    }

    static HighwayConfigurationException unconfigured(String where, Island island) {
        return new HighwayConfigurationException(
                where,
                "it asks for island \"" + island.value()
                        + "\", but no highway.* key is set in Spring's environment or in dubbo.properties",
                "Write highway.island, highway.gateways.dubbo or highway.gateways.triple, and"
                        + " highway.islands.<id>.tunnel=auto (is a profile missing?), or highway.enabled=false to let home"
                        + " serve such calls");
    }
}

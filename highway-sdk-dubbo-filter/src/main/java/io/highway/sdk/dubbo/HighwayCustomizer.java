// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

/**
 * Adds code's say to the configuration of one application: keys, a resolver of business keys, listeners.
 *
 * <p>A bean of the application model's bean factory, registered before the first reference or service, is found there:
 * {@code applicationModel.getBeanFactory().registerBean(customizer)}. With Spring a Spring bean is.
 */
@FunctionalInterface
public interface HighwayCustomizer {

    /**
     * Called when the application's configuration is read: at its first reference or service, by each thread that comes
     * then; what the first of them hears holds.
     */
    void customize(HighwaySetup setup);
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

/**
 * Configures one application programmatically: keys, a resolver of business keys, listeners.
 *
 * <p>Register it in the bean factory of the application model before the first reference or service:
 * {@code applicationModel.getBeanFactory().registerBean(customizer)}. With Spring, declare a Spring bean.
 */
@FunctionalInterface
public interface HighwayCustomizer {

    /**
     * Called when the configuration of the application is read, at its first reference or service. May run concurrently; the
     * first result wins.
     */
    void customize(HighwaySetup setup);
}

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

    /** Called once per application, when its configuration is read: at its first reference or service. */
    void customize(HighwaySetup setup);
}

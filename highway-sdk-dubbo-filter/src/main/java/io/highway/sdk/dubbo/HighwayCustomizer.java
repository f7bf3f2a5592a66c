// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import org.apache.dubbo.common.extension.ExtensionScope;
import org.apache.dubbo.common.extension.SPI;

/**
 * Configures one application programmatically: keys, a resolver of business keys, listeners. All customizers that are
 * found apply, in this order; of several values of one key, the last one is used:
 *
 * <ol>
 *   <li>Dubbo extensions: classes in {@code META-INF/dubbo/io.highway.sdk.dubbo.HighwayCustomizer}, one line
 *       {@code name=class} each. They need no {@code @Activate}. Those that implement
 *       {@link org.apache.dubbo.common.lang.Prioritized} come first, then all others by name. Dubbo creates one instance
 *       per application. A class that cannot be loaded or created fails start-up.
 *   <li>beans of the application model, registered before the first reference or service:
 *       {@code applicationModel.getBeanFactory().registerBean(customizer)}
 *   <li>Spring beans
 * </ol>
 */
@FunctionalInterface
@SPI(scope = ExtensionScope.APPLICATION)
public interface HighwayCustomizer {

    /**
     * Called when the configuration of the application is read, at its first reference or service. May run concurrently;
     * the first result wins. An exception fails start-up.
     *
     * @param setup takes what is configured
     */
    void customize(HighwaySetup setup);
}

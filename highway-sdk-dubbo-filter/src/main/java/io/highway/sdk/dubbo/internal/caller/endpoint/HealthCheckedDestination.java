// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.endpoint;

import io.highway.sdk.dubbo.internal.network.compression.EncodingSelector;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy;
import org.apache.dubbo.common.BaseServiceMetadata;
import org.jspecify.annotations.Nullable;

/**
 * A destination as its health checks see it.
 *
 * @param policy that of the destination
 * @param whole that of all services of the island
 */
record HealthCheckedDestination(
        String island, IslandPolicy policy, IslandPolicy whole, EncodingSelector encodings, IslandUsage use) {

    /** Whether calls of an interface use the destination. */
    boolean serves(String interfaceName) {
        return whole.of(interfaceName).services().equals(policy.services());
    }

    /** The service to call, if it is served here the configured one; null until a call named one. */
    @Nullable
    String service(@Nullable String configuredService) {
        return configuredService != null && serves(BaseServiceMetadata.interfaceFromServiceKey(configuredService))
                ? configuredService
                : use.service();
    }
}

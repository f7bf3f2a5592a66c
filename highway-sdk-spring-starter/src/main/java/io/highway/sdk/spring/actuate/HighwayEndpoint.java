// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.ops.LastOutcomes;
import io.highway.sdk.dubbo.ops.Reports;
import io.highway.sdk.dubbo.policy.Policy;
import io.highway.sdk.dubbo.runtime.HighwayRuntime;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** {@code /actuator/highway}: what holds, where each value comes from, and how it goes. Secrets are never among it. */
@Endpoint(id = "highway")
public class HighwayEndpoint {

    private final HighwayRuntime routing;
    private final LastOutcomes lastOutcomes;

    /** For the application that {@code routing} belongs to. */
    public HighwayEndpoint(HighwayRuntime routing, LastOutcomes lastOutcomes) {
        this.routing = routing;
        this.lastOutcomes = lastOutcomes;
    }

    /** The report of this moment; null, and so an empty answer, while the highway is off. */
    @ReadOperation
    public @Nullable HighwayReport highway() {
        Policy policy = routing.policyIfEnabled();
        return policy == null ? null : Reports.of(routing, policy, lastOutcomes);
    }
}

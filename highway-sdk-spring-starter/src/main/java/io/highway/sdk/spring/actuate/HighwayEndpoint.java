// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.operate.report.PlainValues;
import io.highway.sdk.dubbo.internal.operate.report.ReportBuilder;
import io.highway.sdk.dubbo.internal.policy.Policy;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * {@code /actuator/highway}: the active settings with the origin of each value, and the current state, without
 * secrets.
 */
@Endpoint(id = "highway")
record HighwayEndpoint(HighwayRuntime runtime) {

    /** The current report; null, and so an empty answer, while the highway is off. */
    @ReadOperation
    public @Nullable Map<?, ?> highway() {
        Policy policy = runtime.policyIfEnabled();
        return policy == null ? null : (Map<?, ?>) PlainValues.of(ReportBuilder.of(runtime, policy));
    }
}

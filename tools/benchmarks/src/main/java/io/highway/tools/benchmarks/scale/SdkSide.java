// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.scale;

import io.highway.sdk.dubbo.HighwayReport.Gateway.State;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.tools.fixtures.time.Waiting;
import java.time.Duration;
import java.util.Objects;
import org.apache.dubbo.rpc.model.ApplicationModel;

/** What a caller process asks the SDK; loaded only where there is one. */
final class SdkSide {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final long LOOK_AGAIN_MILLIS = 10;

    private SdkSide() {}

    /**
     * Waits until every gateway is connected: those that no call has needed yet are connected in the background.
     *
     * @throws IllegalStateException if one is not for too long
     */
    static void awaitGateways(ApplicationModel application) {
        HighwayRuntime runtime = HighwayRuntime.of(application);
        Policy policy = Objects.requireNonNull(runtime.policyIfEnabled(), "the SDK is off");
        boolean connected = Waiting.until(PATIENCE, LOOK_AGAIN_MILLIS, () -> policy.gateways().stream()
                .allMatch(address -> runtime.gatewayState(address).state() == State.UP));
        if (!connected) {
            throw new IllegalStateException("not all gateways are connected: " + policy.gateways());
        }
    }
}

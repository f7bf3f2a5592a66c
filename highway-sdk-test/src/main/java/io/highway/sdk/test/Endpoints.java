// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import io.highway.sdk.dubbo.HighwayReport.Endpoint.State;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.caller.endpoint.GatewayEndpoint;
import io.highway.sdk.dubbo.internal.evidence.Failure;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** The gateways of islands as the application at home sees them. Thread-safe. */
record Endpoints(HighwayRuntime runtime) {

    /** The longest wait for connections, milliseconds: an attempt to connect may take three seconds, and be repeated. */
    private static final long CONNECT_MILLIS = 10_000;

    /** After as many failed calls in a row a breaker is open, whatever came before. */
    private static final int MOST_CALLS = 100;

    /** Opens the breakers of the gateways of an island. */
    void openBreakers(String island) {
        for (GatewayEndpoint endpoint : endpoints(island)) {
            for (int i = 0; i < MOST_CALLS && endpoint.status() != State.OPEN; i++) {
                endpoint.failed(
                        endpoint.trial(),
                        runtime.clock().getAsLong(),
                        "a call",
                        Failure.maybeRun(Reason.GATEWAY_ERROR, "opened by the test"));
            }
            if (endpoint.status() != State.OPEN && endpoint.status() != State.DOWN) {
                throw new IllegalStateException("breakerOpen() needs a failure rate; set highway.islands." + island
                        + ".breaker.failure-rate to a number");
            }
        }
    }

    private List<GatewayEndpoint> endpoints(String island) {
        return Stream.ofNullable(runtime.policyIfEnabled())
                .flatMap(any -> Stream.ofNullable(runtime.destinations().of(island))) // home has none
                .flatMap(of -> of.withServices().stream())
                .flatMap(part -> Stream.of(part, part.of(TrafficClass.BULK)))
                .flatMap(part -> part.endpoints().stream())
                .distinct()
                .toList();
    }

    private static boolean isUp(GatewayEndpoint endpoint) {
        return endpoint.connection().isUp();
    }

    /** HTTP is up without a connection, until a call cannot open one; an idle one would lose the next call. */
    private static boolean isClosed(GatewayEndpoint endpoint) {
        return endpoint.address().kind() == TunnelKind.HTTP
                && !endpoint.connection().opener().isInUse();
    }

    /** Waits until the application knows that the gateways of an island are down, or are not. */
    void awaitConnected(String island, boolean isConnected) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CONNECT_MILLIS);
        while (endpoints(island).stream().anyMatch(one -> isConnected ? !isUp(one) : isUp(one) && !isClosed(one))) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("the gateways of " + island + " are not "
                        + (isConnected ? "connected: " : "disconnected: ")
                        + endpoints(island).stream()
                                .map(one -> one + ": " + one.connection().problem())
                                .toList());
            }
            if (isConnected) {
                runtime.destinations().connections().reconnect();
            }
            LockSupport.parkNanos(1_000_000);
        }
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings in force and the state of every gateway and endpoint at one moment, without secrets.
 *
 * @param home the island this process runs in
 * @param policy the policy's version, or {@code static}
 * @param unknownIslands what happens to calls for islands that are not configured: the value of the key
 * @param maxHops how many islands a chain of calls may cross
 * @param signsWith the key id that route headers are signed with, or null
 * @param accepts the key ids of signatures that are accepted, empty if unsigned calls are
 * @param gateways every gateway address that any destination uses
 * @param islands the configured destinations, by id
 */
public record HighwayReport(
        String home,
        String policy,
        String unknownIslands,
        int maxHops,
        @Nullable String signsWith,
        List<String> accepts,
        List<Gateway> gateways,
        Map<String, Destination> islands) {

    /**
     * One gateway address.
     *
     * @param address {@code host:port}
     * @param kind {@code dubbo} or {@code triple}
     * @param state {@code up}, {@code down}, or {@code unused} until a reference needs it
     * @param problem why it is down, or null
     * @param home whether it is a gateway of home and not of a single destination
     */
    public record Gateway(String address, String kind, String state, @Nullable String problem, boolean home) {}

    /**
     * One destination.
     *
     * @param tunnel the tunnel in use: {@code dubbo}, {@code triple}, or {@code none} while no endpoint accepts calls
     * @param limit the maximum number of calls in flight, or {@code unlimited}
     * @param endpoints the endpoints of the island; empty until a reference needs one
     * @param settings every key of the island with the value in force
     * @param lastOutcome the outcome of the last call, or null if there was none
     */
    public record Destination(
            String tunnel,
            String limit,
            List<EndpointState> endpoints,
            Map<String, Effective> settings,
            @Nullable Last lastOutcome) {}

    /**
     * One endpoint: a gateway address as used for one island.
     *
     * @param gateway {@code host:port}
     * @param kind {@code dubbo} or {@code triple}
     * @param state {@code up}, {@code suspect}, {@code silent}, {@code half-open}, {@code open} or {@code down}
     * @param problem why it is not healthy, or null
     * @param heartbeatMillis round-trip time of the last answered health check, milliseconds, or null
     */
    public record EndpointState(
            String gateway, String kind, String state, @Nullable String problem, @Nullable Long heartbeatMillis) {}

    /**
     * A value in force.
     *
     * @param value as it is written, or the default
     * @param from its key and origin, or {@code default}
     */
    public record Effective(String value, String from) {}

    /**
     * The outcome of a call.
     *
     * @param outcome {@code delivered}, {@code not-sent}, {@code sent-unknown} or {@code refused}
     * @param reason why it was not delivered, or null
     * @param call {@code interface#method}
     * @param tunnel the tunnel of the last attempt, or null
     * @param gateway its address, or null
     * @param servedAtHome whether home served it instead
     * @param millis duration of the tunnelled call, milliseconds
     * @param at when it ended, as ISO-8601 in UTC
     */
    public record Last(
            String outcome,
            @Nullable String reason,
            String call,
            @Nullable String tunnel,
            @Nullable String gateway,
            boolean servedAtHome,
            long millis,
            String at) {}
}

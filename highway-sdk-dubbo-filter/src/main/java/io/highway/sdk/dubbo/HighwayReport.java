// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What holds and how it goes at one moment, in words and without secrets.
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
     * @param home whether it is home's gateway and not one of a single destination's own
     */
    public record Gateway(String address, String kind, String state, @Nullable String problem, boolean home) {}

    /**
     * One destination.
     *
     * @param tunnel what carries its calls now: {@code dubbo}, {@code triple}, or {@code none} while no endpoint takes calls
     * @param limit how many calls may be under way at once, or {@code unlimited}
     * @param endpoints how each gateway address fares towards the island; empty until a reference needs one
     * @param settings every key of the island with the value that holds
     * @param lastOutcome how the last call ended, or null if there was none
     */
    public record Destination(
            String tunnel,
            String limit,
            List<EndpointState> endpoints,
            Map<String, Effective> settings,
            @Nullable Last lastOutcome) {}

    /**
     * How one gateway address fares towards one island.
     *
     * @param gateway {@code host:port}
     * @param kind {@code dubbo} or {@code triple}
     * @param state {@code up}, {@code suspect}, {@code silent}, {@code half-open}, {@code open} or {@code down}
     * @param problem what stands against it, or null
     * @param heartbeatMillis how long the last answered heartbeat took, or null
     */
    public record EndpointState(
            String gateway, String kind, String state, @Nullable String problem, @Nullable Long heartbeatMillis) {}

    /**
     * A value that holds.
     *
     * @param value as it was written, or the default
     * @param from the key and the place it comes from, or {@code default}
     */
    public record Effective(String value, String from) {}

    /**
     * How a call ended.
     *
     * @param outcome {@code delivered}, {@code not-sent}, {@code sent-unknown} or {@code refused}
     * @param reason why it did not simply arrive, or null
     * @param call {@code interface#method}
     * @param tunnel what carried it, or null
     * @param gateway which address, or null
     * @param servedAtHome whether home served it instead
     * @param millis how long its way took
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

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.ops;

import io.highway.sdk.dubbo.HighwayRouting;
import io.highway.sdk.dubbo.lane.Destinations;
import io.highway.sdk.dubbo.lane.Lane;
import io.highway.sdk.dubbo.link.GatewayState;
import io.highway.sdk.dubbo.ops.LastOutcomes.LastOutcome;
import io.highway.sdk.dubbo.outcome.CallOutcome;
import io.highway.sdk.dubbo.policy.GatewayAddress;
import io.highway.sdk.dubbo.policy.HighwayKeys;
import io.highway.sdk.dubbo.policy.IslandPolicy;
import io.highway.sdk.dubbo.policy.Policy;
import io.highway.sdk.dubbo.policy.Settings.Setting;
import io.highway.sdk.dubbo.policy.TunnelKind;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
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

    private static final String HIDDEN = "******";

    /**
     * One destination.
     *
     * @param tunnel what carries its calls now: {@code dubbo}, {@code triple}, or {@code none} while no lane takes calls
     * @param limit how many calls may be under way at once, or {@code unlimited}
     * @param lanes how each gateway address fares towards the island; empty until a reference needs one
     * @param settings every key of the island with the value that holds
     * @param lastOutcome how the last call ended, or null if there was none
     */
    public record Destination(
            String tunnel,
            String limit,
            List<LaneState> lanes,
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
    public record LaneState(
            String gateway, String kind, String state, @Nullable String problem, @Nullable Long heartbeatMillis) {

        static LaneState of(Lane lane) {
            Duration roundTrip = lane.roundTrip();
            return new LaneState(
                    lane.address().hostAndPort(),
                    lane.address().kind().word(),
                    lane.fitness().word(),
                    lane.problem(),
                    roundTrip == null ? null : roundTrip.toMillis());
        }
    }

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
            String at) {

        static @Nullable Last of(@Nullable LastOutcome last) {
            if (last == null) {
                return null;
            }
            CallOutcome ended = last.outcome();
            return new Last(
                    ended.outcome().word(),
                    ended.reason() == null ? null : ended.reason().word(),
                    ended.call(),
                    ended.gateway() == null ? null : ended.gateway().kind().word(),
                    ended.gateway() == null ? null : ended.gateway().hostAndPort(),
                    ended.servedAtHome(),
                    ended.duration().toMillis(),
                    last.at().truncatedTo(ChronoUnit.MILLIS).toString());
        }
    }

    /** Reports on an application whose routing is enabled. */
    public static HighwayReport of(HighwayRouting routing, Policy policy, LastOutcomes last) {
        List<Gateway> gateways = new ArrayList<>();
        for (GatewayAddress address : policy.gateways()) {
            GatewayState state = routing.gatewayState(address);
            gateways.add(new Gateway(
                    address.hostAndPort(),
                    address.kind().word(),
                    state.state().name().toLowerCase(Locale.ROOT),
                    state.problem(),
                    policy.defaults().gateways(address.kind()).contains(address)));
        }
        gateways.sort(Comparator.comparing(Gateway::kind).thenComparing(Gateway::address));
        Map<String, Destination> islands = new TreeMap<>();
        for (String id : policy.knownIslands()) {
            IslandPolicy island = policy.forIsland(id);
            if (island != null) {
                islands.put(id, destination(id, island, routing, policy, last));
            }
        }
        Setting unknown = policy.settings().get(HighwayKeys.PREFIX + "unknown-islands");
        return new HighwayReport(
                policy.home(),
                policy.version(),
                unknown == null ? "refuse" : unknown.value(),
                policy.maxHops(),
                policy.signing().keyId(),
                policy.signing().accept().keySet().stream().sorted().toList(),
                gateways,
                islands);
    }

    private static Destination destination(
            String id, IslandPolicy island, HighwayRouting routing, Policy policy, LastOutcomes last) {
        Destinations open = routing.destinationsIfOpen();
        var reached = open == null ? null : open.of(id);
        TunnelKind taken = reached == null ? null : reached.tunnel();
        return new Destination(
                reached == null ? tunnel(island, routing) : taken == null ? "none" : taken.word(),
                reached == null ? "unlimited" : reached.bulkhead().limit(),
                reached == null
                        ? List.of()
                        : reached.lanes().stream().map(LaneState::of).toList(),
                settings(id, policy),
                Last.of(last.of(id)));
    }

    private static String tunnel(IslandPolicy island, HighwayRouting routing) {
        for (TunnelKind kind : island.tunnels()) {
            for (GatewayAddress address : island.gateways(kind)) {
                if (routing.gatewayState(address).isUp()) {
                    return kind.word();
                }
            }
        }
        return "none";
    }

    private static Map<String, Effective> settings(String id, Policy policy) {
        Map<String, Effective> settings = new TreeMap<>();
        HighwayKeys.ofIsland().forEach((name, builtIn) -> settings.put(name, effective(id, name, builtIn, policy)));
        return settings;
    }

    /** As the parser looks: below the island's id, below {@code defaults}, of gateways home's, else what is built in. */
    private static Effective effective(String id, String name, String builtIn, Policy policy) {
        for (String key : List.of("islands." + id + "." + name, "defaults." + name, name)) {
            Setting setting = policy.settings().get(HighwayKeys.PREFIX + key);
            if (setting != null) {
                String value = name.endsWith("-password") ? HIDDEN : setting.value();
                return new Effective(value, HighwayKeys.PREFIX + key + " (" + setting.origin() + ")");
            }
        }
        return new Effective(builtIn, "default");
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.ops;

import io.highway.sdk.dubbo.HighwayReport;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The values of a {@link HighwayReport}: serialisers read records. */
final class ReportValues {

    private ReportValues() {}

    record Report(
            String home,
            Policy policy,
            String unknownIslands,
            int maxHops,
            Signing signing,
            List<Gateway> gateways,
            Map<String, Set<String>> guardedServices,
            Map<String, String> callerOwners,
            Map<String, Island> islands)
            implements HighwayReport {}

    record PolicyInForce(
            String version,
            @Nullable String hash,
            String state,
            String source,
            String since,
            @Nullable String problem,
            HighwayReport.@Nullable Refusal refusal)
            implements HighwayReport.Policy {}

    record RefusedRule(String version, String key, @Nullable String origin, String reason, String refusedAt)
            implements HighwayReport.Refusal {}

    record SigningKeys(@Nullable String keyId, List<String> acceptedKeyIds, List<String> unusableSecrets)
            implements HighwayReport.Signing {}

    record GatewayState(
            String tunnel,
            String address,
            String host,
            int port,
            boolean secured,
            boolean home,
            String trafficClass,
            String state,
            @Nullable String problem)
            implements HighwayReport.Gateway {}

    record IslandState(
            String tunnel,
            @Nullable Integer maxConcurrent,
            List<HighwayReport.Endpoint> endpoints,
            Map<String, List<HighwayReport.Endpoint>> services,
            HighwayReport.@Nullable Bulk bulk,
            Map<String, HighwayReport.Setting> settings,
            HighwayReport.@Nullable LastOutcome lastOutcome)
            implements HighwayReport.Island {}

    record BulkState(
            String tunnel, @Nullable Integer maxConcurrent, int inFlight, List<HighwayReport.Endpoint> endpoints)
            implements HighwayReport.Bulk {}

    record EndpointState(
            String tunnel, String gateway, String state, @Nullable String problem, @Nullable Long roundTripMillis)
            implements HighwayReport.Endpoint {}

    record SettingInForce(String value, @Nullable String key, String origin) implements HighwayReport.Setting {}

    record Ended(
            String outcome,
            @Nullable String reason,
            String call,
            @Nullable String tunnel,
            @Nullable String gateway,
            boolean servedAtHome,
            long durationMillis,
            String endedAt)
            implements HighwayReport.LastOutcome {}
}

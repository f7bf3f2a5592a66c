// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.ops;

import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.ops.PlainValues.OrElse;
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
            UnknownIslands unknownIslands,
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
            HighwayReport.Policy.State state,
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
            TunnelKind tunnel,
            String address,
            String host,
            int port,
            boolean secured,
            boolean home,
            TrafficClass trafficClass,
            HighwayReport.Gateway.State state,
            @Nullable String problem)
            implements HighwayReport.Gateway {}

    record IslandState(
            @OrElse("none") @Nullable TunnelKind tunnel,
            @Nullable Integer maxConcurrent,
            List<HighwayReport.Endpoint> endpoints,
            Map<String, List<HighwayReport.Endpoint>> services,
            HighwayReport.@Nullable Bulk bulk,
            Map<String, HighwayReport.Setting> settings,
            HighwayReport.@Nullable LastOutcome lastOutcome)
            implements HighwayReport.Island {}

    record BulkState(
            @OrElse("none") @Nullable TunnelKind tunnel,
            @Nullable Integer maxConcurrent,
            int inFlight,
            List<HighwayReport.Endpoint> endpoints)
            implements HighwayReport.Bulk {}

    record EndpointState(
            TunnelKind tunnel,
            String gateway,
            HighwayReport.Endpoint.State state,
            @Nullable String problem,
            @Nullable Long roundTripMillis)
            implements HighwayReport.Endpoint {}

    record SettingInForce(String value, @Nullable String key, String origin) implements HighwayReport.Setting {}

    record Ended(
            Outcome outcome,
            @Nullable Reason reason,
            String call,
            @Nullable TunnelKind tunnel,
            @Nullable String gateway,
            boolean servedAtHome,
            long durationMillis,
            String endedAt)
            implements HighwayReport.LastOutcome {}
}

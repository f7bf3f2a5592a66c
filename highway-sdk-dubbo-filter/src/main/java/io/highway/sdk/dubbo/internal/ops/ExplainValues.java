// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.ops;

import io.highway.sdk.Island;
import io.highway.sdk.dubbo.HighwayExplain;
import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.IntentSource;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TrafficClass;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The values of a {@link HighwayExplain}: serialisers read records. */
final class ExplainValues {

    private ExplainValues() {}

    record Explanation(
            String service,
            String method,
            String policyVersion,
            List<HighwayExplain.Source> sources,
            List<HighwayExplain.Rule> rules,
            HighwayExplain.Decision decision,
            @Nullable String island,
            @Nullable Reason reason,
            String why,
            @Nullable String action,
            List<HighwayReport.Endpoint> endpoints,
            List<HighwayReport.Endpoint> skipped,
            Map<String, String> headers,
            HighwayExplain.@Nullable Limits limits,
            Map<String, HighwayReport.Setting> settings)
            implements HighwayExplain {}

    record SourceAnswer(
            IntentSource source,
            @Nullable String asked,
            Island.@Nullable When when,
            @Nullable String problem,
            boolean chosen)
            implements HighwayExplain.Source {}

    record DecisionRule(int number, String rule, HighwayExplain.Rule.Result result, @Nullable String why)
            implements HighwayExplain.Rule {}

    record CallLimits(
            TrafficClass trafficClass,
            long timeoutMillis,
            int retries,
            int maxRequestBytes,
            @Nullable Integer maxConcurrent,
            int maxWaitMillis,
            boolean fallbackHome)
            implements HighwayExplain.Limits {}
}

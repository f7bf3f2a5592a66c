// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.ops;

import io.highway.sdk.dubbo.HighwayProbe;
import io.highway.sdk.dubbo.TunnelKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values of a {@link HighwayProbe}: serialisers read records. */
final class ProbeValues {

    private ProbeValues() {}

    record Probe(String island, boolean reachable, String service, List<HighwayProbe.Endpoint> endpoints)
            implements HighwayProbe {}

    record ProbedEndpoint(
            TunnelKind tunnel,
            String gateway,
            HighwayProbe.Result result,
            HighwayProbe.@Nullable Hop hop,
            @Nullable String problem,
            boolean reachable,
            @Nullable Long roundTripMillis,
            HighwayProbe.@Nullable Guard guard,
            List<HighwayProbe.Step> steps)
            implements HighwayProbe.Endpoint {}

    record GuardFound(String island, String version, long clockAheadMillis) implements HighwayProbe.Guard {}

    record StepDone(HighwayProbe.Step.Name name, HighwayProbe.Result result, String detail, long millis)
            implements HighwayProbe.Step {}
}

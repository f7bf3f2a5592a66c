// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.report;

import io.highway.sdk.dubbo.HighwayProbe;
import io.highway.sdk.dubbo.HighwayReport;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.dubbo.qos.api.BaseCommand;
import org.apache.dubbo.qos.api.Cmd;
import org.apache.dubbo.qos.api.CommandContext;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/** The QoS command {@code highwayProbe}: {@link HighwayProbe#run} as text, or as JSON with {@code --json}. */
@Cmd(
        name = "highwayProbe",
        summary = "Checks islands end to end, over each of their endpoints, and names the hop that is broken.",
        example = {"highwayProbe", "highwayProbe shanghai", "highwayProbe shanghai --json"})
public record HighwayProbeCommand(FrameworkModel framework) implements BaseCommand {

    @Override
    public String execute(CommandContext context, String @Nullable [] args) {
        return QosArguments.run(framework, context, args, List.of("island"), (application, arguments) -> {
            List<HighwayProbe> probes = HighwayProbe.run(application, islands(arguments));
            if (probes.isEmpty() && HighwayReport.of(application).isEmpty()) {
                return null;
            }
            return arguments.isJson() ? probes : text(probes);
        });
    }

    private static String[] islands(QosArguments arguments) {
        return Stream.concat(arguments.positional().stream(), Stream.ofNullable(arguments.option("island")))
                .toArray(String[]::new);
    }

    private static String text(List<HighwayProbe> probes) {
        if (probes.isEmpty()) {
            return "highway: nothing to probe: no island is configured";
        }
        StringBuilder text = new StringBuilder();
        for (HighwayProbe probe : probes) {
            text.append("island ").append(probe.island()).append(": ").append(summary(probe));
            text.append(" (service ").append(probe.service()).append(")\n");
            for (HighwayProbe.Endpoint endpoint : probe.endpoints()) {
                text.append("  %-6s %-6s %s%n".formatted(endpoint.result(), endpoint.tunnel(), endpoint.gateway()));
                for (HighwayProbe.Step step : endpoint.steps()) {
                    text.append("    %-6s %-10s %5d ms  %s%n"
                            .formatted(step.result(), step.name(), step.millis(), step.detail()));
                }
                if (endpoint.hop() != null) {
                    String hops = endpoint.hops().entrySet().stream()
                            .map(hop -> hop.getKey() + " " + hop.getValue())
                            .collect(Collectors.joining(", "));
                    text.append("    look at: ")
                            .append(endpoint.hop())
                            .append(" (")
                            .append(hops)
                            .append(")\n");
                }
            }
        }
        return text.toString();
    }

    /** One line without the island's name. */
    static String summary(HighwayProbe probe) {
        if (probe.endpoints().isEmpty()) {
            return "no gateway is configured for it";
        }
        return (probe.reachable() ? "reachable: " : "not reachable: ")
                + probe.endpoints().stream().map(HighwayProbeCommand::summary).collect(Collectors.joining("; "));
    }

    private static String summary(HighwayProbe.Endpoint endpoint) {
        return endpoint.tunnel() + " " + endpoint.gateway() + " " + endpoint.result()
                + (endpoint.problem() != null
                        ? " at " + endpoint.hop() + " (" + endpoint.problem() + ")"
                        : " (" + endpoint.roundTripMillis() + " ms)");
    }
}

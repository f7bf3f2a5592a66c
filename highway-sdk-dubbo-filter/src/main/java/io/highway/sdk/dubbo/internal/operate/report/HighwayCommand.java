// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.report;

import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.TrafficClass;
import io.highway.sdk.dubbo.TunnelKind;
import java.util.List;
import java.util.Map;
import org.apache.dubbo.qos.api.BaseCommand;
import org.apache.dubbo.qos.api.Cmd;
import org.apache.dubbo.qos.api.CommandContext;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/** The QoS command {@code highway}: the active policy, and the state of gateways and islands, the guarded services. */
@Cmd(
        name = "highway",
        summary = "Active policy, state of gateways, islands and endpoints.",
        example = {"highway", "highway --json"})
public record HighwayCommand(FrameworkModel framework) implements BaseCommand {

    @Override
    public String execute(CommandContext context, String @Nullable [] args) {
        return QosArguments.run(framework, context, args, List.of(), (application, arguments) -> {
            HighwayReport report = HighwayReport.of(application).orElse(null);
            return report == null || arguments.isJson() ? report : text(report);
        });
    }

    private static String text(HighwayReport report) {
        TextTable gateways = new TextTable("GATEWAY", "TUNNEL", "TLS", "STATE", "PROBLEM");
        report.gateways()
                .forEach(gateway -> gateways.row(
                        gateway.address(),
                        gateway.tunnel() + suffix(gateway.trafficClass()),
                        gateway.secured() ? "yes" : "no",
                        gateway.state(),
                        gateway.problem()));
        TextTable islands = new TextTable("ISLAND", "IN USE", "TUNNEL", "ENDPOINT", "STATE", "RTT MS", "PROBLEM");
        TextTable calls = new TextTable("ISLAND", "LAST CALL", "OUTCOME", "REASON", "GATEWAY", "ENDED AT");
        report.islands().forEach((id, island) -> {
            if (island.endpoints().isEmpty() && island.services().isEmpty()) {
                islands.row(id, inUse(island.tunnel()), null, null, "unused", null, null);
            }
            addTo(islands, id, inUse(island.tunnel()), island.endpoints());
            island.services()
                    .forEach((pattern, endpoints) -> addTo(islands, id + " (" + pattern + ")", null, endpoints));
            HighwayReport.Bulk bulk = island.bulk();
            if (bulk != null) {
                addTo(islands, id + suffix(TrafficClass.BULK), inUse(bulk.tunnel()), bulk.endpoints());
            }
            HighwayReport.LastOutcome last = island.lastOutcome();
            if (last != null) {
                calls.row(id, last.call(), last.outcome(), last.reason(), last.gateway(), last.endedAt());
            }
        });
        TextTable services = new TextTable("SERVICE", "GUARDED ON");
        report.guardedServices().forEach((service, protocols) -> services.row(service, String.join(", ", protocols)));
        TextTable owners = new TextTable("CALLER", "OWNER");
        report.callerOwners().forEach(owners::row);
        return tables(
                "home " + report.home() + ", max hops " + report.maxHops() + System.lineSeparator()
                        + policy(report.policy()),
                List.of(gateways, islands, calls, services, owners));
    }

    private static void addTo(
            TextTable islands, String name, @Nullable String tunnel, List<HighwayReport.Endpoint> endpoints) {
        endpoints.forEach(endpoint -> islands.row(
                name,
                tunnel,
                endpoint.tunnel(),
                endpoint.gateway(),
                endpoint.state(),
                endpoint.roundTripMillis(),
                endpoint.problem()));
    }

    private static String inUse(@Nullable TunnelKind tunnel) {
        return tunnel == null ? "none" : tunnel.word();
    }

    private static String suffix(TrafficClass trafficClass) {
        return trafficClass == TrafficClass.INTERACTIVE ? "" : " (" + trafficClass + ")";
    }

    private static String policy(HighwayReport.Policy policy) {
        String line = System.lineSeparator();
        HighwayReport.Refusal refused = policy.refusal();
        return "policy " + policy.version() + " (" + policy.state() + "), source " + policy.source() + ", since "
                + policy.since()
                + (policy.hash() == null ? "" : ", hash " + policy.hash())
                + (policy.problem() == null ? "" : line + "problem: " + policy.problem())
                + (refused == null
                        ? ""
                        : line + "last refusal: version " + refused.version() + ", " + refused.key()
                                + (refused.origin() == null ? "" : " (" + refused.origin() + ")") + ": "
                                + refused.reason());
    }

    /** A heading, and the tables that are not empty. */
    static String tables(String heading, List<TextTable> tables) {
        StringBuilder text = new StringBuilder(heading).append(System.lineSeparator());
        tables.stream().filter(table -> !table.isEmpty()).forEach(table -> text.append(System.lineSeparator())
                .append(table));
        return text.toString();
    }

    /** A table of names and values. */
    static TextTable table(String name, String value, Map<String, ?> rows) {
        TextTable table = new TextTable(name, value);
        rows.forEach(table::row);
        return table;
    }
}

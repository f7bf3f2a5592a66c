// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.provider;

import io.highway.tools.conformance.service.Desk;
import io.highway.tools.conformance.service.Grouped;
import io.highway.tools.conformance.service.Ledger;
import io.highway.tools.conformance.service.Streams;
import io.highway.tools.conformance.service.billing.Bills;
import io.highway.tools.processes.DubboProvider;

/**
 * The provider of one island, as plain Dubbo: it has to run in every version of Dubbo that the kit starts, and without the SDK
 * on its class path. Where the SDK is there, {@code -Dhighway.island=<id>} is all it needs.
 */
public final class ProviderProcess {

    /** More than any case has in flight; Dubbo's default is to refuse calls beyond 200 threads. */
    private static final int QUEUE = 20_000;

    private ProviderProcess() {}

    /**
     * Arguments: the island, the port for the Dubbo protocol and the one for Triple; with a fourth it is the island's second
     * application.
     */
    public static void main(String[] arguments) {
        String island = arguments[0];
        Journal journal = new Journal();
        DubboProvider provider = new DubboProvider(island + "-provider", island + ".test")
                .listen("dubbo", arguments[1], protocol -> protocol.setQueues(QUEUE))
                .listen("tri", arguments[2], protocol -> protocol.setQueues(QUEUE));
        provider.application().getBeanFactory().registerBean(journal);
        if (arguments.length > 3) {
            provider.export(Bills.class, (id, text) -> island + " charged " + text);
        } else {
            provider.export(Desk.class, new DeskProvider(island, journal))
                    .export(
                            Streams.class,
                            new StreamsProvider(island, journal),
                            service -> service.setProtocolIds("tri"))
                    .export(Ledger.class, journal, service -> service.setProtocolIds("dubbo"));
            exportGrouped(provider, island, journal, "blue", "1.0.0");
            exportGrouped(provider, island, journal, "green", "2.0.0");
        }
        provider.serve(island);
    }

    private static void exportGrouped(
            DubboProvider provider, String island, Journal journal, String group, String version) {
        Grouped grouped = id -> {
            journal.executed(id);
            return island + " " + group + ":" + version;
        };
        provider.export(Grouped.class, grouped, service -> {
            service.setGroup(group);
            service.setVersion(version);
        });
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.provider;

import io.highway.tools.conformance.service.Desk;
import io.highway.tools.conformance.service.Grouped;
import io.highway.tools.conformance.service.Ledger;
import io.highway.tools.conformance.service.Streams;
import io.highway.tools.conformance.service.billing.Bills;
import io.highway.tools.processes.ChildProcess;
import java.util.List;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;

/**
 * The provider of one island, as plain Dubbo: it has to run in every version of Dubbo that the kit starts, and without the SDK
 * on its class path. Where the SDK is there, {@code -Dhighway.island=<id>} is all it needs.
 */
public final class ProviderProcess {

    /** More than any case has in flight; Dubbo's default is to refuse calls beyond 200 threads. */
    private static final int QUEUE = 20_000;

    private final String island;
    private final Journal journal = new Journal();
    private final DubboBootstrap dubbo = DubboBootstrap.getInstance();

    private ProviderProcess(String island) {
        this.island = island;
    }

    /**
     * Arguments: the island, the port for the Dubbo protocol and the one for Triple; with a fourth it is the island's second
     * application.
     */
    public static void main(String[] arguments) {
        ChildProcess.endWithParent();
        new ProviderProcess(arguments[0]).run(arguments[1], arguments[2], arguments.length > 3);
    }

    private void run(String dubboPort, String triplePort, boolean second) {
        dubbo.getApplicationModel().getBeanFactory().registerBean(journal);
        dubbo.application(island + "-provider")
                .registry(new RegistryConfig("N/A"))
                .protocols(List.of(protocol("dubbo", dubboPort), protocol("tri", triplePort)));
        if (second) {
            export(service(Bills.class, (id, text) -> island + " charged " + text));
        } else {
            exportAll();
        }
        dubbo.start();
        ChildProcess.ready(island);
        dubbo.await();
    }

    private void exportAll() {
        export(service(Desk.class, new DeskProvider(island, journal)));
        exportOver("tri", service(Streams.class, new StreamsProvider(island, journal)));
        exportOver("dubbo", service(Ledger.class, journal));
        exportGrouped("blue", "1.0.0");
        exportGrouped("green", "2.0.0");
    }

    private void exportGrouped(String group, String version) {
        ServiceConfig<Grouped> service = service(Grouped.class, id -> {
            journal.executed(id);
            return island + " " + group + ":" + version;
        });
        service.setGroup(group);
        service.setVersion(version);
        export(service);
    }

    private void exportOver(String protocol, ServiceConfig<?> service) {
        service.setProtocolIds(protocol);
        export(service);
    }

    private void export(ServiceConfig<?> service) {
        dubbo.service(service);
    }

    private static <S> ServiceConfig<S> service(Class<S> type, S provider) {
        ServiceConfig<S> service = new ServiceConfig<>();
        service.setInterface(type);
        service.setRef(provider);
        return service;
    }

    private ProtocolConfig protocol(String name, String port) {
        ProtocolConfig protocol = new ProtocolConfig(name, Integer.parseInt(port));
        protocol.setId(name);
        protocol.setHost(island + ".test");
        protocol.setQueues(QUEUE);
        return protocol;
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.quickstart.provider;

import io.highway.samples.quickstart.service.ArchiveService;
import io.highway.samples.quickstart.service.FileService;
import io.highway.samples.quickstart.service.NewsService;
import io.highway.samples.quickstart.service.SmsService;
import io.highway.samples.quickstart.service.billing.BillService;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.processes.ChildProcess;
import java.util.List;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;

/**
 * The providers of one application of one island, as plain Dubbo. Their only setting about islands is {@code -Dhighway.island=<id>}, so
 * that the SDK's guard knows which calls are meant for them.
 */
public final class Providers {

    private final String island;
    private final String application;
    private final DubboBootstrap dubbo = DubboBootstrap.getInstance();
    private final ProtocolConfig overDubbo;
    private final ProtocolConfig overTriple;

    private Providers(String island, String application, String registry) {
        this.island = island;
        this.application = application;
        this.overDubbo = protocol("dubbo");
        this.overTriple = protocol("tri");
        dubbo.application(island + "-" + application).registry(new RegistryConfig(registry));
        dubbo.protocols(List.of(overDubbo, overTriple));
    }

    /**
     * The arguments are the application's name, {@code providers} or {@code billing}, and the registry's URL, or
     * {@code N/A} for none: gateways find remote providers by address.
     */
    public static void main(String[] arguments) {
        ChildProcess.endWithParent();
        String island = System.getProperty("highway.island", "zhejiang");
        Providers providers = new Providers(island, arguments[0], arguments[1]);
        providers.deploy();
        providers.dubbo.start();
        ChildProcess.ready(providers.overDubbo.getPort() + " " + providers.overTriple.getPort());
        providers.dubbo.await();
    }

    private void deploy() {
        Stamp stamp = new Stamp(island);
        if (application.equals("billing")) {
            export(BillService.class, stamp::on);
            return;
        }
        export(SmsService.class, new SmsProvider(island));
        switch (island) {
            case "shanghai" -> export(FileService.class, stamp::on);
            case "beijing" -> {
                export(ArchiveService.class, stamp::on);
                export(NewsService.class, new NewsProvider(island)).setProtocolIds("tri");
            }
            default -> {
                // home deploys no other services
            }
        }
    }

    private <S> ServiceConfig<S> export(Class<S> type, S provider) {
        ServiceConfig<S> service = new ServiceConfig<>();
        service.setInterface(type);
        service.setRef(provider);
        dubbo.service(service);
        return service;
    }

    private ProtocolConfig protocol(String name) {
        ProtocolConfig protocol = new ProtocolConfig(name, FreePorts.next());
        protocol.setId(name);
        protocol.setHost(island + ".test");
        return protocol;
    }
}

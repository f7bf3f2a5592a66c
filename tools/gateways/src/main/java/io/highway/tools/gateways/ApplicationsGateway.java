// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Home's gateway in front of two applications of one island, by the files {@code applications.*}: Triple by the path, the
 * Dubbo protocol by a port for each application. The reference gateway has one port and chooses by the service.
 */
public final class ApplicationsGateway {

    private final String host;
    private final int smsDubbo = FreePorts.next();
    private final int billingDubbo;
    private final int triple;

    private ApplicationsGateway(
            GatewayKind kind, Processes processes, Path folder, String home, Island sms, Island billing, String service)
            throws IOException {
        this.host = "gateway." + home + ".test:";
        boolean onePort = kind == GatewayKind.REFERENCE;
        this.billingDubbo = onePort ? smsDubbo : FreePorts.next();
        this.triple = onePort ? smsDubbo : FreePorts.next();
        String prefix = service.substring(0, service.lastIndexOf('.') + 1);
        GatewaySetup setup = new GatewaySetup(kind, folder)
                .address("sms.shanghai.test:20880", sms.dubboPort())
                .address("sms.shanghai.test:50051", sms.triplePort())
                .address("billing.shanghai.test:20880", billing.dubboPort())
                .address("billing.shanghai.test:50051", billing.triplePort());
        switch (kind) {
            case ENVOY ->
                setup.replace("/com.foo.billing.", "/" + prefix).replace("exact: shanghai", "exact: " + sms.id());
            case NGINX ->
                setup.replace("/com\\.foo\\.billing\\.", "/" + prefix.replace(".", "\\."))
                        .replace("~^shanghai /", "~^" + sms.id() + " /");
            case APISIX ->
                setup.replace("/com.foo.billing.", "/" + prefix).replace("\"==\", shanghai", "\"==\", " + sms.id());
            case HAPROXY ->
                setup.replace("/com.foo.billing.", "/" + prefix).replace("-m str shanghai", "-m str " + sms.id());
            case REFERENCE ->
                setup.address("0.0.0.0:20880", triple)
                        .replace("com.foo.billing.BillService", service)
                        .replace("  shanghai:", "  " + sms.id() + ":");
            case SCG, SCG_MVC, ZUUL, EDGE ->
                throw new UnsupportedOperationException("there is no file for two applications");
        }
        if (!onePort) {
            setup.address("0.0.0.0:20881", smsDubbo)
                    .address("0.0.0.0:20883", billingDubbo)
                    .listen(50051, triple);
        }
        List<Integer> ports = List.of(smsDubbo, billingDubbo, triple);
        setup.start(processes, "applications-gateway", "applications", ports, List.of());
    }

    /**
     * Starts it and returns when it takes calls.
     *
     * @param home the island that calls
     * @param sms the application with all other services
     * @param billing the application with the services in the package of {@code service}
     * @param service the interface of a service
     */
    public static ApplicationsGateway start(
            GatewayKind kind, Processes processes, Path folder, String home, Island sms, Island billing, String service)
            throws IOException {
        return new ApplicationsGateway(kind, processes, folder, home, sms, billing, service);
    }

    /** Where calls of the first application enter by the Dubbo protocol, {@code host:port}. */
    public String smsDubbo() {
        return host + smsDubbo;
    }

    /** The same of the second one. */
    public String billingDubbo() {
        return host + billingDubbo;
    }

    /** Where all calls enter by Triple. */
    public String triple() {
        return host + triple;
    }
}

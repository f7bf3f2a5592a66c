// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Home's gateway in front of two applications of one island, by the files {@code applications.*}: Triple by the path, the
 * Dubbo protocol by a port for each application. The reference gateway has one port and chooses by the service.
 */
public final class ApplicationsGateway {

    private final Processes processes;
    private final Path folder;
    private final String host;
    private final Island sms;
    private final Island billing;
    private final String service;
    private final int smsDubbo = FreePorts.next();
    private final int billingDubbo;
    private final int triple;

    private ApplicationsGateway(
            GatewayKind kind, Processes processes, Path folder, String home, Island sms, Island billing, String service)
            throws IOException {
        this.processes = processes;
        this.folder = Files.createDirectories(folder.toAbsolutePath());
        this.host = "gateway." + home + ".test:";
        this.sms = sms;
        this.billing = billing;
        this.service = service;
        boolean onePort = kind == GatewayKind.REFERENCE;
        this.billingDubbo = onePort ? smsDubbo : FreePorts.next();
        this.triple = onePort ? smsDubbo : FreePorts.next();
        switch (kind) {
            case ENVOY -> envoy();
            case NGINX -> nginx();
            case HAPROXY -> haproxy();
            case REFERENCE -> reference();
            case SCG, SCG_MVC, ZUUL, EDGE ->
                throw new UnsupportedOperationException("there is no file for two applications");
        }
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

    private void envoy() throws IOException {
        Program envoy = Program.envoy();
        Map<String, String> values = new LinkedHashMap<>();
        values.put("address: 0.0.0.0, port_value: 20881", Template.envoyAddress(smsDubbo));
        values.put("address: 0.0.0.0, port_value: 20883", Template.envoyAddress(billingDubbo));
        values.put("address: 0.0.0.0, port_value: 50051", Template.envoyAddress(triple));
        values.put("address: sms.shanghai.test, port_value: 20880", Template.envoyAddress(sms.dubboPort()));
        values.put("address: sms.shanghai.test, port_value: 50051", Template.envoyAddress(sms.triplePort()));
        values.put("address: billing.shanghai.test, port_value: 20880", Template.envoyAddress(billing.dubboPort()));
        values.put("address: billing.shanghai.test, port_value: 50051", Template.envoyAddress(billing.triplePort()));
        values.put("/com.foo.billing.", "/" + prefix());
        values.put("exact: shanghai", "exact: " + sms.id());
        Path file = write("envoy/applications.yaml", values);
        start(envoy.with("-c", file.toString(), "--log-level", "warning", "--use-dynamic-base-id"));
    }

    private void nginx() throws IOException {
        Program nginx = Program.find("nginx", "");
        Map<String, String> values = connections();
        values.put("/com\\.foo\\.billing\\.", "/" + prefix().replace(".", "\\."));
        values.put("~^shanghai /", "~^" + sms.id() + " /");
        values.put("http {", "http {\n    access_log off;\n    client_body_temp_path " + folder + "/body;");
        Path file = write("nginx/applications.conf", values);
        String settings = "daemon off; pid " + folder + "/nginx.pid; error_log stderr;";
        start(nginx.with("-e", "stderr", "-g", settings, "-c", file.toString()));
    }

    private void haproxy() throws IOException {
        Program haproxy = Program.find("haproxy", "");
        Map<String, String> values = connections();
        values.put("/com.foo.billing.", "/" + prefix());
        values.put("-m str shanghai", "-m str " + sms.id());
        start(haproxy.with(
                "-db", "-f", write("haproxy/applications.cfg", values).toString()));
    }

    private Map<String, String> connections() {
        Map<String, String> values = providers();
        values.put("0.0.0.0:20881", Template.local(smsDubbo));
        values.put("0.0.0.0:20883", Template.local(billingDubbo));
        values.put("0.0.0.0:50051", Template.local(triple));
        return values;
    }

    private Map<String, String> providers() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("sms.shanghai.test:20880", Template.local(sms.dubboPort()));
        values.put("sms.shanghai.test:50051", Template.local(sms.triplePort()));
        values.put("billing.shanghai.test:20880", Template.local(billing.dubboPort()));
        values.put("billing.shanghai.test:50051", Template.local(billing.triplePort()));
        return values;
    }

    private void reference() throws IOException {
        Map<String, String> values = providers();
        values.put("0.0.0.0:20880", Template.local(triple));
        values.put("com.foo.billing.BillService", service);
        values.put("  shanghai:", "  " + sms.id() + ":");
        processes.startGateway(name(), Files.readString(write("reference/applications.yaml", values)));
        processes.ready(name());
    }

    private void start(List<String> command) {
        processes.startProgram(name(), command, List.of(smsDubbo, billingDubbo, triple));
    }

    /** What the interfaces of billing begin with. */
    private String prefix() {
        return service.substring(0, service.lastIndexOf('.') + 1);
    }

    private Path write(String configuration, Map<String, String> values) throws IOException {
        Path file = folder.resolve(Path.of(configuration).getFileName());
        return Template.of(configuration).write(file, values, List.of());
    }

    private static String name() {
        return "applications-gateway";
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

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.springboot;

import static io.highway.tools.processes.Processes.next;

import io.highway.samples.springboot.order.OrderApplication;
import io.highway.samples.springboot.sms.SmsApplication;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The processes. Two gateways are between the order service and the SMS service of the remote islands:
 *
 * <pre>
 *   order -> zhejiang gateway -> hub gateway -> sms in shanghai
 *                                            -> sms in beijing
 * </pre>
 *
 * and at home, in zhejiang, there are the registry and the SMS service of home.
 */
final class Applications implements AutoCloseable {

    private final Processes processes;
    private String order = "";

    private Applications(Processes processes) {
        this.processes = processes;
    }

    /** Starts everything and returns when all of it is ready; logs and routes are written to {@code folder}. */
    static Applications start(Path folder) throws IOException {
        Applications applications = new Applications(new Processes(folder));
        try {
            applications.startAll();
            return applications;
        } catch (IOException | RuntimeException e) {
            applications.close();
            throw e;
        }
    }

    private void startAll() throws IOException {
        String shanghai = sms("shanghai");
        String beijing = sms("beijing");
        String registry = "--dubbo.registry.address=" + processes.registry();
        sms("zhejiang", registry);

        String hub = processes.gateway("hub", Map.of("shanghai", provider(shanghai), "beijing", provider(beijing)));
        String gateway = processes.gateway("zhejiang", Map.of("shanghai", next(hub), "beijing", next(hub)));

        for (String island : List.of("shanghai", "beijing", "zhejiang")) {
            processes.ready("sms-" + island);
        }
        start(
                "order",
                OrderApplication.class,
                "--spring.config.name=order",
                registry,
                "--highway.gateways.dubbo=" + gateway,
                "--highway.gateways.triple=" + gateway);
        order = "http://zhejiang.test:" + processes.ready("order");
    }

    /** Starts the SMS service of an island and returns its {@code host:port}. */
    private String sms(String island, String... arguments) {
        int port = FreePorts.next();
        List<String> all = new ArrayList<>(List.of(
                "--spring.config.name=sms", "--spring.profiles.active=" + island, "--dubbo.protocol.port=" + port));
        all.addAll(Arrays.asList(arguments));
        start("sms-" + island, SmsApplication.class, all.toArray(String[]::new));
        return island + ".test:" + port;
    }

    private void start(String name, Class<?> application, String... arguments) {
        List<String> all = new ArrayList<>(List.of(application.getName()));
        all.addAll(Arrays.asList(arguments));
        processes.start(name, List.of(), ApplicationProcess.class, all.toArray());
    }

    private static String provider(String address) {
        return Processes.providers(address, address);
    }

    /** The URL of the order service. */
    String order() {
        return order;
    }

    /** Disconnects both remote islands: ends the gateway in the middle. */
    void cutOffFarIslands() {
        processes.end("hub-gateway");
    }

    @Override
    public void close() {
        processes.close();
    }
}

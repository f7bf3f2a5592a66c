// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.calls;

import io.highway.sdk.Highway;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.gateways.Island;
import io.highway.tools.processes.ChildProcess;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;

/** The provider in shanghai. */
public final class ProviderProcess {

    private static final String ISLAND = "shanghai";
    private static final String HOST = "shanghai.test";
    private static final String NAME = "shanghai-provider";
    private static final int THREADS = 64;

    private ProviderProcess() {}

    /** Starts it and returns where it is, once it takes calls. */
    public static Island start(Processes processes) throws IOException {
        return start(processes, Signing.OFF);
    }

    /** Starts it and returns where it is, once it takes calls. */
    public static Island start(Processes processes, Signing signing) throws IOException {
        return start(processes, signing, ProviderProcess.class, List.of());
    }

    /** Starts one with further services, whose main class this is. */
    public static Island start(Processes processes, Class<?> main) throws IOException {
        return start(processes, main, List.of());
    }

    /**
     * Starts one with further services and keys.
     *
     * @param main its main class
     * @param options of the virtual machine
     */
    public static Island start(Processes processes, Class<?> main, List<String> options) throws IOException {
        return start(processes, Signing.OFF, main, options);
    }

    private static Island start(Processes processes, Signing signing, Class<?> main, List<String> options)
            throws IOException {
        List<String> arguments = new ArrayList<>(signing.arguments());
        arguments.addAll(options);
        arguments.add("-Dhighway.island=" + ISLAND);
        int dubbo = FreePorts.next();
        int triple = FreePorts.next();
        processes.start(NAME, arguments, main, String.valueOf(dubbo), String.valueOf(triple));
        processes.ready(NAME);
        return new Island(ISLAND, HOST + ":" + dubbo, HOST + ":" + triple);
    }

    /** Arguments: the port for the Dubbo protocol and the one for Triple. */
    public static void main(String[] arguments) {
        serve(List.of(uploads()), arguments[0], arguments[1]);
    }

    /** Is the provider of a service until the process is ended. */
    public static <T> void serve(Class<T> type, T implementation, String dubboPort, String triplePort) {
        serve(List.of(service(type, implementation)), dubboPort, triplePort);
    }

    /** The same, beside uploads. */
    public static <T> void serveBesideUploads(Class<T> type, T implementation, String dubboPort, String triplePort) {
        serve(List.of(uploads(), service(type, implementation)), dubboPort, triplePort);
    }

    private static ServiceConfig<?> uploads() {
        return service(UploadService.class, new Uploads());
    }

    private static <T> ServiceConfig<T> service(Class<T> type, T implementation) {
        ServiceConfig<T> service = new ServiceConfig<>();
        service.setInterface(type);
        service.setRef(implementation);
        return service;
    }

    private static void serve(List<ServiceConfig<?>> services, String dubboPort, String triplePort) {
        ChildProcess.endWithParent();
        DubboBootstrap dubbo = DubboBootstrap.getInstance()
                .application("provider")
                .registry(new RegistryConfig("N/A"))
                .protocols(List.of(protocol("dubbo", dubboPort), protocol("tri", triplePort)));
        services.forEach(service -> dubbo.service(service));
        dubbo.start();
        ChildProcess.ready(ISLAND);
        dubbo.await();
    }

    private static ProtocolConfig protocol(String name, String port) {
        ProtocolConfig protocol = new ProtocolConfig(name, Integer.parseInt(port));
        protocol.setId(name);
        protocol.setHost(HOST);
        protocol.setThreads(THREADS);
        return protocol;
    }

    private static final class Uploads implements UploadService {
        @Override
        public int upload(byte[] body) {
            return body.length;
        }

        @Override
        public String from() {
            return Highway.caller().map(caller -> caller.island()).orElse("");
        }
    }
}

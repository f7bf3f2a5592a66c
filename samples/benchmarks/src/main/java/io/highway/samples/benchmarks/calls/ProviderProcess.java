// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.calls;

import io.highway.samples.gateways.Island;
import io.highway.samples.support.ChildProcess;
import io.highway.samples.support.Processes;
import io.highway.sdk.Highway;
import io.highway.testsupport.ports.FreePorts;
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
        List<String> arguments = new ArrayList<>(signing.arguments());
        arguments.add("-Dhighway.island=" + ISLAND);
        int dubbo = FreePorts.next();
        int triple = FreePorts.next();
        processes.start(NAME, arguments, ProviderProcess.class, String.valueOf(dubbo), String.valueOf(triple));
        processes.ready(NAME);
        return new Island(ISLAND, HOST + ":" + dubbo, HOST + ":" + triple);
    }

    /** Arguments: the port for the Dubbo protocol and the one for Triple. */
    public static void main(String[] arguments) {
        serve(UploadService.class, new Uploads(), arguments[0], arguments[1]);
    }

    /** Is the provider of a service until the process is ended. */
    public static <T> void serve(Class<T> type, T implementation, String dubboPort, String triplePort) {
        ChildProcess.endWithParent();
        ServiceConfig<T> service = new ServiceConfig<>();
        service.setInterface(type);
        service.setRef(implementation);
        DubboBootstrap dubbo = DubboBootstrap.getInstance()
                .application("provider")
                .registry(new RegistryConfig("N/A"))
                .protocols(List.of(protocol("dubbo", dubboPort), protocol("tri", triplePort)))
                .service(service)
                .start();
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

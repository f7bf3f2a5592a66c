// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.calls;

import io.highway.sdk.Highway;
import io.highway.tools.gateways.Island;
import io.highway.tools.processes.DubboProvider;
import io.highway.tools.processes.Ports;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The provider in shanghai. */
public final class ProviderProcess {

    /** Its island. */
    public static final String ISLAND = "shanghai";

    private static final String HOST = "shanghai.test";
    /** Its name among the processes. */
    public static final String NAME = "shanghai-provider";

    private static final int THREADS = 64;

    private ProviderProcess() {}

    /** Starts it and returns where it is, once it takes calls. */
    public static Island start(Processes processes, Signing signing) throws IOException {
        return start(processes, ProviderProcess.class, signing.arguments());
    }

    /**
     * Starts one with further services and keys.
     *
     * @param main its main class
     * @param options of the virtual machine
     */
    public static Island start(Processes processes, Class<?> main, List<String> options) throws IOException {
        List<String> arguments = new ArrayList<>(options);
        arguments.add("-Dhighway.island=" + ISLAND);
        Ports ports = Ports.free();
        arguments.add("-Dhighway.http.port=" + ports.http());
        processes.start(NAME, arguments, main, ports.dubbo(), ports.triple());
        processes.ready(NAME);
        return new Island(ISLAND, HOST + ":" + ports.dubbo(), HOST + ":" + ports.triple(), HOST + ":" + ports.http());
    }

    /** Arguments: the port for the Dubbo protocol and the one for Triple. */
    public static void main(String[] arguments) {
        withUploads(arguments[0], arguments[1]).serve(ISLAND);
    }

    /** Takes uploads; other services may be added. */
    public static DubboProvider withUploads(String dubboPort, String triplePort) {
        return provider(dubboPort, triplePort).export(UploadService.class, new Uploads());
    }

    /** The provider of a process, without a service yet. */
    public static DubboProvider provider(String dubboPort, String triplePort) {
        return new DubboProvider("provider", HOST)
                .listen("dubbo", dubboPort, protocol -> protocol.setThreads(THREADS))
                .listen("tri", triplePort, protocol -> protocol.setThreads(THREADS));
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

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One gateway with a file to be copied, and what differs in it for a run on this machine, in the order of the calls. */
final class GatewaySetup {

    private final GatewayKind kind;
    private final Path folder;
    private final Map<String, String> values = new LinkedHashMap<>();

    /** @param folder of the file and of what the gateway writes */
    GatewaySetup(GatewayKind kind, Path folder) throws IOException {
        this.kind = kind;
        this.folder = Files.createDirectories(folder.toAbsolutePath());
    }

    /** A port of this machine instead of {@code host:port}, in the spelling of this gateway. */
    GatewaySetup address(String usual, int port) {
        return kind == GatewayKind.ENVOY
                ? replace(usual.replaceFirst("(.+):", "address: $1, port_value: "), Template.envoyAddress(port))
                : replace(usual, Template.local(port));
    }

    /** The same of an address where it takes HTTP. */
    GatewaySetup listen(int usual, int port) {
        return kind == GatewayKind.APISIX
                ? replace(kind.listens("0.0.0.0", usual), kind.listens("127.0.0.1", port))
                : address("0.0.0.0:" + usual, port);
    }

    GatewaySetup replace(String usual, String here) {
        values.put(usual, here);
        return this;
    }

    /**
     * Starts it and returns when it takes calls.
     *
     * @param file the name of the file without its end, such as {@code minimal}
     * @param ports where it listens
     * @param more arguments for a program
     */
    void start(Processes processes, String process, String file, List<Integer> ports, List<String> more)
            throws IOException {
        if (kind == GatewayKind.REFERENCE) {
            processes.startGateway(process, Files.readString(write(file)));
            processes.ready(process);
            return;
        }
        List<String> command = command(file);
        command.addAll(more);
        processes.startProgram(process, command, ports);
    }

    private List<String> command(String file) throws IOException {
        Program program = Program.of(kind);
        return switch (kind) {
            case ENVOY -> program.with("-c", write(file).toString(), "--log-level", "warning", "--use-dynamic-base-id");
            case HAPROXY -> program.with("-db", "-f", write(file).toString());
            case APISIX -> new ArrayList<>(Program.apisix(write(file).toString()));
            default -> {
                replace("\nhttp {", "\nhttp {\n    access_log off;\n    client_body_temp_path " + folder + "/body;");
                String settings = "daemon off; worker_processes auto; pid " + folder + "/nginx.pid; error_log stderr;";
                yield program.with(
                        "-e", "stderr", "-g", settings, "-c", write(file).toString());
            }
        };
    }

    private Path write(String file) throws IOException {
        Template template = Template.of(kind, file);
        return template.write(folder.resolve(file + template.end()), values, List.of());
    }
}

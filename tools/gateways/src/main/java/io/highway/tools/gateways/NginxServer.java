// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One nginx with a given configuration, for uses that no star covers. */
public final class NginxServer {

    private final Program nginx;

    private NginxServer(Program nginx) {
        this.nginx = nginx;
    }

    /** The one that is installed; empty if there is none. */
    public static Optional<NginxServer> installed() {
        return Program.look(GatewayKind.NGINX).map(NginxServer::new);
    }

    /** The one that is installed, or an error with the command that installs it. */
    public static NginxServer find() {
        return new NginxServer(Program.of(GatewayKind.NGINX));
    }

    /** Name and version. */
    public String version() throws IOException {
        return nginx.version();
    }

    /**
     * Starts it and returns when it listens on these ports; temporary files are in {@code folder}.
     *
     * @param configuration of the class path, below {@code gateways/}; its temporary files are in {@code /var/lib/nginx/}
     * @param values what replaces what in it
     */
    public void start(
            Processes processes,
            String name,
            Path folder,
            String configuration,
            Map<String, String> values,
            Integer... ports)
            throws IOException {
        Path own = Files.createDirectories(folder.toAbsolutePath());
        Map<String, String> all = new LinkedHashMap<>(values);
        all.put("/var/lib/nginx/", own + "/" + name + "-");
        Path rendered = Template.of(configuration).write(own.resolve(name + ".conf"), all, List.of());
        String settings = "daemon off; pid " + own + "/" + name + ".pid; error_log stderr warn;";
        processes.startProgram(
                name, nginx.with("-e", "stderr", "-g", settings, "-c", rendered.toString()), List.of(ports));
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.star;

import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.processes.Folders;
import io.highway.tools.processes.Node;
import io.highway.tools.processes.Star;
import java.nio.file.Path;
import java.util.List;

/**
 * A forward proxy between consumers and home's gateways: a program of the operating system.
 *
 * @param port where it listens, on loopback
 */
public record ForwardProxy(Node node, Kind kind, int port) {

    /** How it is asked to connect, and the program. */
    public enum Kind {
        /** By CONNECT: tinyproxy. */
        HTTP,
        /** By SOCKS5: microsocks. */
        SOCKS5,
        /** By CONNECT. */
        SQUID,
        /** By SOCKS5. */
        DANTE
    }

    /** Starts it and returns when it listens. */
    static ForwardProxy start(Star star, Path folder, Kind kind) {
        int port = FreePorts.next();
        List<String> command = command(kind, folder, port);
        Node node = star.node("proxy", name -> star.processes().startProgram(name, command, List.of(port)));
        node.restart();
        return new ForwardProxy(node, kind, port);
    }

    /** What a consumer writes for {@code highway.gateways.proxy}. */
    public String url() {
        return (kind == Kind.HTTP || kind == Kind.SQUID ? "http" : "socks5") + "://127.0.0.1:" + port;
    }

    private static List<String> command(Kind kind, Path folder, int port) {
        return switch (kind) {
            case HTTP ->
                List.of(
                        "tinyproxy",
                        "-d",
                        "-c",
                        file(folder, port, "Port %d\nListen 127.0.0.1\nMaxClients 500\nTimeout 600\nLogLevel Error\n"));
            case SOCKS5 -> List.of("microsocks", "-i", "127.0.0.1", "-p", String.valueOf(port));
            case SQUID ->
                List.of(
                        "squid",
                        "-N",
                        "-f",
                        file(
                                folder,
                                port,
                                """
                    http_port 127.0.0.1:%d
                    http_access allow all
                    cache deny all
                    access_log none
                    cache_log /dev/null
                    pid_filename none
                    """));
            case DANTE ->
                List.of(
                        "danted",
                        "-f",
                        file(
                                folder,
                                port,
                                """
                    logoutput: stderr
                    internal: 127.0.0.1 port = %d
                    external: 127.0.0.1
                    clientmethod: none
                    socksmethod: none
                    user.unprivileged: nobody
                    client pass { from: 0/0 to: 0/0 }
                    socks pass { from: 0/0 to: 0/0 }
                    """));
        };
    }

    private static String file(Path folder, int port, String configuration) {
        return Folders.write(folder.resolve("proxy.conf"), configuration.formatted(port))
                .toString();
    }
}

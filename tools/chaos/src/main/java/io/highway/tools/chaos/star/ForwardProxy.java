// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.star;

import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A forward proxy between consumers and home's gateways: a program of the operating system. */
public final class ForwardProxy {

    private final Processes processes;
    private final Path folder;
    private final Kind kind;
    private final int port = FreePorts.next();
    private int starts;

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

    ForwardProxy(Processes processes, Path folder, Kind kind) {
        this.processes = processes;
        this.folder = folder;
        this.kind = kind;
        restart();
    }

    /** What a consumer writes for {@code highway.gateways.proxy}. */
    public String url() {
        return (kind == Kind.HTTP || kind == Kind.SQUID ? "http" : "socks5") + "://127.0.0.1:" + port;
    }

    /** Kills it without a chance to close connections. */
    public void kill() {
        processes.kill(name());
    }

    /** Starts it and waits until it listens. */
    public void restart() {
        starts++;
        processes.startProgram(name(), command(), List.of(port));
    }

    /** Pauses it. */
    public void freeze() {
        processes.freeze(name());
    }

    /** Resumes it. */
    public void thaw() {
        processes.thaw(name());
    }

    private String name() {
        return "proxy." + starts;
    }

    private List<String> command() {
        return switch (kind) {
            case HTTP ->
                List.of(
                        "tinyproxy",
                        "-d",
                        "-c",
                        file("Port %d\nListen 127.0.0.1\nMaxClients 500\nTimeout 600\nLogLevel Error\n"));
            case SOCKS5 -> List.of("microsocks", "-i", "127.0.0.1", "-p", String.valueOf(port));
            case SQUID ->
                List.of(
                        "squid",
                        "-N",
                        "-f",
                        file(
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

    private String file(String configuration) {
        try {
            return Files.writeString(folder.resolve("proxy.conf"), configuration.formatted(port))
                    .toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

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
        SOCKS5
    }

    ForwardProxy(Processes processes, Path folder, Kind kind) {
        this.processes = processes;
        this.folder = folder;
        this.kind = kind;
        restart();
    }

    /** What a consumer writes for {@code highway.gateways.proxy}. */
    public String url() {
        return (kind == Kind.HTTP ? "http" : "socks5") + "://127.0.0.1:" + port;
    }

    /** Kills it without a chance to close connections. */
    public void kill() {
        processes.kill(name());
    }

    /** Starts it and waits until it listens. */
    public void restart() {
        starts++;
        processes.startProgram(name(), kind == Kind.HTTP ? tinyproxy() : microsocks(), List.of(port));
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

    private List<String> tinyproxy() {
        String configuration =
                "Port %d\nListen 127.0.0.1\nMaxClients 500\nTimeout 600\nLogLevel Error\n".formatted(port);
        try {
            Path file = Files.writeString(folder.resolve("tinyproxy.conf"), configuration);
            return List.of("tinyproxy", "-d", "-c", file.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> microsocks() {
        return List.of("microsocks", "-i", "127.0.0.1", "-p", String.valueOf(port));
    }
}

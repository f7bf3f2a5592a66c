// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Plain sockets of gateways and balancers that a test makes itself. */
final class Sockets {

    private Sockets() {}

    /** Work that ends when its socket is closed. */
    interface Io {

        void run() throws IOException;
    }

    /** How many connections clients have to this port, as Linux shows it. */
    static int established(int port) {
        String listener = ":%04X".formatted(port);
        return (int) Stream.of("tcp", "tcp6")
                .map(Path.of("/proc/net")::resolve)
                .flatMap(Sockets::lines)
                .map(line -> line.strip().split(" +"))
                .filter(columns -> columns[1].endsWith(listener) && columns[3].equals("01"))
                .count();
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file).stream() : Stream.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void inBackground(Io work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        Thread.currentThread().interrupt(); // closed
                    }
                },
                "socket");
        thread.setDaemon(true);
        thread.start();
    }

    /** Passes the bytes of both on to the other. */
    static void relay(Socket client, Socket onward) {
        inBackground(() -> client.getInputStream().transferTo(onward.getOutputStream()));
        inBackground(() -> onward.getInputStream().transferTo(client.getOutputStream()));
    }
}

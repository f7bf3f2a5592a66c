// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** TCP connections as Linux counts them, independent of their origin and their content. */
public final class TcpConnections {

    private static final List<Path> TABLES = List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));

    private static final int LOCAL = 1;
    private static final int STATE = 3;
    private static final String ESTABLISHED = "01";

    private TcpConnections() {}

    /** How many a server has on this port of this machine. */
    public static int to(int port) throws IOException {
        String local = String.format(Locale.ROOT, ":%04X", port);
        int connections = 0;
        for (Path table : TABLES) {
            if (Files.exists(table)) {
                connections += (int) Files.readAllLines(table).stream()
                        .map(line -> line.trim().split("\\s+"))
                        .filter(columns -> columns.length > STATE)
                        .filter(columns -> columns[LOCAL].endsWith(local) && columns[STATE].equals(ESTABLISHED))
                        .count();
            }
        }
        return connections;
    }
}

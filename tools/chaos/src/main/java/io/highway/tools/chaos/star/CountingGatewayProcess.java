// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.star;

import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import io.highway.tools.processes.ChildProcess;
import io.highway.tools.processes.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A gateway that notes in a file, as long as it lives, how many requests it has forwarded in each encoding:
 * {@code <encoding> <requests>}.
 */
final class CountingGatewayProcess {

    private static final long INTERVAL_MILLIS = 100;

    private CountingGatewayProcess() {}

    /** Arguments: the file with its routes, and the file of the notes. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        ChildProcess.endWithParent();
        Path notes = Path.of(arguments[1]);
        Gateway gateway = Gateway.start(GatewayConfig.load(Path.of(arguments[0])));
        Runtime.getRuntime().addShutdownHook(new Thread(gateway::close));
        ChildProcess.ready(String.valueOf(gateway.port()));
        while (true) {
            Folders.replace(notes, lines(gateway.stats().encodings())); // whole, even if it is killed now
            Thread.sleep(INTERVAL_MILLIS);
        }
    }

    private static String lines(Map<String, Long> encodings) {
        return encodings.entrySet().stream()
                .map(one -> one.getKey() + " " + one.getValue() + "\n")
                .collect(Collectors.joining());
    }

    /** How many requests were forwarded in an encoding of this prefix, by all of these files. */
    static long requests(List<Path> notes, String prefix) throws IOException {
        long requests = 0;
        for (Path file : notes) {
            try (Stream<String> lines = Files.lines(file)) {
                requests += lines.filter(line -> line.startsWith(prefix))
                        .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
                        .sum();
            }
        }
        return requests;
    }
}

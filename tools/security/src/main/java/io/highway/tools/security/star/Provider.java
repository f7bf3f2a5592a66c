// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.star;

import io.highway.tools.fixtures.time.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A provider process, as the others see it.
 *
 * @param name its name
 * @param dubbo the separate port for the Dubbo protocol
 * @param triple the same for Triple
 * @param frontDubbo the port of the gateway in front of it for the Dubbo protocol
 * @param frontTriple the same for Triple
 * @param folder where its ledger and its audit trail are
 */
public record Provider(String name, int dubbo, int triple, int frontDubbo, int frontTriple, Path folder) {

    private static final Pattern REASON = Pattern.compile("\"reason\":\"([a-z-]+)\"");
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int STEP_MILLIS = 50;

    /** The port of the gateway in front of it for a tunnel. */
    public int front(String tunnel) {
        return tunnel.equals("dubbo") ? frontDubbo : frontTriple;
    }

    Path ledger() {
        return folder.resolve(name + ".ledger");
    }

    Path audit() {
        return folder.resolve(name + ".audit");
    }

    /** When each call ran, in milliseconds since the epoch. */
    public List<Long> executed() throws IOException {
        return lines(ledger()).stream()
                .map(line -> Long.valueOf(line.substring(0, line.indexOf(' '))))
                .toList();
    }

    /** The lines of its audit trail that have all of these texts; waits until there are as many as expected, or a while. */
    public List<String> audited(int expected, String... texts) throws IOException {
        return Waiting.value(
                PATIENCE,
                STEP_MILLIS,
                () -> lines(audit()).stream()
                        .filter(line -> Stream.of(texts).allMatch(line::contains))
                        .toList(),
                found -> found.size() >= expected);
    }

    /**
     * Why its guard has refused calls so far, in their order; waits until there are as many as expected, or a while.
     */
    public List<String> refused(int expected) throws IOException {
        return audited(expected, "\"decision\":\"refuse\"").stream()
                .map(REASON::matcher)
                .map(reason -> reason.find() ? reason.group(1) : "?")
                .toList();
    }

    private static List<String> lines(Path file) throws IOException {
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }
}

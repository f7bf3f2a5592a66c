// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Commands of the system, also where they are not on an ordinary user's path. */
final class Tool {

    private static final List<String> FOUND = List.of("sh", "-c", "PATH=$PATH:/usr/sbin:/sbin; exec \"$@\"", "sh");

    private Tool() {}

    /** A command line that becomes this command, whose words are separated by blanks; more words may contain some. */
    static List<String> line(String command, String... more) {
        List<String> line = new ArrayList<>(FOUND);
        line.addAll(List.of(command.split(" ", -1)));
        line.addAll(List.of(more));
        return line;
    }

    /**
     * Runs a command to its end.
     *
     * @throws IOException with its output, if it failed
     */
    static void run(String command, String... more) throws IOException {
        Process process = new ProcessBuilder(line(command, more))
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        try {
            if (process.waitFor() != 0) {
                throw new IOException(command + ": " + output);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.kit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a {@link TestRun} has seen of one class.
 *
 * @param tests how many it has
 * @param passed how many of them have passed
 * @param millis from the start of the class to its end
 * @param sinceStart milliseconds from the start of the process to the end of the class
 * @param left threads that the class has started and that have not ended, without the JDK's timer
 * @param threads all of the process
 * @param sockets the most that it has had open
 * @param descriptors all that are open afterwards
 */
record ClassRun(
        long tests,
        long passed,
        long millis,
        long sinceStart,
        long left,
        long threads,
        long sockets,
        long descriptors) {

    private static final Pattern PRINTED = Pattern.compile("ClassRun\\[(.*)]");

    /** Those that a process has printed. */
    static List<ClassRun> in(Path log) throws IOException {
        return Files.readAllLines(log).stream()
                .map(PRINTED::matcher)
                .filter(Matcher::matches)
                .map(line -> parse(line.group(1)))
                .toList();
    }

    private static ClassRun parse(String text) {
        long[] values = Pattern.compile("\\d+")
                .matcher(text)
                .results()
                .mapToLong(number -> Long.parseLong(number.group()))
                .toArray();
        return new ClassRun(values[0], values[1], values[2], values[3], values[4], values[5], values[6], values[7]);
    }

    boolean isGreen() {
        return tests > 0 && passed == tests;
    }
}

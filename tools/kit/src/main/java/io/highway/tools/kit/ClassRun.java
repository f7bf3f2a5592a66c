// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.kit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a {@link TestRun} has seen of one class.
 *
 * @param tests how many it has
 * @param passed how many of them have passed
 * @param millis from the start of the class to its end
 * @param sinceStart milliseconds from the start of the process to the end of the class
 * @param left threads that the class has started and that have not ended, without the JDK's timer
 * @param sockets the most that it has had open
 */
record ClassRun(long tests, long passed, long millis, long sinceStart, long left, long sockets) {

    private static final Pattern NUMBER = Pattern.compile("\\d+");

    /** Those that a process has printed. */
    static List<ClassRun> in(Path log) throws IOException {
        return numbers(log, ClassRun.class)
                .map(values -> new ClassRun(values[0], values[1], values[2], values[3], values[4], values[5]))
                .toList();
    }

    /** The numbers of each record of this type in a log. */
    static Stream<long[]> numbers(Path log, Class<? extends Record> type) throws IOException {
        return Files.readAllLines(log).stream()
                .filter(line -> line.startsWith(type.getSimpleName() + "["))
                .map(line -> NUMBER.matcher(line)
                        .results()
                        .mapToLong(number -> Long.parseLong(number.group()))
                        .toArray());
    }

    boolean isGreen() {
        return tests > 0 && passed == tests;
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.kit;

import io.highway.tools.processes.Processes;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The processes of a {@link TestRun}, in which tests of users run. */
record TestRuns(Processes processes, Path logs) {

    private static final int PATIENCE_SECONDS = 180;

    /** Starts one. */
    void start(String name, List<Class<?>> classes) {
        start(name, "", classes.stream().map(Class::getName).toList());
    }

    /** Starts one with a folder that comes first on the class path, unless it is empty. */
    void start(String name, String first, List<String> classes) {
        String own = System.getProperty("java.class.path");
        processes.start(
                name,
                List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=error"),
                first.isEmpty() ? own : first + File.pathSeparator + own,
                TestRun.class.getName(),
                classes.toArray());
    }

    /** Waits until it has ended, and returns what it has seen of each class. */
    List<ClassRun> end(String name) throws IOException {
        String unused = processes.ready(name, PATIENCE_SECONDS);
        processes.get(name).awaitEnd(PATIENCE_SECONDS);
        return ClassRun.in(log(name));
    }

    Path log(String name) {
        return logs.resolve(name + ".log");
    }
}

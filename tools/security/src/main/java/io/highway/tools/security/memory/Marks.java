// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.memory;

import io.highway.tools.processes.Folders;
import java.nio.file.Path;

/** What happened in a provider, a line each in the file that {@code -Dmarks.file} names; they survive its end. */
final class Marks {

    static final String DECODED = "decoded";
    static final String EXECUTED = "executed";

    private Marks() {}

    static void add(String what) {
        String file = System.getProperty("marks.file");
        if (file != null) { // not in the attacker
            Folders.append(Path.of(file), what);
        }
    }
}

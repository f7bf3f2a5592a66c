// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.quickstart;

import io.highway.samples.quickstart.star.Star;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Starts the star, takes the tour, ends everything. This process is the consumer in zhejiang. */
public final class Quickstart {

    private Quickstart() {}

    /** The argument is the folder for logs and routes. Exits with 0 only if every call did what was expected. */
    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        try {
            System.exit(run(Path.of(arguments[0]), out) ? 0 : 1);
        } catch (IOException | RuntimeException e) {
            System.err.println("quickstart: " + e);
            System.exit(1);
        }
    }

    /** Prints one line per call and a last one, and returns whether all of them did what was expected. */
    static boolean run(Path folder, PrintStream out) throws IOException {
        try (Star star = Star.start(folder);
                Home home = new Home(star.registry(), star.homeGateway())) {
            Calls calls = new Calls(out, home.lastCall());
            new Tour(home, star, calls).run();
            return calls.finish();
        }
    }
}

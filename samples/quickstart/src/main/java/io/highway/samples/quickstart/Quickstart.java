// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.quickstart;

import io.highway.samples.gateways.GatewayKind;
import io.highway.samples.quickstart.star.Star;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** Starts the star, takes the tour, ends everything. This process is the consumer in zhejiang. */
public final class Quickstart {

    private Quickstart() {}

    /**
     * The arguments are {@code [--gateway envoy|nginx|haproxy|reference]} and the folder for logs and routes. Exits
     * with 0 only if every call had the expected result.
     */
    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        try {
            Path folder = Path.of(arguments[arguments.length - 1]);
            System.exit(run(folder, gateway(arguments), out) ? 0 : 1);
        } catch (IOException | RuntimeException e) {
            System.err.println("quickstart: " + e);
            System.exit(1);
        }
    }

    private static GatewayKind gateway(String[] arguments) {
        if (arguments.length == 1) {
            return GatewayKind.REFERENCE;
        }
        return Optional.of(arguments)
                .filter(given -> given.length == 3 && given[0].equals("--gateway"))
                .flatMap(given -> GatewayKind.of(given[1]))
                .orElseThrow(() -> new IllegalArgumentException("run.sh [--gateway envoy|nginx|haproxy|reference]"));
    }

    /** Prints one line per call and a last one, and returns whether all of them had the expected result. */
    static boolean run(Path folder, GatewayKind gateway, PrintStream out) throws IOException {
        try (Star star = Star.start(folder, gateway);
                Home home = new Home(star.registry(), star.homeGateways())) {
            Calls calls = new Calls(out, System.err, home.lastCall());
            new Tour(home, star, calls).run();
            return calls.finish();
        }
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.quickstart;

import io.highway.samples.quickstart.star.Islands;
import io.highway.tools.gateways.GatewayKind;
import io.highway.tools.gateways.OwnApplication;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Starts the star, takes the tour, ends everything. This process is the consumer in zhejiang. */
@Command(name = "run.sh")
public final class Quickstart implements Callable<Integer> {

    @Option(names = "--gateway")
    private GatewayKind gateway = GatewayKind.REFERENCE;

    @Option(names = "--keep")
    private boolean keep;

    @Option(names = "--plain")
    private boolean plain;

    @Option(names = "--provider")
    private @Nullable Integer provider;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(index = "0", arity = "0..1", hidden = true)
    private @Nullable Path folder;

    /** Exits with 0 only if every call had the expected result. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Quickstart())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path logs = folder == null ? Path.of("target", "quickstart") : folder;
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        Integer port = provider;
        if (port == null) {
            return run(logs, gateway, keep, plain, out) ? 0 : 1;
        }
        if (port < 1 || port > 0xffff) {
            throw refused(port, "is no port; allowed: 1 to 65535");
        }
        if (OwnApplication.PORTS.contains(port)) {
            throw refused(port, "is a port of the gateway or the registry; use another, such as 20881");
        }
        try (OwnApplication application = OwnApplication.start(logs, gateway, port)) {
            application.explain(out);
            awaitEnd();
        }
        return 0;
    }

    private ParameterException refused(int port, String why) {
        return new ParameterException(
                spec == null ? new CommandLine(this) : spec.commandLine(), "--provider: '" + port + "' " + why);
    }

    /**
     * Prints one line per call and a last one, writes the star to {@code star.html}, and returns whether all calls had the
     * expected result.
     *
     * @param keep whether to leave the star running then, if they had
     * @param plain whether the lines are keys and values
     */
    static boolean run(Path folder, GatewayKind gateway, boolean keep, boolean plain, PrintStream out)
            throws IOException, InterruptedException {
        try (Islands islands = Islands.start(folder, gateway);
                Home home = new Home(islands.registry(), islands.homeGateways())) {
            Calls calls = new Calls(out, System.err, home.lastCall(), plain);
            new Tour(home, islands, calls).run(keep);
            boolean asExpected = calls.finish();
            home.draw(folder.resolve("star.html"));
            if (!plain) {
                out.println("the star at the end of this run: " + folder.resolve("star.html"));
            }
            if (asExpected && keep) {
                islands.explain(out);
                awaitEnd();
            }
            return asExpected;
        }
    }

    /** Until the process is ended. */
    private static void awaitEnd() throws InterruptedException {
        Thread.currentThread().join();
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security;

import io.highway.tools.processes.RunCommand;
import io.highway.tools.security.memory.Cell;
import io.highway.tools.security.memory.DecodingRun;
import io.highway.tools.security.memory.MemoryRun;
import io.highway.tools.security.star.Bankside;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Attacks an island whose guard demands signatures, and compares what ran with what may run and what was audited. */
@Command(name = "run.sh", mixinStandardHelpOptions = true)
public final class Security extends RunCommand {

    @Option(names = "--quick", description = "a tenth of the calls, and a shorter flood")
    private boolean quick;

    @Option(names = "--isolation", description = "only measures what a flood costs another caller; on a quiet machine")
    private boolean isolation;

    @Option(names = "--memory", description = "only storms of large and stalled requests on a small heap")
    private boolean memory;

    @Option(names = "--decoding", description = "only requests that must be refused before anything is decoded")
    private boolean decoding;

    @Option(names = "--only", description = "with --memory and --decoding: only this cell")
    private @Nullable Cell only;

    @Option(names = "--runs", description = "with --memory: how often each storm runs, without --quick")
    private int runs = 5;

    @Option(names = "--storm", description = "with --memory: only storms whose names this expression finds")
    private Pattern storms = Pattern.compile("");

    @Option(names = "--set", description = "with --memory and --decoding: a key of the SDK")
    private List<String> keys = List.of();

    /** Exits with 0 only if nothing ran that must not, and all that ran was audited. */
    public static void main(String[] arguments) {
        exit(new Security(), arguments);
    }

    @Override
    protected boolean run(Path logs, PrintStream out) throws Exception {
        if (decoding) {
            List<Cell> all = quick ? Cell.NEWEST : List.of(Cell.values());
            List<Cell> cells = only == null ? all : List.of(only);
            return new DecodingRun(logs, quick, cells, keys, out).run();
        }
        if (memory) {
            List<Cell> cells = only == null ? List.of(Cell.values()) : List.of(only);
            int times = quick ? 1 : runs;
            return new MemoryRun(logs, quick, times, cells, storms, keys, out).run();
        }
        if (isolation) {
            try (Bankside bank = new Bankside(logs, false)) {
                new Isolation(bank, quick, out).run();
            }
            return true;
        }
        return new SecurityRun(logs, quick, out).run();
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.measure;

import io.highway.tools.processes.RunCommand;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** One sub-command, with its name from {@link Command}. Exits with 0 only if every call was answered, and with 2 if it cannot run here. */
public abstract class Benchmark extends RunCommand {

    private final String name = getClass().getAnnotation(Command.class).name();

    @Option(names = "--quick", description = "one to three minutes, with wider spreads")
    private boolean quick;

    @Override
    public final Integer call() throws Exception {
        Optional<String> whyNot = whyNot();
        if (whyNot.isPresent()) {
            System.err.println(name + ": " + whyNot.get());
            return 2;
        }
        return super.call();
    }

    /** Why it cannot run here, and what to do; empty if it can. */
    protected Optional<String> whyNot() {
        return Optional.empty();
    }

    /** Measures, prints, and writes JSON beside the folder of logs; returns whether every call was answered. */
    @Override
    protected abstract boolean run(Path logs, PrintStream out) throws Exception;

    /** Its report, without numbers yet. */
    protected final Report report(Machine machine, String method) {
        return new Report(name, command(), machine, method);
    }

    /** One of two, by the option {@code --quick}. */
    protected final <T> T plan(T full, T ifQuick) {
        return quick ? ifQuick : full;
    }

    /** As it was called, with these options beside {@code --quick}. */
    protected final String command(String... options) {
        return command(name, quick, options);
    }

    /** As a benchmark of this name was called. */
    public static String command(String name, boolean quick, String... options) {
        return "tools/benchmarks/run.sh " + name + (quick ? " --quick" : "") + String.join("", options);
    }
}

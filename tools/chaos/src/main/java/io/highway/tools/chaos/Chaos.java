// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos;

import io.highway.tools.chaos.audit.AuditRun;
import io.highway.tools.chaos.load.Compression;
import io.highway.tools.chaos.standby.StandbyRun;
import io.highway.tools.chaos.star.ForwardProxy;
import io.highway.tools.chaos.startup.LogLinesRun;
import io.highway.tools.processes.RunCommand;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Starts the star, lets its parts fail under load, and reports the end of every call. */
@Command(name = "run.sh", mixinStandardHelpOptions = true)
public final class Chaos extends RunCommand {

    @Option(names = "--seconds", description = "how long the faults take together, default ${DEFAULT-VALUE}")
    private int seconds = 60;

    @Option(names = "--soak", description = "instead: so many calls, as fast as answers come, watching memory")
    private int soakCalls;

    @Option(
            names = "--ledger",
            description = "instead: so many calls of each tunnel, under all faults; with --proxy also its")
    private int ledgerCalls;

    @Option(
            names = "--log-lines",
            description = "instead: so many seconds with useless gateways, and the lines that each process logs")
    private int logSeconds;

    @Option(
            names = "--standby",
            description = "instead: another island answers, for --seconds under each fault; swaps and a move")
    private boolean standby;

    @Option(names = "--audit", description = "instead: calls that end badly or never, and their audit trail")
    private boolean audit;

    @Option(
            names = "--proxy",
            description = "instead: faults of a forward proxy, http (tinyproxy), socks5 (microsocks), squid or dante")
    private ForwardProxy.@Nullable Kind proxy;

    @Option(names = "--only", description = "only faults whose name contains this, without plain Dubbo next to them")
    private String only = "";

    @Option(names = "--compression", description = "of the callers: none, gzip, zstd or auto, default none")
    private Compression compression = Compression.NONE;

    @Option(
            names = "--dictionary",
            description =
                    "with --compression zstd: of a dictionary, and with two providers restarted one after the other")
    private boolean dictionary;

    /** Exits with 0 only if nothing was wrong with any call. */
    public static void main(String[] arguments) {
        exit(new Chaos(), arguments);
    }

    @Override
    public Integer call() throws Exception {
        if (dictionary && (compression != Compression.ZSTD || soakCalls > 0)) {
            System.err.println("chaos: --dictionary needs --compression zstd, and is not for --soak");
            return 2;
        }
        return super.call();
    }

    @Override
    protected boolean run(Path logs, PrintStream out) throws IOException, InterruptedException {
        if (logSeconds > 0) {
            return new LogLinesRun(logs, logSeconds, out).run();
        }
        if (audit) {
            return new AuditRun(logs, out).run();
        }
        if (standby) {
            return new StandbyRun(logs, seconds, out).run();
        }
        if (ledgerCalls > 0) {
            return new LedgerRun(logs, ledgerCalls, proxy, out).run();
        }
        return soakCalls > 0
                ? new SoakRun(logs, soakCalls, compression, out).run()
                : new ChaosRun(
                                logs,
                                seconds,
                                only.isEmpty() && proxy == null,
                                fault -> fault.name().contains(only),
                                compression,
                                dictionary,
                                proxy,
                                out)
                        .run();
    }
}

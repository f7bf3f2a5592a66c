// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.policy;

import io.highway.tools.processes.center.Center;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Changes the policy of three running applications by a real config centre. */
@Command(name = "run.sh", mixinStandardHelpOptions = true)
public final class PolicySample implements Callable<Integer> {

    @Option(names = "--center", required = true, description = "zookeeper or nacos")
    private Center.Kind center = Center.Kind.zookeeper;

    @Option(names = "--quick", description = "without the steps that kill the centre")
    private boolean quick;

    @Option(names = "--nacos-server", hidden = true)
    private Path nacosServer = Path.of("nacos");

    @Parameters(index = "0", hidden = true)
    private @Nullable Path folder;

    /** Exits with 0 only if every step ended as expected. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new PolicySample()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        Path logs = (folder == null ? Path.of("target", "policy") : folder)
                .toAbsolutePath()
                .resolve(center.name());
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        try (PolicyRun run = new PolicyRun(logs, out, processes -> Center.of(center, processes, logs, nacosServer))) {
            return run.run(quick) ? 0 : 1;
        }
    }
}

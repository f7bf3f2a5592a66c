// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.policy;

import io.highway.tools.processes.RunCommand;
import io.highway.tools.processes.center.Center;
import java.io.PrintStream;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Changes the policy of three running applications by a real config centre. */
@Command(name = "run.sh", mixinStandardHelpOptions = true)
public final class PolicySample extends RunCommand {

    @Option(names = "--center", required = true, description = "zookeeper or nacos")
    private Center.Kind center = Center.Kind.zookeeper;

    @Option(names = "--quick", description = "without the steps that kill the centre")
    private boolean quick;

    @Option(names = "--nacos-client", description = "the version that run.sh has put on the class path")
    private String nacosClient = "of the build";

    @Option(names = "--nacos-server", hidden = true)
    private Path nacosServer = Path.of("nacos");

    /** Exits with 0 only if every step ended as expected. */
    public static void main(String[] arguments) {
        exit(new PolicySample(), arguments);
    }

    @Override
    protected boolean run(Path folder, PrintStream out) throws Exception {
        Path logs = folder.resolve(center.name());
        out.println("Nacos client: " + nacosClient);
        try (PolicyRun run = new PolicyRun(logs, out, processes -> Center.of(center, processes, logs, nacosServer))) {
            return run.run(quick);
        }
    }
}

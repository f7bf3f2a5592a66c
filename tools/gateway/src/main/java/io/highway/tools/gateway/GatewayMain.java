// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs a gateway until the process is stopped, and drains it then. */
@Command(
        name = "gateway",
        mixinStandardHelpOptions = true,
        description = "Forwards Dubbo and Triple calls between islands. For development, demos and tests.")
public final class GatewayMain implements Callable<Integer> {
    @Option(names = "--config", required = true, description = "routes, a YAML file")
    private @Nullable Path config;

    @Option(names = "--ready-file", description = "gets the port as its content once the gateway listens")
    private @Nullable Path readyFile;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new GatewayMain()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        if (config == null) {
            throw new IllegalStateException("picocli gives no command without --config");
        }
        GatewayConfig routes = GatewayConfig.load(config);
        Gateway gateway = Gateway.start(routes);
        Runtime.getRuntime().addShutdownHook(new Thread(gateway::close, "gateway-shutdown"));
        System.out.printf("gateway %s listening on %d%n", routes.island(), gateway.port());
        if (readyFile != null) {
            Files.writeString(readyFile, Integer.toString(gateway.port()));
        }
        new CountDownLatch(1).await();
        return 0;
    }
}

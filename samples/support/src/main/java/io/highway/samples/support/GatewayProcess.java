// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.support;

import io.highway.samples.gateway.Gateway;
import io.highway.samples.gateway.GatewayConfig;
import java.io.IOException;
import java.nio.file.Path;

/** One gateway. In production this is an APISIX, Envoy or nginx. */
final class GatewayProcess {

    private GatewayProcess() {}

    /** The argument is the file with its routes. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        ChildProcess.endWithParent();
        Gateway gateway = Gateway.start(GatewayConfig.load(Path.of(arguments[0])));
        Runtime.getRuntime().addShutdownHook(new Thread(gateway::close));
        ChildProcess.ready(String.valueOf(gateway.port()));
        Thread.currentThread().join(); // until the process is ended
    }
}

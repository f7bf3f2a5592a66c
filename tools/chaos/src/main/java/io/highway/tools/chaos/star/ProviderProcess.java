// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.star;

import io.highway.tools.chaos.service.OrderService;
import io.highway.tools.processes.DubboProvider;
import java.io.IOException;
import java.nio.file.Path;

/** The provider of one island, as plain Dubbo; {@code -Dhighway.island=<id>} is its only setting about islands. */
final class ProviderProcess {

    private ProviderProcess() {}

    /** Arguments: the port for the Dubbo protocol, the one for Triple, and the file of the ledger. */
    public static void main(String[] arguments) throws IOException {
        String island = System.getProperty("highway.island", "");
        new DubboProvider(island + "-provider", island + ".test")
                .listen(arguments[0], arguments[1])
                .export(OrderService.class, new Orders(island, new LedgerWriter(Path.of(arguments[2]))))
                .serve(island);
    }
}

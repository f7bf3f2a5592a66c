// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.bench;

import io.highway.tools.conformance.service.billing.Bills;
import io.highway.tools.gateways.ApplicationsGateway;
import io.highway.tools.gateways.GatewayKind;
import io.highway.tools.gateways.PairGateway;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Gateways under test that are not part of the star; each is started by the case that needs it.
 *
 * @param kind null if the kit has not started the gateway
 * @param folder of their files
 * @param resends whether {@link #pair} has the setting that the case "gateway resends" is against
 */
public record SeparateGateways(
        @Nullable GatewayKind kind, Processes processes, Path folder, Islands islands, boolean resends) {

    private GatewayKind started() {
        if (kind == null) {
            throw new UnsupportedOperationException("the kit did not start this gateway");
        }
        return kind;
    }

    /** In front of two applications of shanghai. */
    ApplicationsGateway applications() throws IOException {
        return ApplicationsGateway.start(
                started(),
                processes,
                folder.resolve("applications"),
                Bench.HOME,
                islands.island("shanghai"),
                islands.startBilling(),
                Bills.class.getName());
    }

    /** In front of two servers at these ports, for the HTTP tunnel. */
    PairGateway pair(int one, int other) throws IOException {
        return PairGateway.start(started(), processes, folder.resolve("pair"), one, other, resends);
    }
}

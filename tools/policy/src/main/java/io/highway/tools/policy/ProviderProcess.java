// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.policy;

import io.highway.tools.processes.DubboProvider;

/** A provider of one island; {@code -Dhighway.island} names it. */
final class ProviderProcess {

    private ProviderProcess() {}

    /** Arguments: the island, the port for both protocols, and the registry's address or {@code N/A}. */
    public static void main(String[] arguments) {
        new DubboProvider("places", arguments[0] + ".test", arguments[2])
                .listen("dubbo", arguments[1], protocol -> protocol.setExtProtocol("tri,"))
                .export(Place.class, () -> arguments[0])
                .serve(arguments[0]);
    }
}

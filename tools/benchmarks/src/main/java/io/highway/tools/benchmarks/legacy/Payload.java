// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.legacy;

import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.fixtures.faults.FaultyLinks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How many bytes a call puts between home's gateway and the hub, both directions together, without what TCP adds. */
final class Payload {

    private static final int CALLS_BEFORE = 5;

    private final Map<Variant, Map<Integer, Double>> bytes = new EnumMap<>(Variant.class);

    private Payload() {}

    /**
     * Counts at links in front of the hub, with separate home gateways.
     *
     * @param calls of each variant and size, one after another
     */
    static Payload count(Hub hub, List<Size> sizes, int calls, Path folder) throws IOException {
        Payload payload = new Payload();
        try (FaultyLinks links = new FaultyLinks()) {
            FaultyLink http = links.link(0, hub.http());
            FaultyLink dubbo = links.link(0, hub.dubbo());
            FaultyLink triple = links.link(0, hub.triple());
            try (HomeSide home = HomeSide.start(new Hub(http.port(), dubbo.port(), triple.port()), folder)) {
                for (Size size : sizes) {
                    payload.count(Variant.VERSION_1, home, size, http, calls);
                    payload.count(Variant.DUBBO, home, size, dubbo, calls);
                    payload.count(Variant.TRIPLE, home, size, triple, calls);
                }
            }
        }
        return payload;
    }

    private void count(Variant variant, HomeSide home, Size size, FaultyLink link, int calls) {
        OrderPath path = home.path(variant);
        call(path, size, CALLS_BEFORE);
        long before = link.traffic().sum();
        call(path, size, calls);
        double perCall = (double) (link.traffic().sum() - before) / calls;
        bytes.computeIfAbsent(variant, missing -> new HashMap<>()).put(size.kilobytes(), perCall);
    }

    private static void call(OrderPath path, Size size, int times) {
        for (int call = 0; call < times; call++) {
            path.place(size.order());
        }
    }

    /** Of one call; NaN for direct ones, which pass no hub. */
    double perCall(Variant variant, Size size) {
        return bytes.getOrDefault(variant, Map.of()).getOrDefault(size.kilobytes(), Double.NaN);
    }

    /** How many times as many bytes version 1 needs. */
    double ratio(Variant tunnel, Size size) {
        return perCall(Variant.VERSION_1, size) / perCall(tunnel, size);
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.thinlink;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The link between two network namespaces, as wide in one direction as in the other.
 *
 * @param near the namespace of the callers, by name
 * @param far the namespace of the provider, by name
 */
record Link(String near, String far) {

    /** Its device, in both namespaces. */
    static final String DEVICE = "wan0";

    /** What may pass at once: eleven packets, which take 4.4 ms at 30 Mbit/s. */
    static final String BURST = "16kb";

    /** How long a packet may wait at most; what would wait longer is dropped, as by a real device with little memory. */
    static final String QUEUE = "50ms";

    /** Sets the width of both directions, in Mbit/s of Ethernet frames; it has none before. */
    void width(int mbit) throws IOException {
        for (String namespace : List.of(near, far)) {
            Tool.run(
                    "tc",
                    "-n",
                    namespace,
                    "qdisc",
                    "replace",
                    "dev",
                    DEVICE,
                    "root", //
                    "tbf",
                    "rate",
                    mbit + "mbit",
                    "burst",
                    BURST,
                    "latency",
                    QUEUE);
        }
    }

    /** What has passed until now; to be asked in the near namespace. */
    static Traffic traffic() throws IOException {
        return new Traffic(count("tx_bytes"), count("tx_packets"), count("rx_bytes"), count("rx_packets"));
    }

    private static long count(String what) throws IOException {
        return Long.parseLong(Files.readString(Path.of("/sys/class/net", DEVICE, "statistics", what))
                .strip());
    }

    /**
     * What passes the link, requests and all they cause: whole Ethernet frames without preamble and checksum.
     *
     * @param bytes towards the provider
     * @param packets towards the provider
     * @param bytesBack towards the callers
     * @param packetsBack towards the callers
     */
    record Traffic(long bytes, long packets, long bytesBack, long packetsBack) {

        Traffic since(Traffic before) {
            return new Traffic(
                    bytes - before.bytes,
                    packets - before.packets,
                    bytesBack - before.bytesBack,
                    packetsBack - before.packetsBack);
        }
    }
}

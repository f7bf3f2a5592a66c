// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The link between two network namespaces, as wide in one direction as in the other. Its packets take the short device,
 * without a delay, until a round trip is set; then the long one, whose packets pass a {@link Delay} in each direction.
 *
 * @param near the namespace of the callers, by name
 * @param far the namespace of the provider, by name
 */
record Link(String near, String far) {

    /** Its short device, in both namespaces. */
    static final String DEVICE = "wan0";

    /** Its long device, in both namespaces: VXLAN. */
    static final String LONG_DEVICE = "wan1";

    /** What carries the datagrams of the long device, in both namespaces: without a limit. */
    static final String CARRIER = "carrier0";

    /** Of the addresses that are set aside for benchmarks (RFC 2544). */
    static final String NEAR_ADDRESS = "198.18.0.1";

    static final String FAR_ADDRESS = "198.18.0.2";
    static final String NEAR_CARRIER = "198.18.1.1";
    static final String FAR_CARRIER = "198.18.1.2";

    /** Where the long device of the near namespace receives datagrams, and to which port it sends. */
    static final int NEAR_PORT = 4791;

    static final int FAR_PORT = 4792;

    private static final List<String> DEVICES = List.of(DEVICE, LONG_DEVICE);

    /** VXLAN does not count it. */
    private static final int ETHERNET_HEADER = 14;

    private static final int ANSWER_MILLIS = 5000;

    static final double BYTES_PER_MEGABIT = 1e6 / 8;

    /** What may pass at once: eleven packets, which take 4.4 ms at 30 Mbit/s. */
    static final String BURST = "16kb";

    /** How long a packet may wait at most; what would wait longer is dropped, as by a real device with little memory. */
    static final String QUEUE = "50ms";

    /** Sets the width of both directions, in Mbit/s of Ethernet frames; it has none before. */
    void width(int mbit) throws IOException {
        for (String namespace : List.of(near, far)) {
            for (String device : DEVICES) {
                Tool.run("tc -n " + namespace + " qdisc replace dev " + device + " root tbf rate " + mbit
                        + "mbit burst " + BURST + " latency " + QUEUE);
            }
        }
    }

    /**
     * Sets the time of a round trip, in milliseconds; to be called in the near namespace. Connections over the link end,
     * and what the system has learnt from them is forgotten: congestion control goes by the shortest round trip so far.
     */
    void roundTrip(int millis) throws IOException {
        long nanos = TimeUnit.MILLISECONDS.toNanos(millis) / 2;
        delay(new InetSocketAddress(NEAR_CARRIER, FAR_PORT), nanos);
        delay(new InetSocketAddress(FAR_CARRIER, NEAR_PORT), nanos);
        takeLongDevice(near, NEAR_ADDRESS, FAR_ADDRESS);
        takeLongDevice(far, FAR_ADDRESS, NEAR_ADDRESS);
        Tool.run("ss -K -t dst " + FAR_ADDRESS);
        for (String namespace : List.of(near, far)) {
            Tool.run("ip -n " + namespace + " tcp_metrics flush all");
        }
    }

    private static void takeLongDevice(String namespace, String from, String to) throws IOException {
        Tool.run("ip -n %s route replace %s dev %s src %s congctl cubic".formatted(namespace, to, LONG_DEVICE, from));
    }

    private static void delay(InetSocketAddress delay, long nanos) throws IOException {
        byte[] message = ByteBuffer.allocate(Long.BYTES).putLong(nanos).array();
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.send(new DatagramPacket(message, message.length, delay));
            socket.receive(new DatagramPacket(message, message.length));
        }
    }

    /** What has passed until now; to be asked in the near namespace. */
    static Traffic traffic() throws IOException {
        long packets = count(LONG_DEVICE, "tx_packets");
        long packetsBack = count(LONG_DEVICE, "rx_packets");
        return new Traffic(
                count(DEVICE, "tx_bytes") + count(LONG_DEVICE, "tx_bytes") + packets * ETHERNET_HEADER,
                count(DEVICE, "tx_packets") + packets,
                count(DEVICE, "rx_bytes") + count(LONG_DEVICE, "rx_bytes") + packetsBack * ETHERNET_HEADER,
                count(DEVICE, "rx_packets") + packetsBack);
    }

    private static long count(String device, String what) throws IOException {
        return Long.parseLong(Files.readString(Path.of("/sys/class/net", device, "statistics", what))
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

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import io.highway.tools.processes.Place;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Two network namespaces, the near one for zhejiang and the far one for shanghai, with nothing but a link between them. Their
 * names have the number of this process in them. They are gone once this process is, however it ends: a guard that outlives it
 * removes them.
 */
final class Namespaces implements AutoCloseable {

    /** Ends with its input. Nothing that is sent to this process's group reaches it. */
    private static final String GUARD =
            """
            trap '' HUP INT TERM
            read ended
            ip netns delete "$1"
            ip netns delete "$2"
            """;

    /** In a namespace without a name, which is gone with the command: all that is needed, tried once. */
    private static final String TRIAL =
            """
            set -e
            ip link add name a type veth peer name b
            ip link set dev a gso_max_segs 1
            ip link set dev a up
            ip address add 198.18.0.1/30 dev a
            ip route replace 198.18.0.0/30 dev a congctl cubic
            ip link add name c type vxlan id 1 local 198.18.0.1 remote 198.18.0.2 dstport 4791 noudpcsum nolearning
            tc qdisc add dev c root tbf rate 30mbit burst 16kb latency 50ms
            """;

    private static final String NETWORK = "198.18.0.0/30";

    /** Of a carrier: room for an Ethernet frame of 1514 bytes and 50 bytes around it. */
    private static final String CARRIER_MTU = "1600";

    private final Link link;
    private final Path hosts;
    private final Process guard;

    private Namespaces(Link link, Path hosts) throws IOException {
        this.link = link;
        this.hosts = hosts;
        this.guard = new ProcessBuilder(Tool.line("setsid sh -c", GUARD, "sh", link.near(), link.far()))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Why there can be none here, and what to do about it; empty if there can. */
    static Optional<String> whyNot() {
        if (!"Linux".equals(System.getProperty("os.name"))) {
            return Optional.of("it needs Linux, for network namespaces");
        }
        try {
            Tool.run("ip -Version");
            Tool.run("tc -Version");
        } catch (IOException e) {
            return Optional.of("it needs iproute2; run: tools/gateways/install.sh iproute2 (" + e.getMessage() + ")");
        }
        try {
            if (!Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
                return Optional.of("it needs root, for network namespaces");
            }
            Tool.run("unshare --net sh -c", TRIAL);
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("this machine does not let root make network namespaces with a link of limited width: "
                    + e.getMessage());
        }
    }

    /** Makes them, with a link of no limit yet; the hosts file is written into the folder. */
    static Namespaces create(Path folder) throws IOException {
        long process = ProcessHandle.current().pid();
        Link link = new Link("highway-near-" + process, "highway-far-" + process);
        Path hosts = folder.toAbsolutePath().resolve("hosts");
        String self = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        Files.writeString(
                hosts,
                """
                127.0.0.1 localhost %s
                %s zhejiang.test gateway.zhejiang.test
                %s shanghai.test gateway.shanghai.test
                """
                        .formatted(self, Link.NEAR_ADDRESS, Link.FAR_ADDRESS));
        Namespaces namespaces = new Namespaces(link, hosts);
        try {
            namespaces.build();
            return namespaces;
        } catch (IOException | RuntimeException e) {
            namespaces.close();
            throw e;
        }
    }

    private void build() throws IOException {
        Tool.run("ip netns add " + link.near());
        Tool.run("ip netns add " + link.far());
        pair(Link.DEVICE);
        connect(link.near(), Link.NEAR_ADDRESS);
        connect(link.far(), Link.FAR_ADDRESS);
        pair(Link.CARRIER);
        lengthen(link.near(), Link.NEAR_CARRIER, Link.FAR_CARRIER, Link.NEAR_PORT);
        lengthen(link.far(), Link.FAR_CARRIER, Link.NEAR_CARRIER, Link.FAR_PORT);
    }

    private void pair(String device) throws IOException {
        Tool.run("ip -n %1$s link add name %2$s type veth peer name %2$s netns %3$s"
                .formatted(link.near(), device, link.far()));
    }

    /**
     * Lets no packet be larger than a real link's, 1500 bytes, where Linux would hand over dozens in one. The congestion
     * control is Linux's usual one, whatever the machine has.
     */
    private static void connect(String namespace, String address) throws IOException {
        String ip = "ip -n " + namespace;
        Tool.run(ip + " link set dev lo up");
        up(namespace, Link.DEVICE);
        Tool.run(ip + " address add " + address + "/30 dev " + Link.DEVICE);
        Tool.run(ip + " route replace " + NETWORK + " dev " + Link.DEVICE + " congctl cubic");
    }

    private static void up(String namespace, String device) throws IOException {
        Tool.run("ip -n " + namespace + " link set dev " + device + " gso_max_segs 1");
        Tool.run("ip -n " + namespace + " link set dev " + device + " up");
    }

    /** Adds the long device: what it sends over the carrier is received by a {@link Delay}, as its port is another one. */
    private static void lengthen(String namespace, String own, String other, int port) throws IOException {
        String ip = "ip -n " + namespace;
        Tool.run(ip + " link set dev " + Link.CARRIER + " mtu " + CARRIER_MTU + " up");
        Tool.run(ip + " address add " + own + "/30 dev " + Link.CARRIER);
        Tool.run(ip + " link add name " + Link.LONG_DEVICE + " mtu 1500 type vxlan id 1 local " + own + " remote "
                + other + " dstport " + port + " noudpcsum nolearning");
        up(namespace, Link.LONG_DEVICE);
    }

    Link link() {
        return link;
    }

    /** Where zhejiang is. */
    Place near() {
        return place(link.near());
    }

    /** Where shanghai is. */
    Place far() {
        return place(link.far());
    }

    private Place place(String namespace) {
        return new Place(Tool.line("ip netns exec " + namespace), List.of("-Djdk.net.hosts.file=" + hosts));
    }

    /** Removes them; whatever ran in them has to have ended. */
    @Override
    public void close() {
        try (OutputStream ended = guard.getOutputStream()) {
            ended.write('\n');
        } catch (IOException e) {
            // it has ended
        }
        try {
            guard.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // it does its work all the same
        }
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What depends on the whole process: its class path, and the JVM's own proxy. */
@Tag("network")
class ForwardProxyProcessTest {

    @TempDir
    private static Path directory;

    /** In the process itself. */
    public static void main(String[] arguments) {
        try (Star star = new Star()) {
            for (Tunnel tunnel : Tunnel.values()) {
                Shop shop = shop(star, tunnel);
                System.out.println(tunnel + " -> " + Highway.to("shanghai").call(() -> shop.sell("tea")));
            }
            try {
                Shop unused = shop(star, Tunnel.DUBBO, "highway.gateways.proxy", "http://127.0.0.1:1");
            } catch (HighwayConfigurationException e) {
                System.out.println("proxy -> " + e.getMessage());
            }
        }
        System.exit(0); // Dubbo leaves threads
    }

    private static Shop shop(Star star, Tunnel tunnel, String... keys) {
        return star.reference(Shop.class, star.properties(tunnel, keys), config -> config.setCheck(false));
    }

    private static String run(String name, String classPath, String... options) throws Exception {
        Path log = directory.resolve(name);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djdk.net.hosts.file=" + System.getProperty("jdk.net.hosts.file")));
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", classPath, ForwardProxyProcessTest.class.getName()));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(log);
    }

    /** Dubbo brings netty-handler-proxy, which an application may exclude. */
    @Test
    void aProxyFailsTheStartUp_withTheDependencyToAdd() throws Exception {
        String classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("netty-handler-proxy"))
                .collect(Collectors.joining(File.pathSeparator));

        assertThat(run("excluded", classPath))
                .contains("DUBBO -> shanghai:tea")
                .contains("TRIPLE -> shanghai:tea")
                .contains(
                        "proxy -> highway.gateways.proxy: it needs netty-handler-proxy, which is not on the class path."
                                + " Add the dependency io.netty:netty-handler-proxy");
    }

    /** Dubbo asks it for the connections of its own protocol, behind what the SDK adds to those to gateways. */
    @Test
    void theJvmsSocksProxyIsNotForGateways() throws Exception {
        assertThat(run("socks", System.getProperty("java.class.path"), "-DsocksProxyHost=proxy.nowhere.test"))
                .contains("DUBBO -> shanghai:tea")
                .contains("TRIPLE -> shanghai:tea");
    }
}

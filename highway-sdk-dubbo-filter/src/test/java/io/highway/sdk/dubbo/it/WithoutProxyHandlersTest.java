// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that excludes netty-handler-proxy, which Dubbo brings: everything works but {@code gateways.proxy}. */
@Tag("network")
class WithoutProxyHandlersTest {

    /** In the process itself. */
    public static void main(String[] arguments) {
        try (Star star = new Star()) {
            for (Tunnel tunnel : Tunnel.values()) {
                Shop shop = star.shop(tunnel);
                System.out.println(tunnel + " -> " + Highway.to("shanghai").call(() -> shop.sell("tea")));
            }
            try {
                Shop unused = star.shop(Tunnel.DUBBO, "highway.gateways.proxy", "http://127.0.0.1:1");
            } catch (HighwayConfigurationException e) {
                System.out.println("proxy -> " + e.getMessage());
            }
        }
        System.exit(0); // Dubbo leaves threads
    }

    @Test
    void aProxyFailsTheStartUp_withTheDependencyToAdd(@TempDir Path directory) throws Exception {
        String classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("netty-handler-proxy"))
                .collect(Collectors.joining(File.pathSeparator));
        Path log = directory.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Djdk.net.hosts.file=" + System.getProperty("jdk.net.hosts.file"),
                        "-cp",
                        classPath,
                        WithoutProxyHandlersTest.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }

        assertThat(Files.readString(log))
                .contains("DUBBO -> shanghai:tea")
                .contains("TRIPLE -> shanghai:tea")
                .contains(
                        "proxy -> highway.gateways.proxy: it needs netty-handler-proxy, which is not on the class path."
                                + " Add the dependency io.netty:netty-handler-proxy");
    }
}

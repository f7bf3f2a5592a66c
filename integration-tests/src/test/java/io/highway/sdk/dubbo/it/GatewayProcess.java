// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Home's gateway in a separate process, which can be stopped and continued. */
final class GatewayProcess implements AutoCloseable {

    private static final String LISTENING = "listening: ";

    private final Process process;
    private final int port;

    private GatewayProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Starts it; it reaches shanghai at this address. */
    static GatewayProcess start(String shanghai) throws IOException {
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx128m",
                        "-Djdk.net.hosts.file=" + System.getProperty("jdk.net.hosts.file"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        GatewayProcess.class.getName(),
                        shanghai))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(LISTENING)) {
                return new GatewayProcess(process, Integer.parseInt(line.substring(LISTENING.length())));
            }
        }
        throw new IOException("the gateway has not started");
    }

    /** In the process itself: the argument is the address of shanghai's gateway. */
    public static void main(String[] arguments) throws InterruptedException {
        Gateway gateway = Gateway.start(GatewayConfig.builder()
                .island("zhejiang")
                .listen("gateway.zhejiang.test", 0)
                .next("shanghai", List.of(arguments[0]))
                .build());
        System.out.println(LISTENING + gateway.port());
        Thread.currentThread().join();
    }

    int port() {
        return port;
    }

    /** SIGSTOP: its connections stay, and nothing is read or answered. */
    void suspend() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** SIGCONT. */
    void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A provider of shanghai in a separate process, with the SDK, in a registry. Dubbo's Triple servers end with any other
 * in a process.
 */
final class ProviderProcess implements AutoCloseable {

    private static final String READY = "ready: ";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process process;

    private ProviderProcess(Process process) {
        this.process = process;
    }

    /** Starts it, with these keys and values besides its island; returns once it is in the registry. */
    static ProviderProcess start(String registry, Path output, String... keys) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-Djdk.net.hosts.file=" + System.getProperty("jdk.net.hosts.file")));
        for (int i = 0; i < keys.length; i += 2) {
            command.add("-D" + keys[i] + "=" + keys[i + 1]);
        }
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), ProviderProcess.class.getName(), registry));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        ProviderProcess provider = new ProviderProcess(process);
        await().atMost(PATIENCE).until(() -> Files.readString(output).contains(READY));
        return provider;
    }

    /** In the process itself: the argument is the registry. */
    public static void main(String[] arguments) throws InterruptedException {
        TestApplication application = new TestApplication(
                        "shanghai", Map.of("highway.island", "shanghai", "dubbo.service.shutdown.wait", "3000"))
                .registries(arguments[0]);
        application.listen("dubbo");
        application.listen("tri");
        application
                .export(Shop.class, new ShopKeeper("shanghai"), service -> {})
                .start();
        System.out.println(READY + ProcessHandle.current().pid());
        Thread.currentThread().join();
    }

    /** Sends SIGTERM, as operators do, and waits until it has ended. */
    void stop() throws InterruptedException {
        process.destroy();
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.hellospringboot.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highway.samples.hellospringboot.shanghai.ShanghaiApplication;
import io.highway.samples.hellospringboot.zhejiang.ZhejiangApplication;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.gateways.GatewayKind;
import io.highway.tools.gateways.OwnApplication;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code samples/quickstart/run.sh --provider}, with what it prints as the only configuration about islands. */
@Tag("network")
class OwnApplicationTest {

    private static final Duration PATIENCE = Duration.ofSeconds(150);

    private final List<Process> processes = new ArrayList<>();

    @TempDir
    Path folder;

    @AfterEach
    void end() {
        processes.forEach(Process::destroyForcibly);
        processes.forEach(process -> assertThat(process.onExit()).succeedsWithin(PATIENCE));
    }

    @Test
    @Timeout(240)
    void anApplicationCallsShanghai_withThreeLines_withoutHostsFileAndOptionsOfTheVirtualMachine() throws Exception {
        try (OwnApplication star = OwnApplication.start(folder, GatewayKind.REFERENCE, FreePorts.next())) {
            List<String> printed = printed(star);
            List<String> lines =
                    printed.stream().filter(line -> line.startsWith("highway.")).toList();
            assertThat(lines).hasSize(3);
            Path configuration = Files.write(
                    folder.resolve("application.properties"),
                    Stream.concat(
                                    lines.stream(),
                                    Stream.of(
                                            "dubbo.application.name=hello",
                                            "dubbo.application.qos-enable=false",
                                            "dubbo.registry.address=" + star.registry()))
                            .toList());

            start(
                    ShanghaiApplication.class,
                    configuration,
                    printed.stream().filter(line -> line.startsWith("--")).toList());
            AtomicReference<Process> caller =
                    new AtomicReference<>(start(ZhejiangApplication.class, configuration, List.of()));
            await().atMost(PATIENCE).untilAsserted(() -> {
                if (!caller.get().isAlive()) { // it ended with its only call: before shanghai was ready
                    caller.set(start(ZhejiangApplication.class, configuration, List.of()));
                }
                assertThat(output(ZhejiangApplication.class)).content().contains("Hello zhejiang, this is shanghai");
            });
        }
    }

    private static List<String> printed(OwnApplication star) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        star.explain(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }

    /** As a user starts it. */
    private Process start(Class<?> application, Path configuration, List<String> options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                application.getName(),
                "--spring.config.location=file:" + configuration));
        command.addAll(options);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output(application).toFile())
                .start();
        processes.add(process);
        return process;
    }

    private Path output(Class<?> application) {
        return folder.resolve(application.getSimpleName() + ".log");
    }
}

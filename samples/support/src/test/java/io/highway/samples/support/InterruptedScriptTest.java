// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A script as those of the samples, which has started a Java process and a native one. */
@Tag("network")
@Timeout(120)
class InterruptedScriptTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private Process script;
    private Path output;
    private List<ProcessHandle> all = List.of();

    /** What the script runs. */
    static final class Sample {

        private Sample() {}

        public static void main(String[] arguments) throws IOException, InterruptedException {
            try (Processes processes = new Processes(Path.of(arguments[0]))) {
                processes.registry();
                processes.startProgram("native", List.of("sleep", "1000"));
                System.out.println("started");
                Thread.currentThread().join();
            }
        }
    }

    @BeforeEach
    void start() throws IOException {
        Path file = Files.writeString(
                folder.resolve("run.sh"),
                """
                #!/bin/sh
                # SPDX-License-Identifier: Apache-2.0
                # Usage: run.sh
                set -eu
                sample=sample
                . "$OPTIONS"
                supervise "$JAVA" "-Djdk.net.hosts.file=$HOSTS" -cp "$CLASS_PATH" "$MAIN" "$FOLDER"
                """);
        output = folder.resolve("output");
        // a shell cannot trap a signal that was ignored when it started, as in what runs in the background
        ProcessBuilder builder = new ProcessBuilder("env", "--default-signal=INT", "setsid", "sh", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment()
                .put("OPTIONS", Path.of("options.sh").toAbsolutePath().toString());
        builder.environment()
                .put(
                        "JAVA",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString());
        builder.environment().put("HOSTS", System.getProperty("jdk.net.hosts.file"));
        builder.environment().put("CLASS_PATH", System.getProperty("java.class.path"));
        builder.environment().put("MAIN", Sample.class.getName());
        builder.environment().put("FOLDER", folder.toString());
        script = builder.start();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(output).content().contains("started"));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(all = script.descendants().toList())
                        .hasSizeGreaterThanOrEqualTo(3)
                        .anyMatch(process -> process.info().command().orElse("").endsWith("sleep")));
    }

    @AfterEach
    void endAll() {
        all.forEach(ProcessHandle::destroyForcibly);
        script.destroyForcibly();
    }

    private void signal(String signal, String to) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + signal, "--", to).start().waitFor())
                .isZero();
    }

    private void assertNothingIsLeft() {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(all).noneMatch(ProcessHandle::isAlive));
    }

    private void assertInterrupted() throws Exception {
        assertThat(script.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(script.exitValue()).isEqualTo(130);
        assertThat(output).content().isEqualTo("started\nsample: interrupted\n");
        assertThat(all).noneMatch(ProcessHandle::isAlive);
    }

    /** A terminal sends it to the whole group. */
    @Test
    void leavesNothing_afterCtrlC() throws Exception {
        signal("INT", "-" + script.pid());

        assertInterrupted();
    }

    @Test
    void leavesNothing_whenItIsTerminated() throws Exception {
        signal("TERM", String.valueOf(script.pid()));

        assertInterrupted();
    }

    @Test
    void leavesNothing_whenItIsKilled() throws Exception {
        signal("KILL", String.valueOf(script.pid()));

        assertNothingIsLeft();
    }
}

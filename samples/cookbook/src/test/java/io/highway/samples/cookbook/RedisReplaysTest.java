// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.cookbook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.fixtures.time.Waiting;
import io.highway.tools.processes.Processes;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processes that share the store, each by a client of its own; needs a Redis, which {@code .ci/run} installs. */
@Tag("network")
class RedisReplaysTest {

    private static final Duration KEEP = Duration.ofMinutes(2);

    @TempDir
    Path folder;

    private final int port = FreePorts.next();
    private Processes processes;
    private RedisReplays one;
    private RedisReplays other;

    @BeforeEach
    void start() throws IOException {
        assumeThat(Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .map(place -> Path.of(place, "redis-server")))
                .as("redis-server is installed")
                .anyMatch(Files::isExecutable);
        processes = new Processes(folder);
        List<String> redis =
                List.of("redis-server", "--port", String.valueOf(port), "--bind", "127.0.0.1", "--save", "");
        processes.startProgram("redis", redis, List.of(port));
        one = new RedisReplays("127.0.0.1", port);
        other = new RedisReplays("127.0.0.1", port);
    }

    @AfterEach
    void stop() {
        if (processes != null) {
            one.close();
            other.close();
            processes.close();
        }
    }

    @Test
    void acceptsASignatureInOneProcessOnly() {
        assertThat(one.addIfAbsent("a", KEEP)).isTrue();
        assertThat(other.addIfAbsent("a", KEEP)).isFalse();
        assertThat(one.addIfAbsent("a", KEEP)).isFalse();
        assertThat(other.addIfAbsent("b", KEEP)).isTrue();
    }

    @Test
    void acceptsItOnce_whenAllCopiesComeTogether() {
        for (int round = 0; round < 50; round++) {
            String id = "together-" + round;
            assertThat(IntStream.range(0, 64).parallel().filter(copy -> (copy % 2 == 0 ? one : other)
                            .addIfAbsent(id, KEEP)))
                    .hasSize(1);
        }
    }

    @Test
    void forgetsIt_whenItIsTooOldToBeAccepted() {
        one.addIfAbsent("old", Duration.ofMillis(50));

        assertThat(Waiting.until(Duration.ofSeconds(20), 10, () -> other.addIfAbsent("old", KEEP)))
                .isTrue();
    }

    /** The SDK refuses the call then, as {@code busy}. */
    @Test
    void fails_whenRedisIsGone() {
        processes.end("redis");

        assertThatThrownBy(() -> one.addIfAbsent("a", KEEP)).hasMessageContaining("" + port);
    }
}

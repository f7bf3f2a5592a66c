// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.highway.tools.gateways.NginxServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Needs nginx and Redis; {@code run.sh} installs them. */
@Tag("network")
class SecurityTest {

    @Test
    @Timeout(300)
    void nothingRunsThatMustNot_andAllThatRanWasAudited() throws Exception {
        assumeThat(NginxServer.installed()).isPresent();
        assumeThat(Stream.of("/usr/bin", "/usr/local/bin").map(folder -> Path.of(folder, "redis-server")))
                .anyMatch(Files::isExecutable);
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

        boolean good = new SecurityRun(Path.of("target", "security-test").toAbsolutePath(), true, out).run();

        List<String> lines = printed.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(good).as(String.join("\n", lines)).isTrue();
        assertThat(lines).filteredOn(line -> line.contains("WRONG")).isEmpty();
        assertThat(lines.get(lines.size() - 1))
                .matches("\\{\"attempts\":\\d+,\"executed_wrongly\":0,\"audited\":(\\d+),\"ledger\":\\1}");
        assertThat(ProcessHandle.current().children()).isEmpty();
    }
}

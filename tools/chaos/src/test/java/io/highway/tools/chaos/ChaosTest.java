// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.tools.chaos.load.Compression;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("network")
@Tag("long")
class ChaosTest {

    private static final Set<String> FAULTS =
            Set.of("provider killed", "connections reset", "both home gateways killed");

    @Test
    @Timeout(240)
    void accountsForEveryCall_whenPartsFail() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        Path folder = Files.createDirectories(Path.of("target", "chaos-test"));
        String auditedEarlier = "[main] INFO highway.audit - {\"event\":\"end\",\"direction\":\"in\",\"sent\":true,"
                + "\"trace\":\"0000000000000000000000007fffffff\"}";
        Files.writeString(folder.resolve("shanghai-provider-b.log"), auditedEarlier);

        boolean good = new ChaosRun(
                        folder, 4, false, fault -> FAULTS.contains(fault.name()), Compression.ZSTD, false, null, out)
                .run();

        List<String> lines = printed.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines)
                .filteredOn(line -> FAULTS.stream().anyMatch(line::startsWith))
                .hasSameSizeAs(FAULTS);
        assertThat(lines.get(lines.size() - 1))
                .startsWith("{\"calls\":")
                .contains("\"doubled\":0,\"misrouted\":0,\"hung\":0,\"slowest_recovery_ms\":")
                .contains("\"unaccounted\":0")
                .contains("\"unaudited\":0");
        assertThat(ProcessHandle.current().children()).isEmpty();
    }
}

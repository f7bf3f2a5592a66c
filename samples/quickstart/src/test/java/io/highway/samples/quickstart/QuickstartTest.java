// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.samples.gateways.GatewayKind;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("network")
class QuickstartTest {

    @Test
    @Timeout(60)
    void everyCallDoesWhatIsExpected() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

        boolean allAsExpected = Quickstart.run(Path.of("target", "quickstart-test"), GatewayKind.REFERENCE, false, out);

        List<String> lines = printed.toString(StandardCharsets.UTF_8).lines().toList();
        int calls = lines.size() - 1;
        assertThat(lines.get(calls)).isEqualTo("quickstart: " + calls + " calls, " + calls + " as expected");
        assertThat(calls).isGreaterThanOrEqualTo(16);
        assertThat(lines.subList(0, calls))
                .allMatch(line ->
                        line.matches("route=(home|island) tunnel=(none|dubbo|triple) from=[a-z]+ answer=.* ms=\\d+"
                                + "( refused=[a-z-]+)?"));
        assertThat(allAsExpected).isTrue();
        assertThat(ProcessHandle.current().children()).isEmpty();
    }
}

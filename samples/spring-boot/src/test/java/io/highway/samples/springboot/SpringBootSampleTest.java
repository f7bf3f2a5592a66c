// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("network")
class SpringBootSampleTest {

    @Test
    @Timeout(120)
    void everyCheckPasses() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

        boolean passed = SpringBootSample.run(Path.of("target", "spring-boot-test"), out);

        List<String> lines = printed.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines.get(lines.size() - 1)).matches("spring-boot sample: (\\d\\d) checks, \\1 passed");
        assertThat(passed).isTrue();
        assertThat(ProcessHandle.current().children()).isEmpty();
    }
}

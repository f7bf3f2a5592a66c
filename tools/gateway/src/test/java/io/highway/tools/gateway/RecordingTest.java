// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import static io.highway.tools.gateway.TestCaller.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("network")
class RecordingTest {

    @TempDir
    private Path folder;

    @Test
    void writesRequestsAndAnswersOfTripleCalls() throws Exception {
        try (TestProviders island = TestProviders.start("shanghai");
                TestCaller caller = new TestCaller()) {
            try (Gateway gateway = gateway(island, 1000)) {
                EchoService triple = caller.refer(EchoService.class, "tri", gateway.port());
                EchoService dubbo = caller.refer(EchoService.class, "dubbo", gateway.port());
                to("shanghai", () -> triple.echo("first " + "long ".repeat(10_000)));
                to("shanghai", () -> triple.bytes(new byte[200_000]).length);
                to("shanghai", () -> triple.echo("second"));
                to("shanghai", () -> dubbo.echo("by dubbo"));
            }

            TreeMap<String, String> recorded = recorded();

            assertThat(recorded.keySet())
                    .containsExactly("000001-request", "000002-answer", "000003-request", "000004-answer");
            assertThat(recorded.get("000001-request"))
                    .contains("first ", "long long")
                    .hasSizeGreaterThan(50_000);
            assertThat(recorded.get("000002-answer"))
                    .contains("shanghai:first ")
                    .hasSizeGreaterThan(50_000);
            assertThat(recorded.get("000003-request")).contains("second").hasSizeLessThan(200);
            assertThat(recorded.get("000004-answer"))
                    .contains("shanghai:second")
                    .hasSizeLessThan(200);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory())))
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void endsAtTheLimit_whichIncludesEarlierMessages() throws Exception {
        try (TestProviders island = TestProviders.start("shanghai");
                TestCaller caller = new TestCaller()) {
            for (int run = 0; run < 2; run++) {
                try (Gateway gateway = gateway(island, 3)) {
                    EchoService triple = caller.refer(EchoService.class, "tri", gateway.port());
                    to("shanghai", () -> triple.echo("one"));
                    assertThat(to("shanghai", () -> triple.echo("two"))).isEqualTo("shanghai:two");
                }
            }

            assertThat(recorded().keySet()).containsExactly("000001-request", "000002-answer", "000003-request");
        }
    }

    @Test
    void writesNothing_withoutTheKey() throws Exception {
        try (TestProviders island = TestProviders.start("shanghai");
                TestCaller caller = new TestCaller();
                Gateway gateway = Gateway.start(island.inFront().build())) {
            EchoService triple = caller.refer(EchoService.class, "tri", gateway.port());

            to("shanghai", () -> triple.echo("one"));

            assertThat(folder).isEmptyDirectory();
        }
    }

    @Test
    void namesTheDirectory_thatCannotBeUsed() throws Exception {
        Files.writeString(directory(), "a file");
        GatewayConfig config = GatewayConfig.builder()
                .island("shanghai")
                .record(directory(), 10)
                .build();

        assertThatThrownBy(() -> Gateway.start(config))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("record.directory: '" + directory() + "' cannot be used: ");
    }

    private Path directory() {
        return folder.resolve("recorded");
    }

    private Gateway gateway(TestProviders island, int messages) {
        return Gateway.start(island.inFront().record(directory(), messages).build());
    }

    /** What was recorded for shanghai, by the name of the file. */
    private TreeMap<String, String> recorded() throws IOException {
        TreeMap<String, String> recorded = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory().resolve("shanghai"))) {
            for (Path file : List.copyOf(files.toList())) {
                recorded.put(
                        file.getFileName().toString(),
                        new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
            }
        }
        return recorded;
    }
}

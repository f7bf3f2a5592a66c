// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.highway.tools.gateways.GatewayKind;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@Tag("network")
class QuickstartTest {

    @Test
    @Timeout(60)
    void everyCallDoesWhatIsExpected() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

        Path folder = Path.of("target", "quickstart-test");

        boolean allAsExpected = Quickstart.run(folder, GatewayKind.REFERENCE, false, true, out);

        List<String> lines = printed.toString(StandardCharsets.UTF_8).lines().toList();
        int calls = lines.size() - 1;
        assertThat(lines.get(calls)).isEqualTo("quickstart: " + calls + " calls, " + calls + " as expected");
        assertThat(calls).isGreaterThanOrEqualTo(16);
        assertThat(lines)
                .filteredOn(line -> line.contains("answer=guangdong (dubbo, "))
                .hasSize(2);
        assertThat(lines.subList(0, calls))
                .allMatch(line ->
                        line.matches("route=(home|island) tunnel=(none|dubbo|triple) from=[a-z]+ answer=.* ms=\\d+"
                                + "( refused=[a-z-]+)?"));
        assertThat(allAsExpected).isTrue();
        assertThat(folder.resolve("star.html"))
                .content()
                .contains(
                        "<script id=\"report\" type=\"application/json\">{\"home\":\"zhejiang\"",
                        "\"beijing\":{",
                        "\"reason\":\"not-forwarded\"");
        assertThat(ProcessHandle.current().children()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {2181, 20990, 50990})
    @Timeout(60)
    void refusesThePortsOfGatewayAndRegistry_forAProvider(int port) {
        StringWriter error = new StringWriter();

        int exit = new CommandLine(new Quickstart())
                .setErr(new PrintWriter(error))
                .execute("--provider", String.valueOf(port));

        assertThat(exit).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(error)
                .asString()
                .contains("--provider: '" + port + "' is a port of the gateway or the registry; use another");
    }

    @Test
    @Timeout(120)
    void leavesTheIslandsRunning_untilItIsEnded() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        FutureTask<Boolean> run = new FutureTask<>(() ->
                Quickstart.run(Path.of("target", "quickstart-keep-test"), GatewayKind.REFERENCE, true, false, out));
        Thread runner = new Thread(run);
        runner.start();

        Properties addresses = new Properties();
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            addresses.load(new StringReader(printed.toString(StandardCharsets.UTF_8)));
            assertThat(addresses)
                    .containsKeys("dubbo.registry.address", "highway.islands.beijing.gateways.triple")
                    .containsEntry("highway.island", "zhejiang");
        });
        String gateway = addresses.getProperty("highway.islands.shanghai.gateways.dubbo");
        try (Socket socket = new Socket("127.0.0.1", Integer.parseInt(gateway.replace("127.0.0.1:", "")))) {
            assertThat(socket.isConnected()).isTrue();
        }

        runner.interrupt();
        assertThatThrownBy(run::get).hasCauseInstanceOf(InterruptedException.class);
        assertThat(ProcessHandle.current().children()).isEmpty();
    }
}

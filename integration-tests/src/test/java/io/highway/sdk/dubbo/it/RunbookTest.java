// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.tools.fixtures.ports.FreePorts;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.dubbo.config.ApplicationConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What {@code docs/operate/operations.md} shows of the commands is what they print, at the address that it names.
 * {@code -Drunbook.page=write} writes it.
 */
@Tag("network")
@Tag("any-dubbo") // Dubbo 3.2 exports a service of its own
class RunbookTest {

    private static final Path DOCS = Path.of("").toAbsolutePath().getParent().resolve("docs");
    private static final Path PAGE = DOCS.resolve("operate/operations.md");
    private static final List<Path> PAGES = List.of(PAGE, DOCS.resolve("zh/operations.md"));
    private static final String SHOP = Shop.class.getName();
    private static final String SERVICE = "com.foo.SmsService";

    private static Star star;
    private static int qosPort;
    private static int closedPort;

    @BeforeAll
    static void start() {
        star = new Star();
        qosPort = FreePorts.next();
        closedPort = FreePorts.next();
        TestApplication consumer = star.consumer(star.properties(
                Tunnel.TRIPLE,
                "highway.gateways.dubbo",
                "gateway.zhejiang.test:" + closedPort,
                "highway.defaults.tunnel",
                "dubbo,triple",
                "highway.heartbeat.slow",
                "10s")); // a slow machine is no finding of the probe
        ApplicationConfig application =
                consumer.model().getApplicationConfigManager().getApplicationOrElseThrow();
        application.setQosEnable(true);
        application.setQosPort(qosPort);
        Shop shop = consumer.reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo))
                .get();
        for (String island : List.of("shanghai", "beijing")) {
            assertThat(Highway.to(island).call(() -> shop.sell("tea"))).isEqualTo(island + ":tea");
            await().untilAsserted(() -> assertThat(printed("highway"))
                    .containsPattern(island + " +triple +dubbo +gateway\\S+ +down +- +.*refused")
                    .containsPattern(island + " +triple +triple +gateway\\S+ +up +\\d"));
        }
    }

    @AfterAll
    static void stop() {
        star.close();
    }

    private static String printed(String path) throws IOException {
        try (InputStream in = URI.create("http://127.0.0.1:" + qosPort + "/"
                        + path.replace("com.foo.SmsService%23send", SHOP + "%23sell"))
                .toURL()
                .openStream()) {
            return withNamesOfThePage(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /** Columns stay aligned. */
    private static String withNamesOfThePage(String printed) {
        String call = SERVICE + "#send";
        return printed.replace(SHOP + "#sell ", call + " ".repeat(SHOP.length() - SERVICE.length() + 1))
                        .replace(SHOP + "#sell", call)
                        .replace(SHOP, SERVICE)
                        .replaceAll("(:| port )" + closedPort, "$120880")
                        .replaceAll("(:| port )" + star.gateway().port(), "$150051")
                        .replaceAll("SDK [\\w.-]+", "SDK 0.1.0") // classes that are in no jar have no version
                        .replaceAll("(?m)[ \\t]+$", "")
                        .stripTrailing()
                + "\n";
    }

    /** Without times, ports and the width of columns. */
    private static String masked(String printed) {
        return printed.replaceAll("\\d[\\d.:TZ-]*", "0").replaceAll(" +", " ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"highway", "highwayProbe", "highwayExplain"})
    void showsWhatTheCommandPrints(String command) throws IOException {
        Matcher address = Pattern.compile("localhost:22222/(" + command + "(?:\\?[^'`]+)?)['`]")
                .matcher(Files.readString(PAGE));
        assertThat(address.find()).isTrue();

        String printed = printed(address.group(1))
                .replaceFirst("(?s)\n2 +home-requested .*\n10 ", "\n...\n10 ")
                .replaceFirst("(?s)\n\nHEADER .*", "\n...\n"); // and limits

        String mark = "<!-- " + command + " -->\n";
        Pattern shown = Pattern.compile("(?s)" + mark + "(?:```text\n(.*?)```\n)?<!-- end -->");
        for (Path page : PAGES) {
            String text = Files.readString(page);
            if (System.getProperty("runbook.page", "").equals("write")) {
                String block = mark + "```text\n" + printed + "```\n<!-- end -->";
                text = shown.matcher(text).replaceFirst(Matcher.quoteReplacement(block));
                Files.writeString(page, text);
            }
            Matcher block = shown.matcher(text);
            boolean isShown = block.find();
            assertThat(isShown).as(page + ": " + mark).isEqualTo(page.equals(PAGE) || command.equals("highway"));
            assertThat(isShown ? masked(block.group(1)) : masked(printed))
                    .as("the output of %s in %s; -Drunbook.page=write writes it", command, page)
                    .isEqualTo(masked(printed));
        }
    }
}

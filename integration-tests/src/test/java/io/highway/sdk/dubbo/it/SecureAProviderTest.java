// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.internal.operate.audit.AuditTrail;
import io.highway.sdk.dubbo.internal.operate.report.HighwayExplainCommand;
import io.highway.sdk.dubbo.internal.operate.report.HighwayProbeCommand;
import io.highway.tools.fixtures.logs.CapturedLog;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.dubbo.qos.api.CommandContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The configuration in docs/operate/secure-a-provider.md serves and refuses as described, and prints what the page shows. */
@Tag("network")
class SecureAProviderTest {

    private static final String OF_STRANGER = "127.0.0.1";
    private static final String OF_HOME = "127.0.0.9";

    /** Names of the page and what they are here. */
    private static final Map<String, String> NAMES = Map.of(
            "10.1.0.10",
            GuardedIsland.GATEWAY,
            "10.1.0.0/16",
            OF_HOME,
            "10.9.0.7",
            OF_STRANGER,
            "com.foo.Shop",
            Shop.class.getName(),
            "zhejiang/shop",
            "zhejiang/zhejiang-app");

    @TempDir
    private Path folder;

    private String page;
    private AuditTrail trail;

    @BeforeEach
    void read() throws IOException {
        page = Files.readString(Path.of("").toAbsolutePath().getParent().resolve("docs/operate/secure-a-provider.md"));
        trail = new AuditTrail();
    }

    @AfterEach
    void close() {
        trail.close();
    }

    private List<String> blocks(String language) {
        return Pattern.compile("(?s)```" + language + "\\n(.*?)```")
                .matcher(page)
                .results()
                .map(block -> block.group(1))
                .toList();
    }

    /** The keys of a block, with the names that they have here. */
    private Map<String, String> keys(int block) throws IOException {
        Properties written = new Properties();
        written.load(new StringReader(blocks("properties").get(block)));
        Path secret = Files.writeString(folder.resolve("secret"), "0123456789abcdef0123456789abcdef");
        Map<String, String> keys = new TreeMap<>();
        written.forEach((key, value) -> {
            String here = value.toString().replaceFirst("^file:.*", "file:" + secret);
            for (Map.Entry<String, String> name : NAMES.entrySet()) {
                here = here.replace(name.getKey(), name.getValue());
            }
            keys.put(key.toString(), here);
        });
        return keys;
    }

    private static String[] array(Map<String, String> keys) {
        return keys.entrySet().stream()
                .flatMap(entry -> Stream.of(entry.getKey(), entry.getValue()))
                .toArray(String[]::new);
    }

    private static Shop shop(TestApplication caller, String url) {
        return caller.reference(Shop.class, config -> {
                    config.setUrl(url);
                    config.setCheck(false);
                })
                .get();
    }

    private static Throwable sellInShanghai(TestApplication caller) {
        Shop shop = shop(caller, "dubbo://127.0.0.1:9");
        return catchThrowable(() -> Highway.to("shanghai").call(() -> shop.sell("tea")));
    }

    private TestApplication signing(GuardedIsland shanghai) throws IOException {
        Map<String, String> keys = keys(1);
        keys.keySet().removeIf(key -> !key.contains(".sign."));
        return shanghai.caller("zhejiang", Tunnel.DUBBO, array(keys));
    }

    /** As the page has it: its names, and one time and duration. */
    private static String asOnThePage(String printed) {
        String text = printed;
        for (Map.Entry<String, String> name : NAMES.entrySet()) {
            text = text.replace(name.getValue(), name.getKey());
        }
        return text.replace("\"zhejiang-app\"", "\"shop\"")
                .replaceAll("gateway\\.shanghai\\.test:\\d+", "gateway.zhejiang.example:20880")
                .replaceAll("\"time\":\"[^\"]*\"", "\"time\":\"2026-12-01T09:30:00.123Z\"")
                .replaceAll("\"millis\":\\d+", "\"millis\":3")
                .replaceAll("port \\d+", "port 20880")
                .replaceAll(" +\\d+ ms", " 1 ms")
                .replaceAll("\\s+", "");
    }

    private void assertShown(String language, List<String> printed) {
        String all = asOnThePage(String.join("\n", printed));
        assertThat(blocks(language)).isNotEmpty().allSatisfy(block -> assertThat(all)
                .contains(asOnThePage(block)));
    }

    @Test
    void servesAndRefusesAsDescribed_andPrintsWhatThePageShows() throws Exception {
        Map<String, String> observing = keys(0);
        Map<String, String> enforcing = new TreeMap<>(observing);
        assertThat(enforcing.remove("highway.guard.mode")).isEqualTo("shadow");
        assertThat(enforcing.remove("highway.sign.mode")).isEqualTo("shadow");

        try (CapturedLog log = new CapturedLog();
                GuardedIsland open = new GuardedIsland(array(observing));
                GuardedIsland closed = new GuardedIsland(array(enforcing))) {
            assertThat(shop(open.plain(), open.providerUrl(Tunnel.DUBBO)).sell("tea"))
                    .isEqualTo("shanghai:tea");
            assertThat(sellInShanghai(open.caller("zhejiang", Tunnel.DUBBO))).isNull();
            trail.awaitEnds("in", 2);
            assertThat(open.shop.received).hasSize(2);
            trail.forget();

            Shop stranger = shop(closed.plain(), closed.providerUrl(Tunnel.DUBBO));
            Throwable refused = catchThrowable(() -> stranger.sell("tea"));
            TestApplication unsigned = closed.caller("zhejiang", Tunnel.DUBBO);
            Throwable withoutKey = sellInShanghai(unsigned);
            assertThat(closed.shop.received).isEmpty();
            assertThat(sellInShanghai(signing(closed))).isNull();
            assertThat(closed.shop.received).hasSize(1);

            CommandContext context = new CommandContext("highway");
            assertThat(new HighwayProbeCommand(unsigned.model().getFrameworkModel())
                            .execute(context, new String[] {"shanghai"}))
                    .containsPattern("failed guard .*unsigned");
            String[] question = {Shop.class.getName() + "#note", "from=zhejiang/zhejiang-app"};
            assertShown(
                    "text",
                    Stream.concat(
                                    log.ofSdk("the guard").stream(),
                                    Stream.of(
                                            refused.toString(),
                                            String.valueOf(withoutKey.getMessage()),
                                            new HighwayExplainCommand(closed.application
                                                            .model()
                                                            .getFrameworkModel())
                                                    .execute(context, question)))
                            .toList());
            trail.awaitEnds("in", 3);
            assertShown("json", trail.lines().stream().map(Object::toString).toList());
        }
    }
}

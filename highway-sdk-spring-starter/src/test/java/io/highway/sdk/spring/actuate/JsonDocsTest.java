// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import static io.highway.sdk.spring.actuate.TestRouting.dead;
import static io.highway.sdk.spring.actuate.TestRouting.ended;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertAll;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.operate.report.HighwayCommand;
import io.highway.sdk.spring.actuate.HighwayHealthProperties.UnreachableIsland;
import io.highway.sdk.spring.actuate.TestRouting.Live;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.dubbo.qos.api.CommandContext;
import org.apache.dubbo.rpc.service.GenericService;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The examples of {@code docs/reference/observability.md} are what applications report here, with every field: only ports,
 * times, paths and hashes differ, and the page shows some of the settings and of a list's elements. The text of the command
 * {@code highway} in the same run is in {@code highway.txt}. What is reported is written to {@code target/json}.
 */
@Tag("network")
@Tag("any-dubbo")
class JsonDocsTest {

    private static final Path PAGE = Path.of("../docs/reference/observability.md");
    private static final Path TEXT = Path.of("src/test/resources/highway.txt");
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(JsonReadFeature.ALLOW_JAVA_COMMENTS).build();

    @Test
    void theReportAndTheExplanation_areThoseOfARun(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("policy.yaml");
        try (TestRouting shanghai = new TestRouting("island", "shanghai");
                Live home = new Live("gateway.zhejiang.test", shanghai.export("com.foo.Sms"))) {
            Files.writeString(
                    file,
                    """
                    version: v1
                    islands.shanghai:
                      tunnel: dubbo
                      max-concurrent: 50
                      bulk.over: 16KB
                      services.com.foo.Files.gateways.dubbo: %s
                    """
                            .formatted(dead("gateway.shanghai.test")));
            try (TestRouting application = TestRouting.following(
                    file,
                    "gateways.dubbo",
                    home.address(),
                    "islands.hangzhou.tunnel",
                    "dubbo",
                    "heartbeat.interval",
                    "500ms",
                    "sign.key-id",
                    "zhejiang-2026",
                    "sign.secret",
                    "secret",
                    "sign.accept.shanghai-2026",
                    "another",
                    "guard.callers.jiangsu/*.owner",
                    "team jiangsu")) {
                application.export("com.foo.Orders");
                GenericService sms = application.connected(home).refer("com.foo.Sms");
                Highway.to("shanghai")
                        .run(() -> sms.$invoke("send", new String[] {"java.lang.String"}, new Object[] {"hello"}));
                Files.writeString(file, "version: v2\nheartbeat.slow: perhaps");

                HighwayExplainEndpoint explain = new HighwayExplainEndpoint(application.model());
                HighwayCommand command = new HighwayCommand(application.model().getFrameworkModel());
                eventually(() -> assertAll(
                        () -> assertIsOnThePage(
                                "### `/actuator/highway`", new HighwayEndpoint(application.runtime).highway()),
                        () -> assertIsOnThePage(
                                "### Explanations",
                                explain.explain("com.foo.Sms", "send", "shanghai", null, null)
                                        .get(0)),
                        () -> assertIsTheText(command.execute(new CommandContext("highway"), new String[0]))));
            }
        }
    }

    @Test
    void health_isThatOfARun() throws IOException {
        try (Live home = new Live("gateway.zhejiang.test");
                TestRouting application = new TestRouting(
                        "gateways.dubbo",
                        home.address(),
                        "islands.beijing.tunnel",
                        "dubbo",
                        "islands.shanghai.tunnel",
                        "dubbo",
                        "islands.shanghai.gateways.dubbo",
                        dead("gateway.shanghai.test"),
                        "islands.shanghai.services.com.foo.Files.gateways.dubbo",
                        dead("gateway.shanghai.test"),
                        "policy.source",
                        "file:/")) { // a directory: the policy has a problem
            application.connected(home);
            application
                    .runtime
                    .activity()
                    .remember(ended("beijing", home.address(), Outcome.NOT_SENT, Reason.NOT_FORWARDED, false));

            eventually(() -> {
                JsonNode details = JSON.valueToTree(new HighwayHealthIndicator(
                                application.runtime, new HighwayHealthProperties(UnreachableIsland.UP))
                        .health()
                        .getDetails());
                emptyShared(details);
                assertIsOnThePage("### Health `highway`", details);
            });
        }
    }

    /** Health checks, and the second policy, take a moment. */
    private static void eventually(ThrowingRunnable assertion) {
        await().atMost(Duration.ofSeconds(20)).untilAsserted(assertion);
    }

    /** Objects that another example shows. */
    private static void emptyShared(JsonNode node) {
        for (String name : names(node)) {
            if (node.get(name).isArray()) {
                ((ObjectNode) node).putArray(name);
            } else if (name.equals("lastOutcome")) {
                ((ObjectNode) node).putObject(name);
            } else {
                emptyShared(node.get(name));
            }
        }
    }

    private static void assertIsOnThePage(String heading, Object reported) throws IOException {
        JsonNode actual = JSON.valueToTree(reported);
        write(heading, actual.toPrettyString());
        JsonNode page = JSON.readTree(block(heading));
        shorten(actual, page);
        assertThat(stable(actual.toPrettyString())).isEqualTo(stable(page.toPrettyString()));
    }

    /** The page shows some elements of a list, if any, and some settings. */
    private static void shorten(JsonNode actual, JsonNode page) {
        if (actual instanceof ArrayNode all && !page.isEmpty()) {
            Set<String> shown = new HashSet<>();
            page.forEach(one -> shown.add(stable(one.toPrettyString())));
            List<JsonNode> kept = new ArrayList<>();
            all.forEach(kept::add);
            kept.removeIf(one -> !shown.contains(stable(one.toPrettyString())));
            all.removeAll().addAll(kept);
        } else if (actual instanceof ObjectNode object) {
            if (page.has("settings") && object.get("settings") instanceof ObjectNode settings) {
                settings.retain(names(page.get("settings")));
            }
            names(actual).forEach(name -> shorten(actual.get(name), page.path(name)));
        }
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static void assertIsTheText(String text) throws IOException {
        write("text", text);
        assertThat(stable(text)).isEqualTo(stable(Files.readString(TEXT)));
    }

    private static void write(String name, String reported) throws IOException {
        Path folder = Files.createDirectories(Path.of("target", "json"));
        Files.writeString(folder.resolve(name.replaceAll("[^A-Za-z]", "")), reported);
    }

    /** Without what differs from run to run. */
    private static String stable(String text) {
        return text.replaceAll("(test(?:/[\\d.]+)?:|\"port\" : | port |(?:roundTrip|duration)Millis\" : )\\d+", "$1..")
                .replaceAll("(shanghai +dubbo +dubbo +gateway\\S+ +up +)\\d+", "$1..")
                .replaceAll("20\\d\\d-[\\dT:.-]+Z", "<time>")
                .replaceAll("[0-9a-f]{64}", "<hash>")
                .replaceAll("file:[^\",)]*", "<file>")
                .replaceAll(" +", " ")
                .replaceAll(" ?\\R", "\n")
                .strip();
    }

    private static String block(String heading) throws IOException {
        String page = Files.readString(PAGE);
        assertThat(page).contains("\n" + heading + "\n");
        String section = page.substring(page.indexOf("\n" + heading + "\n") + heading.length() + 1)
                .replaceFirst("(?s)\n##.*", "");
        Matcher block = Pattern.compile("(?s)```js\n(.*?)```").matcher(section);
        assertThat(block.find()).as(heading).isTrue();
        return block.group(1);
    }
}

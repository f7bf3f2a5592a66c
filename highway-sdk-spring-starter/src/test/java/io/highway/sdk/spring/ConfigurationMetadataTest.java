// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.highway.sdk.dubbo.internal.policy.HighwayKeys;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The metadata for editors matches the documentation. */
class ConfigurationMetadataTest {

    private static final Path DOCS =
            Path.of("").toAbsolutePath().getParent().resolve("docs/reference/configuration.md");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private static final Map<String, JsonNode> properties = new TreeMap<>();
    private static final Map<String, JsonNode> hints = new TreeMap<>();

    @BeforeAll
    static void read() throws IOException {
        List<URL> all = Collections.list(ConfigurationMetadataTest.class
                .getClassLoader()
                .getResources("META-INF/spring-configuration-metadata.json"));
        for (URL url : all) {
            try (InputStream in = url.openStream()) {
                JsonNode metadata = new ObjectMapper().readTree(in);
                collect(metadata.path("properties"), properties);
                collect(metadata.path("hints"), hints);
            }
        }
    }

    private static void collect(JsonNode nodes, Map<String, JsonNode> into) {
        nodes.forEach(node -> {
            String name = node.path("name").asText();
            if (name.startsWith("highway.") || name.contains(".highway.")) {
                into.put(name, node);
            }
        });
    }

    /** Key to default, of the table below a heading, as they are written there. */
    private static Map<String, String> table(String heading) {
        String text;
        try {
            text = Files.readString(DOCS);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        String section = text.substring(text.indexOf("## " + heading + "\n"));
        Map<String, String> table = new LinkedHashMap<>();
        Pattern.compile("(?m)^\\| (.*?) \\| .*? \\| ([^|]*) \\|$")
                .matcher(section.substring(0, section.indexOf("\n## ")))
                .results()
                .forEach(row -> CODE.matcher(row.group(1))
                        .results()
                        .filter(key -> !row.group(1).startsWith("key"))
                        .forEach(key -> table.put(key.group(1), row.group(2))));
        return table;
    }

    /** The documented keys as the metadata names them, each with its default. */
    private static Map<String, String> documented() {
        Map<String, String> documented = new TreeMap<>();
        table("General keys")
                .forEach((key, value) -> documented.put("highway." + key.replaceFirst("[.]<.*>", ""), value));
        table("Keys of an island").forEach((key, value) -> {
            if (!List.of("keys", "dictionary", "served-by").contains(key) && !key.startsWith("sign.")) {
                documented.put("highway.defaults." + key, value);
            }
        });
        documented.put("highway.islands", "none");
        documented.put("highway.services", "none");
        documented.put("highway.guard.rules", "none");
        documented.put("highway.guard.callers", "none");
        return documented;
    }

    private static Stream<JsonNode> ours() {
        return properties.entrySet().stream()
                .filter(property -> property.getKey().startsWith("highway."))
                .map(Map.Entry::getValue);
    }

    @Test
    void hasExactlyTheDocumentedKeys() {
        assertThat(ours().map(property -> property.path("name").asText()))
                .containsExactlyInAnyOrderElementsOf(documented().keySet());
    }

    @Test
    void theDocumentedKeysOfAnIslandAreThoseTheParserKnows() {
        assertThat(table("Keys of an island"))
                .containsOnlyKeys(HighwayKeys.ofIsland().keySet());
    }

    @Test
    void everyKeyHasATypeAndASentence() {
        assertThat(properties.values()).isNotEmpty().allSatisfy(property -> {
            assertThat(property.path("type").asText()).isNotEmpty();
            assertThat(property.path("description").asText())
                    .as(property.path("name").asText())
                    .isNotEmpty()
                    .endsWith(".");
        });
    }

    @Test
    void everyDocumentedDefaultThatIsAValueIsThere_andNoOther() {
        Map<String, String> values = new TreeMap<>();
        documented().forEach((key, value) -> CODE.matcher(value)
                .results()
                .map(MatchResult::group)
                .filter(value::equals)
                .forEach(code -> values.put(key, code.replace("`", ""))));
        Map<String, String> defaults = new TreeMap<>();
        ours().filter(property -> property.has("defaultValue"))
                .forEach(property -> defaults.put(
                        property.path("name").asText(),
                        property.path("defaultValue").asText()));

        assertThat(values).hasSizeGreaterThan(5);
        assertThat(defaults).isEqualTo(values);
    }

    @Test
    void theDocumentedGeneralKeysAreThoseTheParserKnows() {
        Map<String, String> documented = table("General keys");
        documented.keySet().removeIf(key -> key.endsWith(">")); // groups of keys

        assertThat(documented).containsOnlyKeys(HighwayKeys.general().keySet());
    }

    @ParameterizedTest
    @ValueSource(strings = {"General keys", "Keys of an island"})
    void everyBuiltInDefaultIsAsDocumented(String heading) {
        Map<String, String> builtIn = heading.startsWith("General") ? HighwayKeys.general() : HighwayKeys.ofIsland();

        table(heading).forEach((key, value) -> {
            if (value.matches("`.*`")) {
                assertThat(builtIn).containsEntry(key, value.replace("`", ""));
            }
        });
    }

    @Test
    void durationsSizesAndNumbersAreCompletedAsSuch() {
        assertThat(handledAs("highway.defaults.timeout")).isEqualTo("java.time.Duration");
        assertThat(handledAs("highway.defaults.max-request-size")).isEqualTo("org.springframework.util.unit.DataSize");
        assertThat(handledAs("highway.gateways.max-bytes-in-flight"))
                .isEqualTo("org.springframework.util.unit.DataSize");
        assertThat(handledAs("highway.defaults.retries")).isEqualTo("java.lang.Integer");
        assertThat(handledAs("highway.max-hops")).isEqualTo("java.lang.Integer");
        assertThat(handledAs("highway.enabled")).isEqualTo("java.lang.Boolean");
    }

    private static String handledAs(String key) {
        return hints.get(key)
                .path("providers")
                .path(0)
                .path("parameters")
                .path("target")
                .asText();
    }

    @Test
    void wordsToChooseFromAreCompleted() {
        assertThat(words("highway.defaults.tunnel"))
                .containsExactlyInAnyOrder("auto", "dubbo,triple", "dubbo", "triple");
        assertThat(words("highway.defaults.fallback")).containsExactly("none", "home");
        assertThat(words("highway.defaults.serialization")).containsExactly("hessian2", "fastjson2");
    }

    private static List<String> words(String key) {
        return hints.get(key).path("values").findValuesAsText("value");
    }

    @Test
    void everyHintIsForAKey() {
        assertThat(properties).containsKeys(hints.keySet().toArray(String[]::new));
    }

    @Test
    void theActuatorsKeysAreThere() {
        assertThat(properties)
                .containsKeys("management.health.highway.enabled", "management.health.highway.unreachable-island");
        assertThat(properties
                        .get("management.health.highway.unreachable-island")
                        .path("defaultValue")
                        .asText())
                .isEqualTo("up");
    }
}

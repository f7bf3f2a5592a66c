// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.policy.HighwayKeys;
import io.highway.sdk.dubbo.internal.policy.Mistakes;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import io.highway.sdk.dubbo.internal.policy.RuleDifferences;
import io.highway.sdk.dubbo.internal.policy.ZstdDictionary;
import io.highway.sdk.dubbo.internal.policy.source.PolicyCheckCommand;
import io.highway.sdk.dubbo.it.FeatureRow;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;

/** The documentation matches the code. */
@Tag("any-dubbo")
class DocsTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    @TempDir
    static Path folder;

    static Stream<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            List<Path> inDocs = docs.filter(page -> page.toString().endsWith(".md"))
                    .sorted()
                    .toList();
            return Stream.concat(
                    inDocs.stream(),
                    Stream.of(
                                    "README.md",
                                    "README.zh-CN.md",
                                    "tools/gateways/README.md",
                                    "tools/conformance/README.md",
                                    "tools/benchmarks/README.md",
                                    "tools/chaos/README.md",
                                    "tools/monitoring/README.md",
                                    "tools/security/README.md",
                                    "samples/README.md",
                                    "tools/README.md",
                                    "samples/hello/README.md",
                                    "samples/hello-spring-boot/README.md",
                                    "samples/cookbook/README.md",
                                    "samples/quickstart/README.md",
                                    "samples/spring-boot/README.md",
                                    "samples/starter/README.md",
                                    "samples/upload/README.md",
                                    "CONTRIBUTING.md",
                                    "RELEASING.md",
                                    "SECURITY.md")
                            .map(ROOT::resolve));
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> blocks(Path page, String language) {
        return Pattern.compile("(?s)```" + language + "\\n(.*?)```")
                .matcher(read(page))
                .results()
                .map(block -> block.group(1))
                .toList();
    }

    private static String squeezed(String text) {
        return text.replaceAll("\\s+", " ").trim();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyJavaSnippetIsCompiled(Path page) {
        String compiled = Stream.concat(
                        Stream.of(
                                        "integration-tests/src/test/java/io/highway/sdk/dubbo/docs/Snippets.java",
                                        "integration-tests/src/test/java/io/highway/sdk/dubbo/it/GuideSnippets.java",
                                        "highway-sdk-spring-starter/src/test/java/io/highway/sdk/spring/docs/Snippets.java",
                                        "highway-sdk-test/src/test/java/io/highway/sdk/test/GuideTest.java",
                                        "samples/hello/src/test/java/io/highway/samples/hello/GreetingTest.java")
                                .map(ROOT::resolve)
                                .map(DocsTest::read),
                        Stream.concat(hello("java"), cookbook("java")).map(DocsTest::withoutHeader))
                .collect(Collectors.joining());
        // and so are its comments
        boolean translated = page.endsWith("README.zh-CN.md") || page.startsWith(ROOT.resolve("docs/zh"));

        assertThat(blocks(page, "java"))
                .allSatisfy(block -> assertThat(squeezed(translated ? withoutComments(compiled) : compiled))
                        .contains(squeezed(translated ? withoutComments(block) : block)));
    }

    private static List<String> withoutComments(List<String> blocks) {
        return blocks.stream().map(DocsTest::withoutComments).toList();
    }

    private static String withoutComments(String block) {
        return block.replaceAll("(?m)(?:(?<=^|\\s)//|^#).*$", "")
                .replaceAll("(?s)/\\*\\*.*?\\*/", "/** */")
                .replaceAll("(?s)<!--.*?-->", "")
                .replaceAll("[ \\t]+(?=\\R|$)", "");
    }

    /** What a user writes in the two samples of the first page, and not what starts them. */
    private static Stream<Path> hello(String ending) {
        return Stream.of("samples/hello", "samples/hello-spring-boot")
                .map(sample -> ROOT.resolve(sample).resolve("src/main"))
                .flatMap(DocsTest::files)
                .filter(file -> file.toString().endsWith("." + ending))
                .filter(file -> !file.getParent().endsWith("run"))
                .filter(file -> !file.endsWith("simplelogger.properties"));
    }

    private static Stream<Path> cookbook(String ending) {
        return files(ROOT.resolve("samples/cookbook/src/main"))
                .filter(file -> file.toString().endsWith("." + ending));
    }

    private static Stream<Path> files(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String withoutHeader(Path file) {
        return read(file).replaceFirst("(?s)^(// SPDX[^\n]*\n)*package [^\n]*\n\n", "");
    }

    /** The first page has both programs; the READMEs have one with Spring Boot: its service, configuration and caller. */
    @ParameterizedTest
    @CsvSource({"docs/start/begin.md, 12", "README.md, 3", "README.zh-CN.md, 3"})
    void hasTheHelloSamples_asTheyAre(String page, int shown) {
        List<String> snippets = Stream.of("java", "properties", "yaml")
                .flatMap(language -> blocks(ROOT.resolve(page), language).stream())
                .toList();
        List<String> files = Stream.of("java", "properties", "yml")
                .flatMap(DocsTest::hello)
                .map(DocsTest::withoutHeader)
                .toList();

        assertThat(files).hasSize(12);
        assertThat(withoutComments(files)) // they are translated in one of the pages
                .filteredOn(withoutComments(snippets)::contains)
                .hasSize(shown);
    }

    /** The service and thirteen programs. */
    @Test
    void theCookbookLinksEachProgram_andShowsAPartOfIt() {
        Path page = ROOT.resolve("docs/start/cookbook.md");
        List<Path> programs =
                Stream.of("java", "kt").flatMap(DocsTest::cookbook).toList();
        String sources = squeezed(programs.stream().map(DocsTest::read).collect(Collectors.joining()));

        assertThat(programs).hasSize(14).allSatisfy(program -> assertThat(links(page))
                .contains(page.getParent().relativize(program).toString()));
        assertThat(Stream.of("java", "kotlin").flatMap(language -> blocks(page, language).stream()))
                .hasSize(13)
                .allSatisfy(part -> assertThat(sources).contains(squeezed(part)));
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyConfigurationIsValid(Path page) {
        for (String block : blocks(page, "properties")) {
            assertThat(parsed(properties(block))).isPresent();
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyYamlConfigurationIsValid(Path page) {
        for (String block : blocks(page, "yaml")) {
            if (isRule(block)) {
                continue;
            }
            Map<String, String> keys = new TreeMap<>();
            flatten("", new Yaml().load(block), keys);
            assertThat(parsed(keys)).isPresent();
        }
    }

    /** Without the files of dictionaries, which do not exist here. */
    private static Optional<Policy> parsed(Map<String, String> keys) {
        String prefix = "highway." + HighwayKeys.DICTIONARIES;
        Map<String, ZstdDictionary> dictionaries = keys.keySet().stream()
                .filter(key -> key.startsWith(prefix))
                .map(key -> key.substring(prefix.length()))
                .collect(Collectors.toMap(name -> name, ZstdDictionary::unread));
        RawSettings settings = RawSettings.of(ours(keys), "test");
        RuleDifferences nothing = RuleDifferences.of(settings, settings, "docs");
        return PolicyParser.parse(
                settings, "docs", null, dictionaries.isEmpty() ? null : dictionaries, nothing, new Mistakes(1));
    }

    /** Whether it is a rule of the dynamic policy, or a ConfigMap with one, which must be valid, too. */
    private static boolean isRule(String block) {
        String rule = block.startsWith("version:") ? block : null;
        if (block.startsWith("apiVersion:")) {
            Map<?, ?> map = (Map<?, ?>) new Yaml().loadAll(block).iterator().next();
            rule = ((Map<?, ?>) map.get("data")).get("policy.yaml").toString();
        }
        if (rule == null) {
            return false;
        }
        String configured =
                """
                highway.island=zhejiang
                highway.gateways.triple=gateway:50051
                highway.gateways.dubbo=gateway:20880
                """;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        List<String> command =
                List.of("check", file("policy.yaml", rule), "--static", file("static.properties", configured));
        assertThat(PolicyCheckCommand.run(command, out, out))
                .as(() -> printed.toString(StandardCharsets.UTF_8))
                .isZero();
        return true;
    }

    private static String file(String name, String text) {
        try {
            return Files.writeString(folder.resolve(name), text).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A whole file has Dubbo's and Spring's keys, too. */
    private static Map<String, String> ours(Map<String, String> keys) {
        Map<String, String> ours = new TreeMap<>(keys);
        ours.keySet().removeIf(key -> key.startsWith("dubbo.") || key.startsWith("spring."));
        return ours;
    }

    private static void flatten(String key, Object value, Map<String, String> flat) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, inner) -> flatten(key.isEmpty() ? name.toString() : key + "." + name, inner, flat));
        } else if (value instanceof List<?> list) {
            flat.put(key, list.stream().map(String::valueOf).collect(Collectors.joining(",")));
        } else {
            flat.put(key, String.valueOf(value));
        }
    }

    private static Map<String, String> properties(String text) {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, String> map = new TreeMap<>();
        properties.forEach((key, value) -> map.put(key.toString(), value.toString()));
        return map;
    }

    @ParameterizedTest
    @EnumSource
    void everyReasonIsExplained(Reason reason) {
        assertThat(read(ROOT.resolve("docs/start/how-a-call-travels.md"))).contains("| `" + reason + "` |");
    }

    /** Rows as {@code feature | effect}. */
    @Test
    void everyDubboFeatureIsTested_asDocumented() throws ClassNotFoundException {
        List<String> rows = Pattern.compile(
                        "(?m)^\\| (.+?) \\| ((?:not )?applied|refused at (?:the call|start-up)) \\|.*\\|$")
                .matcher(read(ROOT.resolve("docs/reference/dubbo-features.md")))
                .results()
                .map(row -> row.group(1) + " | " + row.group(2))
                .toList();
        List<String> tested = new ArrayList<>();
        for (String test : List.of("DubboFeaturesTest", "DynamicRulesTest")) {
            for (Method method :
                    Class.forName("io.highway.sdk.dubbo.it." + test).getDeclaredMethods()) {
                FeatureRow row = method.getAnnotation(FeatureRow.class);
                if (row != null) {
                    tested.add(row.value() + " | " + row.on());
                }
            }
        }

        assertThat(rows).containsExactlyInAnyOrderElementsOf(tested);
    }

    static Stream<MatchResult> mistakes() {
        return Pattern.compile("(?m)^\\| `(highway\\.[^=`]+)=([^`]*)` \\| `(.*)` \\|$")
                .matcher(read(ROOT.resolve("docs/reference/configuration.md")))
                .results();
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void everyErrorHasTheDocumentedText(MatchResult mistake) {
        Map<String, String> keys = new TreeMap<>(Map.of("highway.island", "zhejiang"));
        keys.put(mistake.group(1), mistake.group(2));

        assertThatThrownBy(() -> PolicyParser.parse(RawSettings.of(keys, "test"), "docs", null))
                .isInstanceOf(HighwayConfigurationException.class)
                .hasMessage(mistake.group(3));
    }

    /** Tables apart: those are written from the JSON in {@code docs/maintain/benchmarks}. */
    @Test
    void theBenchmarksPageStaysShort() {
        String prose = read(ROOT.resolve("docs/maintain/benchmarks.md"))
                .replaceAll("(?m)^\\|.*$", "")
                .replaceAll("<!--.*?-->", "");
        assertThat(prose.split("\\s+")).hasSizeBetween(300, 1200);
    }

    /** The script writes them between these marks, on whatever page they are. */
    @Test
    void everyTableOfTheBenchmarksHasItsPlace() {
        String script = read(ROOT.resolve("tools/benchmarks/page.py"));
        String names = script.substring(script.indexOf("TABLES = {"), script.indexOf("def write_tables("));
        String pages = files(ROOT.resolve("docs"))
                .filter(file -> file.toString().endsWith(".md"))
                .map(DocsTest::read)
                .collect(Collectors.joining());

        assertThat(Pattern.compile("\"([a-z-]+)\": ").matcher(names).results().map(name -> name.group(1)))
                .isNotEmpty()
                .allSatisfy(name ->
                        assertThat(pages).containsPattern("<!-- " + name + " -->[^<]+<!-- end of " + name + " -->"));
    }

    private static List<String> links(Path page) {
        return Pattern.compile("\\]\\(((?!README)[^)]+)\\)")
                .matcher(read(page))
                .results()
                .map(link -> link.group(1))
                .sorted()
                .toList();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyLinkLeadsSomewhere(Path page) {
        assertThat(links(page)).allSatisfy(link -> assertThat(page.resolveSibling(link.replaceFirst("#.*", "")))
                .exists());
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.SourceTree;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.evidence.NotSentStatements;
import io.highway.sdk.dubbo.internal.policy.HighwayKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.dubbo.rpc.RpcException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the documentation repeats of the code: reasons, log lines, keys, commands, paths, versions. */
@Tag("any-dubbo")
class DocsFactsTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Path OPERATIONS = ROOT.resolve("docs/operate/operations.md");
    private static final Path OBSERVABILITY = ROOT.resolve("docs/reference/observability.md");
    private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
    private static final String TUNNELS =
            Arrays.stream(TunnelKind.values()).map(TunnelKind::word).collect(Collectors.joining("|"));

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> files(Path folder, String ending) {
        return SourceTree.files(folder).stream()
                .filter(file -> file.toString().endsWith(ending))
                .filter(file -> !file.toString().contains("/target/"))
                .sorted()
                .toList();
    }

    /** The sources of all test classes, by name. */
    private static final Map<String, String> TESTS = files(ROOT, "Test.java").stream()
            .collect(Collectors.toMap(
                    file -> file.getFileName().toString().replace(".java", ""), DocsFactsTest::read, String::concat));

    /** Pages that must name tests. */
    private static final Set<String> NAME_TESTS =
            Set.of("docs/maintain/dubbo-internals.md", "docs/maintain/upstream.md", "CONTRIBUTING.md");

    /** All pages but the history. */
    static Stream<Path> pages() {
        return files(ROOT, ".md").stream()
                .filter(page -> !page.endsWith("CHANGELOG.md"))
                .filter(page -> !page.startsWith(ROOT.resolve(".github")));
    }

    /** The cells of the tables below a heading, up to the next one of its level or above. */
    private static List<List<String>> rows(Path page, String heading) {
        String text = read(page);
        int start = text.indexOf("\n" + heading + "\n");
        assertThat(start).as(heading).isNotNegative();
        String level = heading.substring(0, heading.indexOf(' '));
        Matcher next = Pattern.compile("\n#{1," + level.length() + "} ").matcher(text);
        int end = next.find(start + heading.length()) ? next.start() : text.length();
        return text.substring(start, end)
                .lines()
                .filter(line -> line.startsWith("| "))
                .map(line -> List.of(line.substring(2, line.length() - 1).trim().split(" *(?<!\\\\)\\| *", -1)))
                .toList();
    }

    private static List<String> codes(String text) {
        return CODE.matcher(text).results().map(code -> code.group(1)).toList();
    }

    private static Set<String> words(List<List<String>> rows) {
        return rows.stream().flatMap(row -> codes(row.get(0)).stream()).collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void theTablesOfReasonsAreComplete_andHaveNoOther() {
        Set<String> reasons =
                Arrays.stream(Reason.values()).map(Reason::word).collect(Collectors.toCollection(TreeSet::new));

        assertThat(words(rows(
                        ROOT.resolve("docs/start/how-a-call-travels.md"), "## 4. Outcome: sent, or certainly not")))
                .isEqualTo(reasons);
    }

    /** The anchor with which the exception ends, and what search finds. */
    @Test
    void theRunbookHasAHeadingForEveryReason_andNoOther() {
        assertThat(wordsOfHeadings("### `"))
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(Reason.values()).map(Reason::word).toList());
        assertThat(Reason.values()).allSatisfy(reason -> assertThat(
                        HighwayException.of(reason, "shanghai", true).getMessage())
                .endsWith("operations.md#" + reason));
    }

    /** In {@code docs/operate/operations.md}, of headings that begin so; each has text. */
    private static List<String> wordsOfHeadings(String start) {
        return Pattern.compile("(?m)^" + start + "([a-z-]+)`\n\n(?=[^#])")
                .matcher(read(OPERATIONS))
                .results()
                .map(heading -> heading.group(1))
                .toList();
    }

    @Test
    void theRunbookHasAHeadingForEveryWordOfTheGuard_andNoOther() {
        Pattern word = Pattern.compile("(?m)(?:^\\s*|(?:MISSING|MALFORMED) = |Problem\\()\"([a-z]+(?:-[a-z]+)*)\"[,;]");
        Set<String> words = sources().stream()
                .filter(file -> file.endsWith("HttpCallHeaders.java")
                        || Set.of("guard", "signature")
                                .contains(file.getParent().getFileName().toString()))
                .flatMap(file -> word.matcher(read(file)).results().map(found -> found.group(1)))
                .collect(Collectors.toCollection(TreeSet::new));
        words.add(Reason.NO_SUCH_METHOD.word());
        words.add(Reason.NO_SUCH_SERVICE.word());
        words.add(NotSentStatements.WRONG_ISLAND);
        words.add(NotSentStatements.REPEATED);

        assertThat(wordsOfHeadings("### Guard: `")).containsExactlyInAnyOrderElementsOf(words);
    }

    @Test
    void everyReasonHasTheDocumentedCode() {
        Map<String, Integer> codes = Map.of(
                "forbidden", RpcException.FORBIDDEN_EXCEPTION,
                "limit exceeded", RpcException.LIMIT_EXCEEDED_EXCEPTION,
                "network", RpcException.NETWORK_EXCEPTION,
                "no provider", RpcException.NO_INVOKER_AVAILABLE_AFTER_FILTER,
                "timeout", RpcException.TIMEOUT_EXCEPTION,
                "timeout terminate", RpcException.TIMEOUT_TERMINATE,
                "serialization", RpcException.SERIALIZATION_EXCEPTION);

        assertThat(rows(ROOT.resolve("docs/start/how-a-call-travels.md"), "## 4. Outcome: sent, or certainly not"))
                .filteredOn(row -> row.size() == 4 && row.get(0).startsWith("`"))
                .hasSize(Reason.values().length)
                .allSatisfy(row -> assertThat(codes.get(row.get(2)))
                        .as(row.get(0))
                        .isEqualTo(Reason.valueOf(codes(row.get(0))
                                        .get(0)
                                        .toUpperCase(Locale.ROOT)
                                        .replace('-', '_'))
                                .code()));
    }

    /** A message that the sources log: its literals in order, and what stands for a value between them. */
    private record Message(String file, String level, String text) {

        /** Either all of the line is written here, or a part that no other has, and the rest comes from elsewhere. */
        boolean isOf(List<String> line) {
            List<String> parts = fragments(line.get(0));
            return line.get(1).contains(level)
                    && (hasInOrder(parts)
                            || parts.stream().anyMatch(part -> part.length() >= LEAST_TEXT && isIn(text, part)));
        }

        private boolean hasInOrder(List<String> parts) {
            int from = 0;
            for (String part : parts) {
                int at = text.indexOf(part, from);
                if (at < 0) {
                    return false;
                }
                from = at + part.length();
            }
            return true;
        }
    }

    private static final int LEAST_TEXT = 12;

    private static final String VALUE = "<>";
    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\\n]|\\\\.)*)\"");

    private static String literals(String source) {
        return source.replaceAll("\"\\s*\\+\\s*\"", "")
                .transform(joined -> LITERAL.matcher(joined).results())
                .map(literal -> literal.group(1).replace("\\\"", "\""))
                .collect(Collectors.joining(VALUE));
    }

    private static String allLiterals() {
        return sources().stream()
                .map(DocsFactsTest::read)
                .map(DocsFactsTest::literals)
                .collect(Collectors.joining(VALUE));
    }

    private static List<Path> sources() {
        return Stream.of("highway-sdk-dubbo-filter", "highway-sdk-http", "highway-sdk-spring-starter")
                .flatMap(module -> files(ROOT.resolve(module).resolve("src/main/java"), ".java").stream())
                .toList();
    }

    /** The messages that are logged where they are written; others reach the log through a variable. */
    private static List<Message> logged() {
        List<Message> logged = new ArrayList<>();
        for (Path file : sources()) {
            String source = read(file);
            for (Matcher call =
                            Pattern.compile("\\blog\\s*\\.(info|warn|error)\\(").matcher(source);
                    call.find(); ) {
                String text = literals(source.substring(call.end(), end(source, call.end())));
                logged.add(
                        new Message(file.getFileName().toString(), call.group(1).toUpperCase(Locale.ROOT), text));
            }
        }
        return logged;
    }

    /** Where the statement ends. */
    private static int end(String source, int from) {
        int end = source.indexOf(");\n", from);
        assertThat(end).isPositive();
        return end;
    }

    /** The fixed parts of a documented line; the name of the rule is a constant. */
    private static List<String> fragments(String line) {
        return Arrays.stream(line.split("<[^<>]*>|\\.\\.\\.|highway\\.policy(?![.\\w])", -1))
                .map(fragment -> fragment.replaceAll("^[\\s:;,()]+|[\\s:;,()]+$", ""))
                .filter(fragment -> fragment.length() > 1)
                .toList();
    }

    /** Whether the sources have a text, as one literal or as two. */
    private static boolean isIn(String literals, String fragment) {
        return literals.contains(fragment)
                || IntStream.range(1, fragment.length())
                        .filter(at -> fragment.charAt(at) == ' ')
                        .anyMatch(at -> literals.contains(fragment.substring(0, at))
                                && literals.contains(fragment.substring(at + 1)));
    }

    /** Each documented line with its level, WARN unless its row has another, and where it leads. */
    private static List<List<String>> documentedLines() {
        Pattern level = Pattern.compile("(?:(?:INFO|WARN|ERROR)[^\\[]*)?");
        return rows(OPERATIONS, "## Log lines").stream()
                .filter(row -> row.size() == 2 && row.get(0).startsWith("`"))
                .flatMap(row -> {
                    Matcher written = level.matcher(row.get(1));
                    String of = written.lookingAt() && written.end() > 0 ? written.group() : "WARN";
                    return codes(row.get(0).split("(?<=`)(?:, (?!`)|; of|; with|:)", -1)[0]).stream()
                            .map(line -> List.of(line, of, row.get(1).substring(written.end())));
                })
                .toList();
    }

    @Test
    void everyDocumentedLogLineIsInTheSources() {
        String literals = allLiterals();

        assertThat(documentedLines()).hasSizeGreaterThan(50);
        assertThat(documentedLines())
                .filteredOn(line -> !fragments(line.get(0)).stream().allMatch(fragment -> isIn(literals, fragment)))
                .isEmpty();
    }

    /** Other tests check that the heading exists. */
    @Test
    void everyWarningAndErrorLeadsToAHeading() {
        assertThat(documentedLines())
                .filteredOn(line -> line.get(1).contains("WARN") || line.get(1).contains("ERROR"))
                .hasSizeGreaterThan(50)
                .allSatisfy(line -> assertThat(line.get(2)).matches("\\[[^]]+]\\([^)]*\\)"));
    }

    @Test
    void everyWarningOfTheSourcesIsDocumented_withItsLevel() {
        List<Message> logged = logged().stream()
                .filter(message -> !message.level().equals("INFO"))
                .filter(message -> message.text().startsWith("highway: "))
                .filter(message -> message.text().replace(VALUE, "").length() > "highway: ".length() + 10)
                .toList();

        List<List<String>> lines = documentedLines();

        assertThat(logged).hasSizeGreaterThan(30);
        assertThat(logged)
                .filteredOn(message -> lines.stream().noneMatch(message::isOf))
                .isEmpty();
    }

    /** Examples of log lines, in any page: each is one of the documented ones. */
    @Test
    void everyQuotedLogLineIsADocumentedOne() {
        List<Pattern> patterns = documentedLines().stream()
                .map(line -> Pattern.compile("(?s)"
                        + fragments(line.get(0)).stream()
                                .map(Pattern::quote)
                                .collect(Collectors.joining(".*", ".*", ".*"))))
                .toList();
        List<String> quoted = pages().flatMap(page -> Pattern.compile("(?m)(?:^|`|\\[DUBBO\\] )highway: ([^`\n]+)")
                        .matcher(read(page))
                        .results())
                .map(line -> line.group(1))
                .toList();

        assertThat(quoted).isNotEmpty();
        assertThat(quoted)
                .filteredOn(line -> patterns.stream()
                        .noneMatch(pattern -> pattern.matcher(line).matches()))
                .isEmpty();
    }

    /** In the table of failures: the column of the log. */
    @Test
    void theLogOfEachFailureIsInTheSources() {
        String literals = allLiterals();
        List<String> lines = rows(OPERATIONS, "## Failures and their symptoms").stream()
                .filter(row -> row.size() == 3)
                .flatMap(row -> codes(row.get(2)).stream())
                .filter(code -> code.contains(" "))
                .toList();

        assertThat(lines).hasSizeGreaterThan(5);
        assertThat(lines)
                .filteredOn(line -> !fragments(line).stream().allMatch(fragment -> isIn(literals, fragment)))
                .isEmpty();
    }

    /** Keys without their prefix, and with a name in the place of an id. */
    private static boolean isKey(String key) {
        String general = key.replaceFirst("^(sign\\.accept(?:-from)?|guard\\.stands-in-for)\\..+", "$1");
        Set<String> keys = new LinkedHashSet<>(HighwayKeys.general().keySet());
        keys.addAll(List.of(
                "sign.accept",
                "sign.accept-from",
                "guard.stands-in-for",
                "islands",
                "services",
                "guard.rules",
                "guard.callers"));
        String ofIsland = key.replaceFirst("^(?:islands\\.(?:<[^>]+>|[a-z0-9-]+)|defaults)\\.", "");
        if (keys.contains(general)) {
            return true;
        }
        if (!ofIsland.equals(key)) {
            return HighwayKeys.ofIsland().containsKey(ofIsland)
                    || ofIsland.matches("services\\.(<[^>]+>|[\\w.*]+)\\.gateways\\.(" + TUNNELS + ")");
        }
        return key.matches("services\\..+\\.(island|when|require-island)")
                || key.matches("dictionaries(\\.(<[^>]+>|[a-z0-9-]+))?")
                || key.matches("guard\\.callers\\.[a-z0-9-]+") // the rest of it begins with a slash
                || key.matches("guard\\.rules\\.(<[^>]+>|[a-z0-9-]+)\\.(action|from|to|rate)")
                || key.matches(
                        "(?:islands\\.<[^>]+>|islands\\.[a-z0-9-]+|defaults|services\\.(?:<[^>]+>|[\\w.]+)(?:\\.<key>)?"
                                + "|guard\\.rules\\.(?:<[^>]+>|[a-z0-9-]+))");
    }

    /** As {@code heartbeat.*}. */
    private static boolean isGroup(String group) {
        String prefix = group.substring(0, group.length() - 1);
        return Stream.concat(HighwayKeys.general().keySet().stream(), HighwayKeys.ofIsland().keySet().stream())
                        .anyMatch(key -> key.startsWith(prefix.replaceFirst("^islands\\.<[^>]+>\\.|^defaults\\.", "")))
                || group.matches(
                        "(?:islands|services|defaults|sign\\.accept|sign\\.accept-from|guard\\.rules)\\..*\\*");
    }

    /** What else begins like a key: meters, the rule's name, loggers, attributes of spans. */
    private static Set<String> otherNames() {
        Set<String> names = new TreeSet<>(Set.of(
                "highway.policy",
                "highway.policy.<application>", // keys of a config centre
                "highway.policy.orders",
                "highway.audit",
                "highway.",
                "highway.*"));
        for (Path file : sources()) {
            Pattern.compile("\"(highway\\.[a-z.-]+)\"")
                    .matcher(read(file))
                    .results()
                    .map(name -> name.group(1))
                    .forEach(names::add);
        }
        return names;
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyNamedKeyIsThere(Path page) {
        String text = read(page)
                .lines()
                .filter(line -> !line.contains("ere is no such key")
                        && !line.contains("id you mean")
                        && !line.contains(".tunel")) // wrong on purpose
                .filter(line -> !line.matches("\\| `highway\\.[^`]*` \\| `highway\\..*"))
                .collect(Collectors.joining("\n"));
        Set<String> others = otherNames();

        List<String> named = Pattern.compile(
                        "(?<![\\w./-])highway\\.((?:[a-z][a-z-]*|\\*)(?:\\.(?:[\\w$-]+|<[^>\n]+>|\\*))*)")
                .matcher(text)
                .results()
                .map(key -> key.group(1))
                .distinct()
                .toList();

        assertThat(named).allSatisfy(key -> assertThat(
                        isKey(key) || key.endsWith("*") && isGroup(key) || others.contains("highway." + key))
                .as("highway." + key)
                .isTrue());
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyListOfTunnelsHasHttp(Path page) {
        assertThat(read(page)).doesNotContainPattern("`dubbo`(?:,| or) `triple`(?!(?:,| or) `http`)");
    }

    /** Keys in prose and in tables, where the prefix is left out. */
    @ParameterizedTest
    @MethodSource("pages")
    void everyKeyWithoutItsPrefixIsThere(Path page) {
        List<String> named = codes(read(page)).stream()
                .map(code -> code.replaceFirst("[:=].*", ""))
                .filter(code -> code.matches("(?:heartbeat|breaker|bulk|gateways|sign|max-hops|max-concurrent|max-wait"
                        + "|max-request-size)(?:\\.[a-z<>*-]+)+"))
                .distinct()
                .toList();

        assertThat(named).allSatisfy(key -> assertThat(
                        isKey(key) || HighwayKeys.ofIsland().containsKey(key) || isGroup(key.replace(".*", "") + ".*"))
                .as(key)
                .isTrue());
    }

    static Stream<Arguments> commands() {
        return pages().flatMap(page -> Pattern.compile(
                        "(?<![\\w-])((?:(?:samples|tools)/[\\w-]+/|\\./)?run\\.sh)((?: [^`|\n#)]*)?)")
                .matcher(read(page))
                .results()
                .map(command -> arguments(
                        page,
                        command.group(1).contains("/") && !command.group(1).startsWith("./")
                                ? ROOT.resolve(command.group(1))
                                : page.resolveSibling("run.sh"),
                        command.group(2))));
    }

    /** The script is there, and it or a program of its sample reads each option. */
    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandOfASampleIsThere_withItsOptions(Path page, Path script, String words) {
        if (script.equals(page.resolveSibling("run.sh")) && !Files.exists(script)) {
            return; // prose about the scripts of all samples
        }
        assertThat(script).exists();
        List<String> options = Pattern.compile("(?<= )--[a-z][a-z-]+")
                .matcher(words)
                .results()
                .map(MatchResult::group)
                .toList();
        String read = Stream.of(
                        files(script.getParent(), ".sh").stream(),
                        files(script.getParent(), ".java").stream(),
                        files(ROOT.resolve("tools/fixtures"), ".sh").stream(),
                        files(ROOT.resolve("tools/fixtures/processes"), ".java").stream())
                .flatMap(files -> files)
                .map(DocsFactsTest::read)
                .collect(Collectors.joining());

        assertThat(options).allSatisfy(option -> assertThat(read).contains(option));
    }

    static Stream<String> builds() {
        return pages().flatMap(page ->
                        Pattern.compile("mvn (-[^`|\n]+)").matcher(read(page)).results())
                .map(command -> command.group(1))
                .distinct();
    }

    @ParameterizedTest
    @MethodSource("builds")
    void everyBuildNamesModulesTestsAndPropertiesThatAreThere(String words) {
        String poms = files(ROOT, "pom.xml").stream().map(DocsFactsTest::read).collect(Collectors.joining());
        Set<String> known =
                Set.of("test", "skipTests", "excludedGroups", "surefire.failIfNoSpecifiedTests", "skipErrorProne");
        String all = String.join("", TESTS.values());

        Pattern.compile("-pl ([\\w,/-]+)")
                .matcher(words)
                .results()
                .flatMap(modules -> Arrays.stream(modules.group(1).split(",", -1)))
                .forEach(module ->
                        assertThat(ROOT.resolve(module).resolve("pom.xml")).exists());
        Pattern.compile("\\b(\\w+Test)\\b").matcher(words).results().forEach(test -> assertThat(TESTS)
                .containsKey(test.group(1)));
        Pattern.compile("-D([\\w.-]+)")
                .matcher(words)
                .results()
                .map(name -> name.group(1))
                .forEach(name -> assertThat(known.contains(name)
                                || poms.contains(name)
                                || name.startsWith("spotless.")
                                || all.contains("\"" + name + "\""))
                        .as("-D" + name)
                        .isTrue());
    }

    @Test
    void everyQosCommandAndActuatorPathIsThere() {
        Set<String> commands = read(ROOT.resolve(
                        "highway-sdk-dubbo-filter/src/main/resources/META-INF/dubbo/org.apache.dubbo.qos.api.BaseCommand"))
                .lines()
                .map(line -> line.replaceFirst("=.*", ""))
                .collect(Collectors.toSet());
        commands.addAll(Set.of("ready", "live", "startup")); // Dubbo's
        String sources = sources().stream().map(DocsFactsTest::read).collect(Collectors.joining());

        assertThat(pages().flatMap(page -> Pattern.compile("localhost:22222/(\\w+)|`(highway[A-Z]\\w+)[ `]")
                                .matcher(read(page))
                                .results())
                        .map(command -> command.group(1) == null ? command.group(2) : command.group(1))
                        .filter(command -> !command.matches("highway(Endpoint|Meters|HealthIndicator)")))
                .isNotEmpty()
                .isSubsetOf(commands);
        assertThat(pages().flatMap(page -> Pattern.compile("/actuator/(highway\\w*)")
                                .matcher(read(page))
                                .results())
                        .map(path -> path.group(1)))
                .isNotEmpty()
                .allSatisfy(path -> assertThat(sources).contains("Endpoint(id = \"" + path + "\""));
    }

    /** In backquotes: a file or folder of this repository. */
    @ParameterizedTest
    @MethodSource("pages")
    void everyNamedFileIsThere(Path page) {
        assertThat(codes(read(page)))
                .filteredOn(code -> code.matches("(?:samples|tools|docs|highway-sdk-[a-z]+)/[\\w./-]+"))
                .filteredOn(file -> !file.contains("/target")) // is built
                .allSatisfy(file -> assertThat(ROOT.resolve(file)).exists());
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyNamedTestIsThere(Path page) {
        List<String> named = codes(read(page)).stream()
                .filter(code -> code.matches("[A-Z]\\w+Test(?:#\\w+)?"))
                .toList();

        assertThat(named).allSatisfy(test -> {
            String[] words = test.split("#");
            assertThat(TESTS).containsKey(words[0]);
            assertThat(words.length == 1 || TESTS.get(words[0]).contains("void " + words[1] + "("))
                    .isTrue();
        });
        if (NAME_TESTS.contains(ROOT.relativize(page).toString())) {
            assertThat(named).isNotEmpty();
        }
    }

    /** Also to a heading. */
    @ParameterizedTest
    @MethodSource("pages")
    void everyLinkToAHeadingLeadsThere(Path page) {
        Pattern.compile("\\]\\(([^)#:]*)#([^)]+)\\)")
                .matcher(read(page))
                .results()
                .forEach(link -> {
                    Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
                    assertThat(headings(target))
                            .as("%s in %s", link.group(), page)
                            .contains(link.group(2));
                });
    }

    private static Set<String> headings(Path page) {
        return Pattern.compile("(?m)^#+ (.+)$")
                .matcher(read(page))
                .results()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    @Test
    void theTableOfThreadsIsComplete_andHasNoOther() {
        Pattern thread = Pattern.compile("(?:Thread\\([^\"]*|ThreadFactory\\(|threads\\()\"(highway-[a-z-]+)\"");
        Set<String> threads = sources().stream()
                .flatMap(file -> thread.matcher(read(file)).results().map(found -> found.group(1)))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(words(rows(OBSERVABILITY, "## Threads"))).isEqualTo(threads);
    }

    /** Limits without a key. */
    @Test
    void theFixedLimitsAreThoseOfTheSources() {
        String page = read(ROOT.resolve("docs/reference/configuration.md")).replaceAll("\\s+", " ");
        String sources = sources().stream().map(DocsFactsTest::read).collect(Collectors.joining());

        assertThat(page)
                .contains(
                        "A circuit breaker decides from 20 calls on, and on the last 100",
                        "An island has at most 64 endpoints",
                        "10,000 endpoints, bulk ones counted apart; 8 levels; keys of 300 characters",
                        "10,000 per connection; without a deadline 5 s");
        assertThat(sources).contains("LEAST_CALLS = 20;", "WINDOW = 100;", "MOST_ENDPOINTS = Long.SIZE;");
        assertThat(sources)
                .contains(
                        "MOST_ENDPOINTS = 10_000;",
                        "MAX_DEPTH = 8;",
                        "{1,300}",
                        "MOST_WAITING = 10_000;",
                        "LONGEST_WAIT_MILLIS = 5000;");
    }

    /** In {@code docs/reference/configuration.md}, under "Versions": library and version, as the build has them. */
    @Test
    void everyDocumentedVersionIsThatOfTheBuild() {
        Map<String, String> built = new TreeMap<>();
        Pattern.compile("<([\\w.-]+)\\.version>([^<]+)<")
                .matcher(read(ROOT.resolve("pom.xml")))
                .results()
                .forEach(property -> built.put(property.group(1), property.group(2)));
        Map<String, String> libraries = Map.of(
                "com.alibaba.nacos:nacos-client", "nacos-client",
                "org.apache.curator:curator-x-discovery", "curator",
                "org.apache.zookeeper:zookeeper", "zookeeper",
                "com.github.luben:zstd-jni", "zstd-jni");
        Map<String, String> documented = new TreeMap<>();
        rows(ROOT.resolve("docs/reference/configuration.md"), "## Versions").stream()
                .filter(row -> row.size() == 3)
                .forEach(row -> codes(row.get(0)).forEach(library -> documented.put(library, row.get(1))));
        Map<String, String> expected = new TreeMap<>();
        libraries.forEach((library, property) -> expected.put(library, built.get(property)));

        assertThat(documented).isEqualTo(expected);
    }
}

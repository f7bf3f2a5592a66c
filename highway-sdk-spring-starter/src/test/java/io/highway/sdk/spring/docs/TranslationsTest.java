// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each section of a Chinese page has the code, numbers, names and links of the English section at the same place. */
@Tag("any-dubbo")
class TranslationsTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    /** Of these pages only some sections of the second level are translated. */
    private static final Map<String, List<String>> PARTS =
            Map.of("docs/zh/operations.md", List.of("First checks", "See the star", "Reasons"));

    private static final Pattern ENGLISH = Pattern.compile("(?m)^\\*\\[English]\\(([^)]+)\\)\\*$");
    private static final Pattern HEADING = Pattern.compile("(#+) (.+)");
    private static final Pattern COMMENT = Pattern.compile("(^|\\s)(//|#|/\\*\\*|\\* ).*$");
    private static final Pattern LABEL = Pattern.compile("\"[^\"]*\"");
    /** Also the cells of tables that are yes or no, in Chinese. */
    private static final Pattern NUMBER = Pattern.compile("(?:(?<=\\s)-)?\\d+(?:[.,]\\d+)*|(?<=\\| )[是否](?= \\|)");

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern LINK = Pattern.compile("]\\(([^)]+)\\)");
    /** What begins a list item, heading, table row or HTML tag. */
    private static final Pattern BLOCK = Pattern.compile("(?:[*+-] |\\d+\\. |#|\\||<).*");

    private record Section(String heading, List<String> prose, List<String> code) {

        Section(String heading) {
            this(heading, new ArrayList<>(List.of(heading)), new ArrayList<>());
        }

        int level() {
            return heading.indexOf(' ');
        }

        String title() {
            return heading.substring(level() + 1);
        }

        String text() {
            return String.join(" ", prose);
        }
    }

    /** A section and its translation. */
    private record Pair(Path page, Path englishPage, Section english, Section chinese) {

        List<String> differences(String what, List<String> inEnglish, List<String> inChinese) {
            List<String> missing = new ArrayList<>(inEnglish);
            inChinese.forEach(missing::remove);
            List<String> added = new ArrayList<>(inChinese);
            inEnglish.forEach(added::remove);
            return Stream.of(
                            missing.isEmpty() ? "" : "lacks the " + what + " " + missing,
                            added.isEmpty() ? "" : "has the " + what + " " + added + ", which English lacks")
                    .filter(problem -> !problem.isEmpty())
                    .map(problem -> "%s, \"%s\" (\"%s\" in %s): %s"
                            .formatted(name(page), chinese.heading, english.heading, name(englishPage), problem))
                    .toList();
        }
    }

    static Stream<Path> pages() {
        try (Stream<Path> translated = Files.walk(ROOT.resolve("docs/zh"))) {
            return Stream.concat(Stream.of(ROOT.resolve("README.zh-CN.md")), translated.filter(page -> page.toString()
                            .endsWith(".md")))
                    .sorted()
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The page that a translation links below its title. */
    private static Path english(Path page) {
        Matcher link = ENGLISH.matcher(read(page));
        assertThat(link.find())
                .as("%s has *[English](...)* below its title", name(page))
                .isTrue();
        return page.resolveSibling(link.group(1)).normalize();
    }

    private static String name(Path page) {
        return ROOT.relativize(page).toString();
    }

    private static String read(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Section> sections(Path page) {
        List<Section> sections = new ArrayList<>();
        boolean code = false;
        for (String line : read(page).lines().toList()) {
            if (!code && HEADING.matcher(line).matches()) {
                sections.add(new Section(line));
                continue;
            }
            Section section = sections.get(sections.size() - 1);
            boolean fence = line.startsWith("```");
            (fence || code ? section.code : section.prose).add(line);
            if (fence) {
                section.prose.add("");
                code = !code;
            }
        }
        return sections;
    }

    /** Those that the Chinese page translates. */
    private static List<Section> englishSections(Path page) {
        List<Section> sections = sections(english(page));
        List<String> parts = PARTS.get(name(page));
        if (parts == null) {
            return sections;
        }
        assertThat(sections.stream().filter(section -> section.level() == 2).map(Section::title))
                .as("headings of %s that %s translates", name(english(page)), name(page))
                .containsSubsequence(parts);
        List<Section> translated = new ArrayList<>();
        boolean part = true;
        for (Section section : sections) {
            if (section.level() == 2) {
                part = parts.contains(section.title());
            }
            if (part) {
                translated.add(section);
            }
        }
        return translated;
    }

    private static List<Pair> pairs(Path page) {
        List<Section> english = englishSections(page);
        List<Section> chinese = sections(page);
        assertThat(levels(chinese))
                .as(
                        "headings of %s: %s, and of %s: %s",
                        name(page), headings(chinese), name(english(page)), headings(english))
                .isEqualTo(levels(english));
        return IntStream.range(0, english.size())
                .mapToObj(at -> new Pair(page, english(page), english.get(at), chinese.get(at)))
                .toList();
    }

    private static List<Integer> levels(List<Section> sections) {
        return sections.stream().map(Section::level).toList();
    }

    private static List<String> headings(List<Section> sections) {
        return sections.stream().map(Section::heading).toList();
    }

    private static List<String> differences(Path page, String what, Function<Section, List<String>> facts) {
        return pairs(page).stream()
                .flatMap(pair -> pair.differences(what, facts.apply(pair.english), facts.apply(pair.chinese)).stream())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void aPageAndItsTranslationLinkEachOther(Path page) {
        Path english = english(page);

        assertThat(read(english)).contains("*[简体中文](" + english.getParent().relativize(page) + ")*");
    }

    @ParameterizedTest
    @MethodSource("pages")
    void hasTheSameCode_butForComments(Path page) {
        assertThat(differences(page, "code", section -> withoutText(section.code)))
                .isEmpty();
        assertThat(pairs(page)).allSatisfy(pair -> assertThat(withoutText(pair.chinese.code))
                .as("order of the code in %s, \"%s\"", name(page), pair.chinese.heading)
                .isEqualTo(withoutText(pair.english.code)));
    }

    /** Without comments, and without the labels of diagrams. */
    private static List<String> withoutText(List<String> code) {
        List<String> lines = new ArrayList<>();
        boolean diagram = false;
        for (String line : code) {
            if (line.startsWith("```")) {
                diagram = line.equals("```mermaid");
            }
            String left = diagram
                    ? LABEL.matcher(line).replaceAll("\"\"")
                    : COMMENT.matcher(line).replaceFirst("");
            if (!left.isBlank()) {
                lines.add(left.stripTrailing());
            }
        }
        return lines;
    }

    @ParameterizedTest
    @MethodSource("pages")
    void hasTheSameNumbers(Path page) {
        assertThat(differences(page, "numbers", TranslationsTest::numbers)).isEmpty();
    }

    private static List<String> numbers(Section section) {
        String text = LINK.matcher(section.text())
                .replaceAll("]")
                .replaceAll("(?<=\\| )yes(?= \\|)", "是")
                .replaceAll("(?<=\\| )no(?= \\|)", "否");
        return NUMBER.matcher(text)
                .results()
                .map(number -> number.group().replace(",", ""))
                .toList();
    }

    /** In backquotes: keys, reasons, states, commands. */
    @ParameterizedTest
    @MethodSource("pages")
    void hasTheSameNames(Path page) {
        assertThat(differences(page, "names", section -> distinct(CODE, section.text())))
                .isEmpty();
    }

    private static List<String> distinct(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(found -> found.group(1))
                .distinct()
                .toList();
    }

    /** A translated page counts as its English one, without the heading. */
    @ParameterizedTest
    @MethodSource("pages")
    void hasTheSameLinks(Path page) {
        Map<Path, Path> english = pages().collect(Collectors.toMap(Function.identity(), TranslationsTest::english));

        assertThat(pairs(page).stream()
                        .flatMap(pair -> pair
                                .differences(
                                        "links",
                                        targets(english(page), pair.english, english),
                                        targets(page, pair.chinese, english))
                                .stream()))
                .isEmpty();
    }

    private static List<String> targets(Path page, Section section, Map<Path, Path> english) {
        Set<String> targets = new LinkedHashSet<>();
        for (String link : distinct(LINK, section.text())) {
            String[] parts = link.split("#", 2);
            Path file =
                    parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
            Path target = english.getOrDefault(file, file);
            boolean translated = english.containsValue(target);
            targets.add(name(target) + (translated || parts.length == 1 ? "" : "#" + parts[1]));
        }
        return List.copyOf(targets);
    }

    /** Readers see a line break in a Chinese paragraph as a space. */
    @ParameterizedTest
    @MethodSource("pages")
    void aParagraphIsOneLine(Path page) {
        List<String> broken = sections(page).stream()
                .flatMap(section -> IntStream.range(2, section.prose.size())
                        .filter(at -> !section.prose.get(at).isBlank()
                                && !BLOCK.matcher(section.prose.get(at)).matches()
                                && isProse(section.prose.get(at - 1)))
                        .mapToObj(at -> "%s, \"%s\": line break before \"%s\""
                                .formatted(name(page), section.heading, section.prose.get(at))))
                .toList();

        assertThat(broken).isEmpty();
    }

    private static boolean isProse(String line) {
        return !line.isBlank() && !line.matches("[#|<].*");
    }
}

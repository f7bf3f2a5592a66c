// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The README of a module names every class that Dubbo finds in it, with its extension point. */
@Tag("any-dubbo")
class ExtensionsTableTest {

    private static final Pattern NAME = Pattern.compile("`(\\w+)`");

    @ParameterizedTest
    @ValueSource(strings = {"highway-sdk-dubbo-filter", "highway-sdk-http"})
    void hasEveryClass_thatDubboFinds(String module) throws IOException {
        Path folder = Path.of("..", module);

        assertThat(inTable(folder)).isNotEmpty().isEqualTo(found(folder));
    }

    /** {@code extension point: class}. */
    private static Set<String> found(Path module) throws IOException {
        Set<String> found = new TreeSet<>();
        try (Stream<Path> files = Files.list(module.resolve("src/main/resources/META-INF/dubbo"))) {
            for (Path file : files.toList()) {
                String point = simple(file.getFileName().toString());
                Files.readAllLines(file).stream()
                        .filter(line -> line.contains("="))
                        .forEach(line -> found.add(point + ": " + simple(line)));
            }
        }
        return found;
    }

    private static String simple(String name) {
        return name.replaceFirst(".*[.$]", "");
    }

    private static Set<String> inTable(Path module) throws IOException {
        Set<String> rows = new TreeSet<>();
        for (String line : Files.readAllLines(module.resolve("README.md"))) {
            String[] cells = line.split(" \\| ");
            if (line.startsWith("| `") && cells.length == 3) {
                String[] points = names(cells[0]);
                String[] classes = names(cells[1]);
                for (int i = 0; i < Math.max(points.length, classes.length); i++) {
                    rows.add(points[Math.min(i, points.length - 1)] + ": " + classes[Math.min(i, classes.length - 1)]);
                }
            }
        }
        return rows;
    }

    private static String[] names(String cell) {
        return NAME.matcher(cell)
                .results()
                .map(MatchResult::group)
                .map(name -> name.replace("`", ""))
                .toArray(String[]::new);
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The main code has at most as many lines as {@code .ci/ceilings} allows. */
@Tag("any-dubbo")
class CodeSizeTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    /** A text block, text or character, in which nothing is a comment; or a comment. */
    private static final Pattern TEXT_OR_COMMENT =
            Pattern.compile("(?<text>\"\"\"[^\"\\\\]*+(?:(?:\\\\.|\"(?!\"\"))[^\"\\\\]*+)*+\"\"\""
                    + "|\"[^\"\\\\\\n]*+(?:\\\\.[^\"\\\\\\n]*+)*+\"|'[^'\\\\\\n]*+(?:\\\\.[^'\\\\\\n]*+)*+')"
                    + "|/\\*(?s:.*?)\\*/|//[^\\n]*");

    private static final Pattern IMPORT_OR_PACKAGE = Pattern.compile("\\s*(?:import|package)\\b.*");

    @ParameterizedTest
    @CsvSource({"sdk, highway-sdk-(?:api|dubbo-filter|http|spring-starter|test)", "tools, tools/.+"})
    void mainCodeStaysBelowItsCeiling(String key, String modules) throws IOException {
        Properties ceilings = new Properties();
        try (Reader file = Files.newBufferedReader(ROOT.resolve(".ci/ceilings"))) {
            ceilings.load(file);
        }
        int ceiling = Integer.parseInt(ceilings.getProperty(key));

        long lines = linesOfModules(modules);

        assertThat(lines)
                .as(
                        "%s has %,d lines of main code, %,d over the ceiling of %,d in .ci/ceilings. Extend or replace what"
                                + " does the job today and delete what is no longer used; a change that is meant to add"
                                + " code raises the ceiling, with its reason in docs/maintain/rationale.md.",
                        key, lines, lines - ceiling, ceiling)
                .isPositive()
                .isLessThanOrEqualTo(ceiling);
    }

    @Test
    void countsCode_notCommentsImportsAndBlankLines() {
        assertThat(
                        linesOf(
                                """
                        // SPDX-License-Identifier: Apache-2.0
                        package io.highway;

                        import java.util.List;
                        import static java.util.List.of;

                        /**
                         * Javadoc: a " and a ' begin no text here.
                         */
                        class Shop { // 1

                            /* a block
                               of lines */
                            int price; /* and one
                            behind */ int packages = 2; // 2, 3
                        } // 4
                        """))
                .isEqualTo(4);
    }

    @Test
    void whatLooksLikeACommentInAText_isCode() {
        assertThat(
                        linesOf(
                                """
                        String url = "http://host/*"; // 1
                        char quote = '"'; // 2
                        String escaped = "\\"/*\\\\"; // 3
                        String block = \"""
                            // 5, and "quoted" /*

                            \\\""" 6 (a blank line is none)
                            \"""; // 7
                        int last; // 8 */
                        """))
                .isEqualTo(8);
    }

    private static long linesOfModules(String modules) {
        Pattern mainCode = Pattern.compile(modules + "/src/main/(?:.+/)?(?!package-info)\\w+\\.java");
        return SourceTree.files(ROOT).stream()
                .filter(file -> mainCode.matcher(
                                ROOT.relativize(file).toString().replace('\\', '/'))
                        .matches())
                .mapToLong(file -> linesOf(read(file)))
                .sum();
    }

    private static long linesOf(String source) {
        String code = TEXT_OR_COMMENT
                .matcher(source)
                .replaceAll(found -> Matcher.quoteReplacement(
                        found.group(1) == null ? found.group().replaceAll(".", "") : found.group()));
        return code.lines()
                .filter(line -> !line.isBlank())
                .filter(line -> !IMPORT_OR_PACKAGE.matcher(line).matches())
                .count();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that open sockets or start processes carry {@code @Tag("network")}, so that {@code -DexcludedGroups=network} leaves the
 * quick ones (CONTRIBUTING.md). Reads the test sources of every module: what the main classes of a sample open is not seen.
 */
class NetworkTagTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    private static final Pattern OPENS = Pattern.compile(
            "\\b(new (Server)?Socket|ServerSocketChannel|SocketChannel|new (Server)?Bootstrap|DubboBootstrap"
                    + "|Gateway\\.start|TestingServer|ProcessBuilder|FaultyLink|FreePorts)\\b"
                    + "|\\breal = true|\\.real\\("); // of highway-sdk-test

    private static final Pattern COMMENT = Pattern.compile("(?s:/\\*.*?\\*/)|(?m:^\\s*//.*$|^import .*$)");

    private static final Pattern TYPE = Pattern.compile("\\b[A-Z]\\w*\\b");

    static Stream<Path> modules() {
        return Stream.of(ROOT, ROOT.resolve("samples"), ROOT.resolve("tools"), ROOT.resolve("tools/fixtures"))
                .flatMap(NetworkTagTest::folders)
                .map(module -> module.resolve("src/test/java"))
                .filter(Files::isDirectory);
    }

    private static Stream<Path> folders(Path parent) {
        try (Stream<Path> children = Files.list(parent)) {
            return children.filter(Files::isDirectory).sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("modules")
    void testsThatOpenSockets_areTagged(Path tests) {
        Map<String, String> sources = sources(tests);

        List<String> untagged = sources.keySet().stream()
                .filter(name -> name.endsWith("Test"))
                .filter(name -> !name.equals(NetworkTagTest.class.getSimpleName()))
                .filter(name -> !sources.get(name).contains("Tag(\"network\")"))
                .filter(name -> opensSockets(name, sources, new HashSet<>()))
                .sorted()
                .toList();

        assertThat(sources.values())
                .as("sources without comments and imports")
                .anyMatch(source -> source.contains("class "));
        assertThat(untagged).as("tests to tag with @Tag(\"network\")").isEmpty();
    }

    @Test
    void seesSockets_behindFixtures() {
        Map<String, String> sources = Map.of(
                "QuickTest", "class QuickTest { Names names; }",
                "Names", "class Names {}",
                "CallsTest", "class CallsTest { Star star; }",
                "Star", "class Star { Ports ports; }",
                "Ports", "class Ports { int free() { return new ServerSocket(0).getLocalPort(); } }");

        assertThat(opensSockets("CallsTest", sources, new HashSet<>())).isTrue();
        assertThat(opensSockets("QuickTest", sources, new HashSet<>())).isFalse();
    }

    private static Map<String, String> sources(Path folder) {
        try (Stream<Path> files = Files.find(
                folder, 20, (path, file) -> path.getFileName().toString().endsWith(".java"))) {
            return files.collect(Collectors.toMap(
                    file -> file.getFileName().toString().replace(".java", ""),
                    file -> COMMENT.matcher(read(file)).replaceAll(""),
                    String::concat));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether this type, or one of the same tests that it names, opens one. */
    private static boolean opensSockets(String name, Map<String, String> sources, Set<String> seen) {
        if (!seen.add(name)) {
            return false;
        }
        String source = sources.get(name);
        return OPENS.matcher(source).find()
                || TYPE.matcher(source)
                        .results()
                        .map(MatchResult::group)
                        .filter(sources::containsKey)
                        .filter(type -> !type.endsWith("Test")) // a test names others in texts only
                        .anyMatch(type -> opensSockets(type, sources, seen));
    }
}

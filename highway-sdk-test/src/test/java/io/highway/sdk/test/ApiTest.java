// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The public API of this module: {@code docs/reference/api.md} lists it, and {@code docs/reference/api-baseline-test.txt} has
 * its signatures. {@code PublicApiTest} compares the other modules, which cannot see this one.
 */
class ApiTest {

    private static final Path REFERENCE = Path.of("../docs/reference");
    private static final Path BASELINE = REFERENCE.resolve("api-baseline-test.txt");

    /** Without what Dubbo loads by its name. */
    private static List<Class<?>> types() {
        Path classes = Path.of("target/classes");
        String extensions =
                files(classes.resolve("META-INF/dubbo")).map(ApiTest::read).collect(Collectors.joining());
        return files(classes.resolve("io/highway/sdk/test"))
                .map(file -> file.getFileName().toString())
                .filter(name -> name.endsWith(".class") && !name.equals("package-info.class"))
                .<Class<?>>map(name -> load("io.highway.sdk.test." + name.replace(".class", "")))
                .filter(type -> isPublic(type)
                        && !Pattern.compile("=" + Pattern.quote(type.getName()) + "\\s")
                                .matcher(extensions)
                                .find())
                .toList();
    }

    private static boolean isPublic(Class<?> type) {
        Class<?> outer = type.getEnclosingClass();
        return Modifier.isPublic(type.getModifiers()) && (outer == null || isPublic(outer));
    }

    @Test
    void isInTheDocumentation() {
        String page = read(REFERENCE.resolve("api.md"));

        String section = page.substring(page.indexOf("\n## `io.highway.sdk.test`"));
        assertThat(Pattern.compile("(?m)^\\| `(\\w+)`([^|]*) \\| \\S.{9,} \\|$")
                        .matcher(section)
                        .results()
                        .flatMap(row -> Pattern.compile("^|`([\\w.]+)`") // the type, and those inside it
                                .matcher(row.group(2))
                                .results()
                                .map(inner -> row.group(1) + (inner.group(1) == null ? "" : "." + inner.group(1)))))
                .containsExactlyInAnyOrderElementsOf(types().stream()
                        .map(type -> type.getCanonicalName().replace("io.highway.sdk.test.", ""))
                        .toList());
        long outer = types().stream()
                .filter(type -> type.getEnclosingClass() == null)
                .count();
        assertThat(page).contains("\n## `io.highway.sdk.test`: " + outer + " types\n");
    }

    /** Written by {@code -Dapi.baseline=write}, at a release. */
    @Test
    void isCompatible() throws IOException {
        SortedSet<String> now = types().stream()
                .flatMap(type -> Stream.of(
                                Stream.of(type.toGenericString()),
                                members(type.getDeclaredConstructors()),
                                members(type.getDeclaredMethods()),
                                members(type.getDeclaredFields()))
                        .flatMap(lines -> lines))
                .collect(Collectors.toCollection(TreeSet::new));
        if ("write".equals(System.getProperty("api.baseline"))) {
            Files.write(BASELINE, now);
        }

        Set<String> before = read(BASELINE).lines().collect(Collectors.toSet());

        assertThat(now).as("what was public is gone").containsAll(before);
    }

    private static <M extends AnnotatedElement & Member> Stream<String> members(M[] members) {
        return Stream.of(members)
                .filter(member -> Modifier.isPublic(member.getModifiers()) && !member.isSynthetic())
                .map(Object::toString);
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, ApiTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Stream<Path> files(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).toList().stream();
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
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.highway.sdk.Highway;
import io.highway.sdk.HighwayScope;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.HighwayMeters;
import io.highway.sdk.dubbo.HighwaySetup;
import io.highway.sdk.spring.HighwayAutoConfiguration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.dubbo.common.Version;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.boot.SpringBootVersion;
import org.springframework.util.ClassUtils;

/**
 * The public API of the three modules that this one sees: {@code docs/reference/api.md} lists it, {@code docs/reference/api-baseline.txt} has its signatures, and a
 * type elsewhere is public only if another package needs it.
 */
@EnabledIf("hasEveryClass")
class PublicApiTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Path BASELINE = ROOT.resolve("docs/reference/api-baseline.txt");

    /** Has an {@code ApiTest} of its own. */
    private static final String FOR_TESTS = "io.highway.sdk.test";

    private static final Set<String> API = Set.of("io.highway.sdk", "io.highway.sdk.dubbo", "io.highway.sdk.spring");

    /** Interfaces that users call and do not implement. */
    private static final Set<String> SDK_ONLY = Stream.of(HighwayScope.class, HighwaySetup.class, HighwayMeters.class)
            .flatMap(PublicApiTest::withInner)
            .map(Class::getCanonicalName)
            .collect(Collectors.toUnmodifiableSet());

    /** Bound by Boot. */
    private static final Set<String> LOADED_BY_NAME = Set.of("io.highway.sdk.spring.actuate.HighwayHealthProperties");

    /** With other versions the build leaves classes out; one extends a class of {@code dubbo-config-spring6}. */
    static boolean hasEveryClass() {
        return Version.getVersion().startsWith("3.3")
                && SpringBootVersion.getVersion().startsWith("3.")
                && ClassUtils.isPresent(
                        "org.apache.dubbo.config.spring6.beans.factory.annotation.ReferenceAnnotationWithAotBeanPostProcessor",
                        PublicApiTest.class.getClassLoader());
    }

    @Test
    void everyApiType_isInTheDocumentation_andNothingElse() {
        List<String> documented = Pattern.compile("(?s)\n## `(io\\.highway[\\w.]*)`(.*?)(?=\n## |$)")
                .matcher(read(ROOT.resolve("docs/reference/api.md")))
                .results()
                .filter(section -> !section.group(1).equals(FOR_TESTS))
                .flatMap(section -> Pattern.compile("(?m)^\\| `(\\w+)`([^|]*) \\| \\S.{9,} \\|$")
                        .matcher(section.group(2))
                        .results()
                        .flatMap(row -> namesIn(section.group(1) + "." + row.group(1), row.group(2))))
                .toList();

        assertThat(documented)
                .containsExactlyInAnyOrderElementsOf(
                        apiTypes().map(Class::getCanonicalName).toList());
    }

    /** A row has a type, and those inside it behind a colon. */
    private static Stream<String> namesIn(String type, String inner) {
        return Stream.concat(
                Stream.of(type),
                Pattern.compile("`([\\w.]+)`").matcher(inner).results().map(name -> type + "." + name.group(1)));
    }

    /** By package, as the headings have it: {@code ## `io.highway.sdk`: 10 types}, without those inside others. */
    @Test
    void theDocumentationCountsThem() {
        List<String> counted = Pattern.compile("(?m)^## `(io\\.highway[\\w.]*)`: (\\d+) types$")
                .matcher(read(ROOT.resolve("docs/reference/api.md")))
                .results()
                .map(heading -> heading.group(1) + " " + heading.group(2))
                .filter(heading -> !heading.startsWith(FOR_TESTS))
                .toList();
        Map<String, Long> counts = publicTypes()
                .filter(PublicApiTest::isApi)
                .collect(Collectors.groupingBy(Class::getPackageName, TreeMap::new, Collectors.counting()));

        assertThat(counted)
                .containsExactlyElementsOf(counts.entrySet().stream()
                        .map(count -> count.getKey() + " " + count.getValue())
                        .toList());
    }

    /** Dubbo and Spring load what META-INF names. */
    @Test
    void aPublicTypeOutsideOfTheApi_isUsedByAnotherPackage_orLoadedByName() {
        Set<String> used = new TreeSet<>(LOADED_BY_NAME);
        for (JavaClass type : new ClassFileImporter().importPackages("io.highway.sdk")) {
            Stream<JavaClass> named =
                    type.getDirectDependenciesFromSelf().stream().map(Dependency::getTargetClass);
            Stream<JavaClass> passed = type.getCodeUnitCallsFromSelf().stream() // a lambda does not name its interface
                    .map(JavaCall::getTarget)
                    .flatMap(target -> Stream.concat(
                            target.getRawParameterTypes().stream(), Stream.of(target.getRawReturnType())));
            Stream.concat(named, passed)
                    .filter(other -> !other.getPackageName().equals(type.getPackageName()))
                    .forEach(other -> used.add(other.getName().replaceFirst("\\$.*", "")));
        }
        try (Stream<Path> files = Stream.of(
                        compiled(HighwayException.class, "META-INF/"),
                        compiled(HighwayAutoConfiguration.class, "META-INF/"),
                        files(ROOT.resolve("highway-sdk-test/src/main/java"))) // which is not compiled yet
                .flatMap(some -> some)) {
            files.flatMap(file -> Pattern.compile("io\\.highway[\\w.]+")
                            .matcher(file.getFileName() + "\n" + read(file))
                            .results())
                    .forEach(name -> used.add(name.group()));
        }

        assertThat(publicTypes().filter(type -> !isApi(type)).map(Class::getName))
                .as("make it package-private")
                .isSubsetOf(used);
    }

    @Test
    void noSignatureMentionsAnInternalType() {
        Set<String> api = apiTypes().map(Class::getCanonicalName).collect(Collectors.toSet());

        List<String> mentions = apiTypes()
                .flatMap(type -> ApiSignatures.of(type).stream())
                .filter(line -> Pattern.compile("io\\.highway\\.[\\w.]+")
                        .matcher(line.substring(line.indexOf(": ")).replaceAll("\".*\"", ""))
                        .results()
                        .anyMatch(mentioned -> !api.contains(mentioned.group())))
                .toList();

        assertThat(mentions).isEmpty();
    }

    /** Written by {@code -Dapi.baseline=write}, at a release. */
    @Test
    void theApiIsCompatible_orTheChangelogNamesWhatIsNot() {
        SortedSet<String> now = apiTypes()
                .flatMap(type -> ApiSignatures.of(type).stream())
                .collect(Collectors.toCollection(TreeSet::new));
        if ("write".equals(System.getProperty("api.baseline"))) {
            write(now);
        }
        SortedSet<String> before = read(BASELINE).lines().collect(Collectors.toCollection(TreeSet::new));
        Set<String> named = namedInChangelog(read(ROOT.resolve("CHANGELOG.md")));

        List<String> unnamed = ApiSignatures.incompatible(before, now, SDK_ONLY).stream()
                .filter(change -> !named.contains(change) && !named.contains(change.replaceFirst("#.*", "")))
                .toList();

        assertThat(unnamed)
                .as("incompatible changes; restore what was, or name each in CHANGELOG.md under Unreleased, API:"
                        + " * Incompatible: `Type#member` and what to write instead")
                .isEmpty();
    }

    @Test
    void onlyEntriesThatBeginWithIncompatible_nameChanges() {
        String changelog = "# Changelog\n\n## Unreleased\n\n### API\n* New: `Highway#wrap`.\n"
                + "* Incompatible: `HighwayException#sent` is\n  `mayHaveRun`; `CallOutcome` is a class.\n* `Caller`.\n\n"
                + "## 0.1.0\n* Incompatible: `Reason`.\n";

        assertThat(namedInChangelog(changelog))
                .containsExactlyInAnyOrder("HighwayException#sent", "mayHaveRun", "CallOutcome");
    }

    private static Set<String> namedInChangelog(String changelog) {
        String unreleased =
                changelog.replaceFirst("(?s)^.*?\n## Unreleased\n", "").replaceFirst("(?s)\n## .*$", "");
        return Pattern.compile("(?ms)^\\* Incompatible: (.*?)(?=^[*#]|^$|\\z)")
                .matcher(unreleased)
                .results()
                .flatMap(entry -> Pattern.compile("`([\\w.]+(?:#\\w+)?)`")
                        .matcher(entry.group(1))
                        .results())
                .map(name -> name.group(1))
                .collect(Collectors.toSet());
    }

    /** With the public types inside them. */
    private static Stream<Class<?>> apiTypes() {
        return publicTypes().filter(PublicApiTest::isApi).flatMap(PublicApiTest::withInner);
    }

    /** {@code Internal*} are public for other packages of the SDK. */
    private static boolean isApi(Class<?> type) {
        return API.contains(type.getPackageName()) && !type.getSimpleName().startsWith("Internal");
    }

    private static Stream<Class<?>> withInner(Class<?> type) {
        return Stream.concat(
                Stream.of(type),
                Arrays.stream(type.getDeclaredClasses())
                        .filter(inner -> Modifier.isPublic(inner.getModifiers()))
                        .flatMap(PublicApiTest::withInner));
    }

    /** Without the types inside others. */
    private static Stream<Class<?>> publicTypes() {
        return Stream.of(Highway.class, HighwayException.class, HighwayAutoConfiguration.class)
                .flatMap(one -> compiled(one, "io/highway/sdk/"))
                .map(Path::toString)
                .filter(file -> file.endsWith(".class") && !file.contains("$") && !file.endsWith("-info.class"))
                .map(file -> file.substring(file.lastIndexOf("io/highway/sdk/"), file.length() - ".class".length()))
                .filter(name -> !name.endsWith("/HighwayHealthIndicatorOfBoot4")) // its superclass is in Boot 4 only
                .<Class<?>>map(name -> load(name.replace('/', '.')))
                .filter(type -> Modifier.isPublic(type.getModifiers()));
    }

    /** The files below a folder of the module that has this class: of its classes or of its jar. */
    private static Stream<Path> compiled(Class<?> one, String folder) {
        try {
            Path module = Path.of(
                    one.getProtectionDomain().getCodeSource().getLocation().toURI());
            if (Files.isDirectory(module)) {
                return files(module.resolve(folder));
            }
            FileSystem jar = FileSystems.newFileSystem(module, Map.of());
            return files(jar.getPath(folder)).onClose(() -> close(jar));
        } catch (IOException | URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Stream<Path> files(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void close(FileSystem jar) {
        try {
            jar.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, PublicApiTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void write(SortedSet<String> lines) {
        try {
            Files.write(BASELINE, lines);
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

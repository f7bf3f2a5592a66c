// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.springboot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.internal.http.RequestPath;
import io.highway.sdk.spring.internal.SpringSettings;
import io.highway.sdk.test.HighwayTest;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The jars of the SDK, as users get them. Skipped by {@code mvn test}, which creates none. */
class ShippedJarsTest {

    private static final Path ROOT = Path.of("..", "..");

    static Stream<Arguments> jars() {
        return Stream.of(
                Arguments.of(Highway.class, "io.highway.sdk"),
                Arguments.of(HighwayException.class, "io.highway.sdk.dubbo"),
                Arguments.of(RequestPath.class, "io.highway.sdk.http"),
                Arguments.of(SpringSettings.class, "io.highway.sdk.spring"),
                Arguments.of(HighwayTest.class, "io.highway.sdk.test"));
    }

    private static Path jar(Class<?> type) throws URISyntaxException {
        Path jar =
                Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        assumeTrue(Files.isRegularFile(jar), jar + " is a jar");
        return jar;
    }

    @ParameterizedTest
    @MethodSource("jars")
    void isAModuleWithAStableName(Class<?> type, String module) throws URISyntaxException {
        assertThat(ModuleFinder.of(jar(type)).findAll()).singleElement().satisfies(found -> {
            assertThat(found.descriptor().name()).isEqualTo(module);
            assertThat(found.descriptor().isAutomatic()).isTrue();
        });
    }

    @Test
    void noPackageIsInTwoJars() throws URISyntaxException {
        List<String> packages = ModuleFinder.of(
                        jar(Highway.class),
                        jar(HighwayException.class),
                        jar(RequestPath.class),
                        jar(SpringSettings.class),
                        jar(HighwayTest.class))
                .findAll()
                .stream()
                .flatMap(found -> found.descriptor().packages().stream())
                .toList();

        assertThat(packages).contains("io.highway.sdk").doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("jars")
    void containsLicenseAndNotice(Class<?> type, String module) throws IOException, URISyntaxException {
        try (JarFile jar = new JarFile(jar(type).toFile())) {
            for (String name : List.of("LICENSE", "NOTICE")) {
                ZipEntry entry = jar.getEntry("META-INF/" + name);
                assertThat(entry).as(name).isNotNull();
                try (InputStream in = jar.getInputStream(entry)) {
                    assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                            .isEqualTo(Files.readString(ROOT.resolve(name)));
                }
            }
        }
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The API as Kotlin code writes it: {@code src/test/kotlin} compiles and runs. */
@Tag("network") // starts a process
class KotlinTest {

    private static final String CLASS_PATH = System.getProperty("java.class.path");
    private static final String SOURCES = "src/test/kotlin";

    @TempDir
    Path classes;

    @Test
    void compilesAndRuns() throws Exception {
        compile();

        Object answers;
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()}, KotlinTest.class.getClassLoader())) {
            answers = loader.loadClass("io.highway.sdk.kotlin.FromKotlinKt")
                    .getMethod("answers")
                    .invoke(null);
        }

        assertThat(answers)
                .isEqualTo(List.of(
                        "call to shanghai",
                        "nothing is null",
                        "run to shanghai",
                        "home to home",
                        "inner to shanghai, outer to beijing",
                        "scope to shanghai",
                        "proxy to shanghai",
                        "task to shanghai",
                        "pool to shanghai"));
        assertThat(HighwayContext.capture()).isSameAs(HighwayContext.empty());
    }

    /** In a process, since the compiler leaves threads. */
    private void compile() throws IOException, InterruptedException {
        Process compiler = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        CLASS_PATH,
                        "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler",
                        "-no-stdlib", // it is on the class path
                        "-no-reflect",
                        "-Xdisable-default-scripting-plugin",
                        "-jvm-target",
                        "17",
                        "-cp",
                        CLASS_PATH,
                        "-d",
                        classes.toString(),
                        SOURCES)
                .redirectErrorStream(true)
                .start();
        String output = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(compiler.waitFor()).as(output).isZero();
    }
}

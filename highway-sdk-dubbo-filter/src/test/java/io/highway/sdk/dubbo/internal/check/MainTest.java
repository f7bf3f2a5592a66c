// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.IslandId;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.apache.dubbo.common.config.Environment;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/**
 * The command line, as it runs with a directory of jars. The build runs the real jar once more, in the phase
 * {@code verify}.
 */
@Tag("network")
class MainTest {

    private static final String RULE =
            """
            version: 2026-07-15.1
            gateways:
              dubbo: gateway:20880
            islands:
              shanghai: {tunnel: dubbo, timeout: 5s}
            """;

    @TempDir
    private static Path directory;

    private static Path lib;
    private static Path jar;

    private record Ended(int code, String out, String err) {}

    @BeforeAll
    static void collectJars() throws Exception {
        lib = Files.createDirectory(directory.resolve("lib"));
        jar = copy(Main.class, "highway-sdk-dubbo-filter-7.jar");
        copy(IslandId.class, "highway-sdk-api-7.jar");
        copy(Environment.class, "dubbo-x.jar");
        copy(Yaml.class, "snakeyaml-x.jar");
    }

    /** The jar of a class, or one of its directory of classes. */
    private static Path copy(Class<?> from, String name) throws Exception {
        Path source =
                Path.of(from.getProtectionDomain().getCodeSource().getLocation().toURI());
        Path target = lib.resolve(name);
        if (Files.isRegularFile(source)) {
            return Files.copy(source, target);
        }
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Main.class.getName());
        try (OutputStream file = Files.newOutputStream(target);
                JarOutputStream packed = new JarOutputStream(file, manifest);
                Stream<Path> files = Files.walk(source)) {
            for (Path each : files.filter(Files::isRegularFile).toList()) {
                packed.putNextEntry(new JarEntry(source.relativize(each).toString()));
                Files.copy(each, packed);
            }
        }
        return target;
    }

    private static Ended run(String jars, String... args) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                jars,
                Main.class.getName()));
        command.addAll(List.of(args));
        Path out = Files.createTempFile(directory, "out", "");
        Path err = Files.createTempFile(directory, "err", "");
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        return new Ended(process.waitFor(), Files.readString(out), Files.readString(err));
    }

    private static String file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text).toString();
    }

    @Test
    void readsARule_withTheJarsOfTheApplication() throws Exception {
        String rule = file("rule.yaml", RULE);
        String wrong = file("wrong.yaml", RULE.replace("tunnel: dubbo", "tunnel: dubo"));

        Ended accepted = run(lib + "/*", "check", rule);
        Ended refused = run(lib + "/*", "check", wrong);

        assertThat(accepted.out()).contains("version 2026-07-15.1 (hash ", "accepted");
        assertThat(accepted.code()).as(accepted.err()).isZero();
        assertThat(accepted.err()).isEmpty();
        assertThat(refused.out()).contains("wrong.yaml:5: highway.islands.shanghai.tunnel: \"dubo\" is not allowed");
        assertThat(refused.code()).isOne();
    }

    @Test
    void namesTheJarsThatAreMissing() throws Exception {
        Ended ended = run(jar.toString(), "check", file("alone.yaml", RULE));

        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.err())
                .contains("needs the jars highway-sdk-api, dubbo and snakeyaml")
                .contains("usage: java -cp '<jars>'")
                .doesNotContain("\tat ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "chek rule.yaml", "check", "check a b", "check a --agains b", "check a --against"})
    void showsTheUsage_ofArgumentsThatAreWrong(String args) throws Exception {
        Ended ended = run(lib + "/*", args.isEmpty() ? new String[0] : args.split(" "));

        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.err()).contains("usage: java -cp '<jars>' io.highway.sdk.dubbo.internal.check.Main check");
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.it.RawCaller.Field;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.dubbo.common.Version;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process without zstd-jni, an optional dependency: everything works but zstd. */
@Tag("network")
class WithoutZstdTest {

    @TempDir
    private static Path directory;

    private static String output;

    @BeforeAll
    static void run() throws Exception {
        String classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("zstd-jni"))
                .collect(Collectors.joining(File.pathSeparator));
        Path log = directory.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Djdk.net.hosts.file=" + System.getProperty("jdk.net.hosts.file"),
                        "-cp",
                        classPath,
                        WithoutZstdTest.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        output = Files.readString(log);
        assertThat(process.exitValue()).as(output).isZero();
    }

    /** In the process itself. */
    public static void main(String[] arguments) throws Exception {
        try (Star star = new Star()) {
            for (String compression : List.of("zstd", "auto", "gzip")) {
                try {
                    Shop shop = star.shop(Tunnel.TRIPLE, "highway.defaults.compression", compression);
                    String answer = Highway.to("shanghai").call(() -> shop.sell("tea ".repeat(10_000)));
                    System.out.println(compression + " -> " + answer.length());
                } catch (HighwayConfigurationException e) {
                    System.out.println(compression + " -> " + e.getMessage());
                }
            }
            if (isDubbo33()) { // 3.2 does not answer what it cannot read
                RawCaller caller = star.closing(new RawCaller(star.shanghai.tripleAddress));
                String answer = caller.sell(
                        Tunnel.TRIPLE,
                        "zhejiang-app",
                        List.of(new Field("highway-island", "shanghai"), new Field("grpc-encoding", "zstd")));
                System.out.println("raw -> " + answer);
            }
        }
        System.exit(0); // Dubbo leaves threads
    }

    private static boolean isDubbo33() {
        return Version.getVersion().startsWith("3.3");
    }

    private static String line(String start) {
        return output.lines()
                .filter(line -> line.startsWith(start + " -> "))
                .findFirst()
                .orElse(output);
    }

    @Test
    void zstdFailsTheStartUp_withTheDependencyToAdd() {
        assertThat(line("zstd"))
                .contains("highway.defaults.compression")
                .contains("\"zstd\" needs zstd-jni")
                .contains("com.github.luben:zstd-jni");
    }

    @Test
    void autoCompressesNothing_andSaysSo() {
        assertThat(line("auto")).isEqualTo("auto -> " + answerLength());
        assertThat(output).contains("highway.defaults.compression: \"auto\" needs zstd-jni, and nothing is compressed");
    }

    @Test
    void gzipWorks() {
        assertThat(line("gzip")).isEqualTo("gzip -> " + answerLength());
    }

    private static int answerLength() {
        return "shanghai:".length() + 4 * 10_000;
    }

    @Test
    void aProviderStatesThatItDoesNotReadIt() {
        assumeTrue(isDubbo33(), "providers of Dubbo 3.2 cannot state it");

        assertThat(line("raw"))
                .contains("highway-refused: shanghai%3Bno-such-encoding")
                .contains("grpc-accept-encoding: gzip,snappy")
                .doesNotContain("snappy,zstd]");
    }
}

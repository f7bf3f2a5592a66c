// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A gateway as a module beside this one builds it, with its own class path. */
final class JavaGateway {

    private static final Path MODULES = Path.of("tools", "gateways");

    private final Path classes;
    private final Path libraries;

    private JavaGateway(Path module) {
        this.classes = module.resolve(Path.of("target", "classes"));
        this.libraries = module.resolve(Path.of("target", "lib"));
    }

    /**
     * Looks in the folders above the one of the sample that is running.
     *
     * @param options of Maven, which the module needs
     */
    static JavaGateway find(Path folder, String name, String options) {
        Path module = MODULES.resolve(name);
        for (Path above = folder.toAbsolutePath(); above != null; above = above.getParent()) {
            JavaGateway found = new JavaGateway(above.resolve(module));
            if (Files.isDirectory(found.libraries)) {
                return found;
            }
        }
        throw new IllegalStateException("there is no " + name + " here; run: mvn -B -ntp -q -DskipTests package "
                + options + "-pl " + module + " -am");
    }

    /** Its command line. */
    List<String> with(List<String> options, String main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx512m");
        command.addAll(options);
        command.addAll(List.of("-cp", classes + ":" + libraries + "/*", main));
        command.addAll(arguments);
        return command;
    }

    /** In the name of its jar. */
    String version(String jar) throws IOException {
        Pattern name = Pattern.compile(jar + "-([\\d.]+)\\.jar");
        try (Stream<Path> jars = Files.list(libraries)) {
            return jars.map(file -> name.matcher(file.getFileName().toString()))
                    .filter(Matcher::matches)
                    .map(file -> file.group(1))
                    .findFirst()
                    .orElseThrow();
        }
    }
}

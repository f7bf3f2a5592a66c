// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.memory;

import com.alibaba.com.caucho.hessian.io.Hessian2Input;
import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.dubbo.common.Version;

/** A protocol of a line of Dubbo. */
public enum Cell {
    TRI33("tri", false),
    DUBBO33("dubbo", false),
    TRI32("tri", true),
    DUBBO32("dubbo", true);

    private final String protocol;
    private final boolean older;

    Cell(String protocol, boolean older) {
        this.protocol = protocol;
        this.older = older;
    }

    /** As {@code --only} has it. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    String protocol() {
        return protocol;
    }

    boolean isTriple() {
        return protocol.equals("tri");
    }

    /** Options of the virtual machine that this line of Dubbo needs on Java 17. */
    List<String> options() {
        return older
                ? Stream.of("lang", "util", "math", "time")
                        .map(opened -> "--add-opens=java.base/java." + opened + "=ALL-UNNAMED")
                        .toList()
                : List.of();
    }

    /** The class path of a provider. */
    String classPath(boolean sdk) {
        List<Class<?>> left = new ArrayList<>();
        if (!sdk) {
            left.addAll(List.of(Highway.class, HighwayException.class));
        }
        if (!older) {
            return without(left);
        }
        left.addAll(List.of(Version.class, Hessian2Input.class));
        Path folder = placeOf(Cell.class).resolveSibling("providers").resolve("dubbo-3.2");
        try (Stream<Path> jars = Files.list(folder)) {
            return jars.map(Path::toString).collect(Collectors.joining(File.pathSeparator))
                    + File.pathSeparator
                    + without(left);
        } catch (IOException e) {
            throw new IllegalStateException("no older Dubbo in " + folder, e);
        }
    }

    /** This process's class path without the jars of these classes. */
    private static String without(List<Class<?>> classes) {
        Set<Path> left = classes.stream().map(Cell::placeOf).collect(Collectors.toSet());
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !left.contains(Path.of(entry).toAbsolutePath().normalize()))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static Path placeOf(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toAbsolutePath()
                    .normalize();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}

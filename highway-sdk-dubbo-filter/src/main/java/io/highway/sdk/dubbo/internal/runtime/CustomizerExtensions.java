// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.runtime;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.HighwayCustomizer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import org.apache.dubbo.common.extension.ExtensionLoader;
import org.apache.dubbo.common.lang.Prioritized;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/**
 * The customizers that are Dubbo extensions. Dubbo skips a class that it cannot load, which would leave out a part of the
 * configuration; here it is an error.
 */
final class CustomizerExtensions {

    private static final String TYPE = HighwayCustomizer.class.getName();

    /** Where Dubbo looks for extensions. */
    private static final List<String> FILES =
            List.of("META-INF/dubbo/" + TYPE, "META-INF/dubbo/internal/" + TYPE, "META-INF/services/" + TYPE);

    private CustomizerExtensions() {}

    /** All of an application, by priority and name. */
    static List<HighwayCustomizer> of(ApplicationModel application) {
        for (ClassLoader loader : application.getClassLoaders()) {
            for (String file : FILES) {
                requireClasses(file, loader);
            }
        }
        ExtensionLoader<HighwayCustomizer> loader = application.getExtensionLoader(HighwayCustomizer.class);
        List<HighwayCustomizer> all = new ArrayList<>();
        for (String name : new TreeSet<>(loader.getSupportedExtensions())) {
            HighwayCustomizer one = create(name, loader);
            if (all.stream().noneMatch(known -> known == one)) { // a class may have several names
                all.add(one);
            }
        }
        all.sort(Prioritized.COMPARATOR);
        return all;
    }

    private static HighwayCustomizer create(String name, ExtensionLoader<HighwayCustomizer> loader) {
        try {
            return loader.getExtension(name);
        } catch (IllegalStateException e) {
            Throwable cause = e;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            throw failed("\"" + name + "\" cannot be created: " + cause, "Correct its constructor", null, e);
        }
    }

    private static void requireClasses(String file, ClassLoader loader) {
        try {
            for (URL url : Collections.list(loader.getResources(file))) {
                for (String line : lines(url)) {
                    requireClass(line.substring(line.indexOf('=') + 1).trim(), url, loader);
                }
            }
        } catch (IOException e) {
            throw failed("the file cannot be read: " + e, "Correct it", file, e);
        }
    }

    private static List<String> lines(URL url) throws IOException {
        URLConnection connection = url.openConnection();
        connection.setUseCaches(false); // the jar must not stay open
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
            return reader.lines()
                    .map(line -> line.replaceFirst("#.*", "").trim())
                    .filter(line -> !line.isEmpty())
                    .toList();
        }
    }

    private static void requireClass(String name, URL url, ClassLoader loader) {
        Class<?> type;
        try {
            type = Class.forName(name, false, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            throw failed(
                    "\"" + name + "\" cannot be loaded: " + e, "Write name=full.name.of.the.Class", url.toString(), e);
        }
        if (!HighwayCustomizer.class.isAssignableFrom(type)) {
            throw failed(
                    "\"" + name + "\" does not implement HighwayCustomizer",
                    "Implement it, or remove the line",
                    url.toString(),
                    null);
        }
    }

    private static HighwayConfigurationException failed(
            String problem, String action, @Nullable String origin, @Nullable Throwable cause) {
        HighwayConfigurationException failure = new HighwayConfigurationException(FILES.get(0), problem, action);
        HighwayConfigurationException placed = origin == null ? failure : failure.at(origin);
        if (cause != null) {
            placed.initCause(cause);
        }
        return placed;
    }
}

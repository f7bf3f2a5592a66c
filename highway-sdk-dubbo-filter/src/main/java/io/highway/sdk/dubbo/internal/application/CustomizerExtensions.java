// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.application;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.HighwayCustomizer;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.dubbo.common.extension.ExtensionLoader;
import org.apache.dubbo.common.lang.Prioritized;
import org.apache.dubbo.rpc.model.ApplicationModel;

/**
 * The customizers that are Dubbo extensions. Dubbo skips a class that it cannot load, which would leave out a part of the
 * configuration; here it is an error.
 */
final class CustomizerExtensions {

    private static final String FILE = "META-INF/dubbo/" + HighwayCustomizer.class.getName();

    private CustomizerExtensions() {}

    /** All of an application, by priority and name. */
    static List<HighwayCustomizer> of(ApplicationModel application) {
        ExtensionLoader<HighwayCustomizer> loader = application.getExtensionLoader(HighwayCustomizer.class);
        Set<String> names = new TreeSet<>(loader.getSupportedExtensions());
        requireAllLoaded(loader);
        List<HighwayCustomizer> all = new ArrayList<>();
        for (String name : names) {
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
            throw failed("\"" + name + "\" cannot be created: " + cause, "Correct its constructor", e);
        }
    }

    /** Dubbo keeps what it could not load in a private map, by the line of the file. */
    private static void requireAllLoaded(ExtensionLoader<HighwayCustomizer> loader) {
        Map<?, ?> skipped;
        try {
            Field exceptions = ExtensionLoader.class.getDeclaredField("exceptions");
            exceptions.setAccessible(true);
            skipped = (Map<?, ?>) exceptions.get(loader);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this version of Dubbo hides which extensions it could not load", e);
        }
        for (Map.Entry<?, ?> one : skipped.entrySet()) {
            IllegalStateException e = (IllegalStateException) one.getValue();
            throw failed(
                    "the line \"" + one.getKey() + "\" cannot be used: " + e.getMessage(),
                    "Write name=full.name.of.the.Class, of a class that implements HighwayCustomizer, or remove the line",
                    e);
        }
    }

    private static HighwayConfigurationException failed(String problem, String action, IllegalStateException cause) {
        HighwayConfigurationException failure = new HighwayConfigurationException(FILE, problem, action);
        failure.initCause(cause);
        return failure;
    }
}

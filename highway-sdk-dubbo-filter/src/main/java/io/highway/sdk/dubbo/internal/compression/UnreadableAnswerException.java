// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.compression;

import java.io.IOException;

/** An answer was received and has no message that can be read, or one that is larger than the limit. */
public final class UnreadableAnswerException extends IOException {

    private static final long serialVersionUID = 1L;

    /** With the cause, for people, without a full stop. */
    public UnreadableAnswerException(String message) {
        super(message);
    }

    /** As the other constructor. */
    public UnreadableAnswerException(String message, Throwable cause) {
        super(message, cause);
    }
}

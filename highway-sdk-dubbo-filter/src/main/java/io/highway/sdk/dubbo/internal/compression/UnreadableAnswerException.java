// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.compression;

import java.io.IOException;

/** An answer was received and cannot be inflated, or only to more than the limit. */
public final class UnreadableAnswerException extends IOException {

    private static final long serialVersionUID = 1L;

    UnreadableAnswerException(String message) {
        super(message);
    }
}

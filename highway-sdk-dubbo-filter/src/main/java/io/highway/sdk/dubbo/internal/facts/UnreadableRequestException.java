// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.facts;

/** A request whose facts cannot be read, or could be decoded differently; the message gives the reason, and no bytes. */
public final class UnreadableRequestException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Without a stack trace: a peer causes it. */
    public UnreadableRequestException(String why) {
        super(why, null, false, false);
    }
}

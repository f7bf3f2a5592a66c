// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway.dubbo;

/** A request whose destination cannot be found in its bytes; the message gives the reason. */
public final class UnreadableRequestException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnreadableRequestException(String why) {
        super(why, null, false, false);
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.transport;

/**
 * A call was not sent, because the gateway allows no more streams on the connection. Only this process makes one, so it
 * proves that.
 */
public final class StreamLimitException extends Exception {

    private static final long serialVersionUID = 1L;

    StreamLimitException(String message) {
        super(message);
    }
}

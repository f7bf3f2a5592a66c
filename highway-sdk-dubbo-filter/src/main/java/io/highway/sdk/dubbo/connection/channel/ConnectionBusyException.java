// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.connection.channel;

import java.io.IOException;

/**
 * A call was not sent, because the connection to its gateway takes no more for now. Only this process makes one, so it
 * proves that.
 */
public final class ConnectionBusyException extends IOException {

    private static final long serialVersionUID = 1L;

    public ConnectionBusyException(String message) {
        super(message);
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.limits;

import java.io.IOException;

/**
 * A call was not sent, because the connection to its gateway accepts no more calls for now. Only this process creates
 * this exception, so it is proof.
 */
public final class ConnectionBusyException extends IOException {

    private static final long serialVersionUID = 1L;

    public ConnectionBusyException(String message) {
        super(message);
    }
}

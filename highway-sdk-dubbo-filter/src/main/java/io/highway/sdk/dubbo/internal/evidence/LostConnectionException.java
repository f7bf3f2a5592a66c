// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.evidence;

import org.apache.dubbo.remoting.RemotingException;

/** The connection was lost after the request was written and before its answer: the call may have run. */
public final class LostConnectionException extends RemotingException {

    private static final long serialVersionUID = 1L;

    /** With the address, for people. */
    public LostConnectionException(String address) {
        super(null, null, "the connection to " + address + " is lost");
    }
}

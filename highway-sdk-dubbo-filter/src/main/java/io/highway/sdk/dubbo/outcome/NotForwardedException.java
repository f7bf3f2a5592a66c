// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.outcome;

import org.apache.dubbo.rpc.RpcException;

/** A gateway said by a trailer that it did not forward; a class of its own, so that no service can say it instead. */
public final class NotForwardedException extends RpcException {

    private static final long serialVersionUID = 1L;

    /** Says why, in the gateway's words. */
    public NotForwardedException(String reason) {
        super(NETWORK_EXCEPTION, reason);
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import io.highway.sdk.dubbo.internal.evidence.NotSentStatements;
import org.apache.dubbo.rpc.RpcException;

/** Makes Dubbo's Triple server give up a request that is answered already. Without a stack trace: peers cause it. */
final class AlreadyAnsweredException extends RpcException {

    private static final long serialVersionUID = 1L;

    AlreadyAnsweredException(String message) {
        super(FORBIDDEN_EXCEPTION, NotSentStatements.REFUSED_MESSAGE + message);
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.server;

import io.netty.handler.codec.http.HttpResponseStatus;

/** A request is not read further: it is answered with 400 or 413, and its connection is closed. */
final class RequestRejectedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final int status;

    RequestRejectedException(String problem) {
        this(HttpResponseStatus.BAD_REQUEST, problem);
    }

    /** Without a stack trace: peers cause it. */
    RequestRejectedException(HttpResponseStatus status, String problem) {
        super(problem, null, false, false);
        this.status = status.code();
    }

    HttpResponseStatus status() {
        return HttpResponseStatus.valueOf(status);
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.http2;

import io.highway.sdk.dubbo.internal.memory.MemoryBudget;

/** A whole message of an answer, which counts until it is read. */
final class AnswerMessage extends GrpcMessage {

    private final MemoryBudget.Body body;
    private final long counted;

    /** @param body whose bytes it has been counted in */
    AnswerMessage(byte[] bytes, boolean isCompressed, MemoryBudget.Body body) {
        super(bytes, isCompressed);
        this.body = body;
        this.counted = body.passOn(bytes.length);
    }

    /** It is read. */
    void taken() {
        body.taken(counted);
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.evidence;

import org.apache.dubbo.rpc.RpcException;
import org.jspecify.annotations.Nullable;

/**
 * The service threw an exception that cannot be instantiated here, usually because its class is missing; its name and
 * text are kept.
 */
final class UnreadableExceptionException extends RpcException {

    private static final long serialVersionUID = 1L;

    /**
     * Keeps the readable parts of an exception.
     *
     * @param type the name of the exception's class as the provider wrote it, or null if that could not be read either
     * @param text its message, or null
     */
    UnreadableExceptionException(@Nullable String type, @Nullable String text, @Nullable Throwable cause) {
        super(
                RpcException.SERIALIZATION_EXCEPTION,
                "the service threw " + (type == null ? "an exception" : type) + (text == null ? "" : ": " + text)
                        + ", which cannot be read here",
                cause);
    }
}

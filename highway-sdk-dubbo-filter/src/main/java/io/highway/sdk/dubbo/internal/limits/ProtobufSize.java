// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.limits;

import com.google.protobuf.MessageLite;
import org.jspecify.annotations.Nullable;

/** A separate class, loaded for protobuf methods only: applications without protobuf lack the classes that it uses. */
public final class ProtobufSize {

    private ProtobufSize() {}

    /** The size of a method's single protobuf message, computed without serialising it; 0 for anything else. */
    public static int of(@Nullable Object[] arguments) {
        return arguments.length > 0 && arguments[0] instanceof MessageLite message ? message.getSerializedSize() : 0;
    }
}

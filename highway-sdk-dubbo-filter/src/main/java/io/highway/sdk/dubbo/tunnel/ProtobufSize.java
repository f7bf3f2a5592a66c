// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.tunnel;

import com.google.protobuf.MessageLite;
import org.jspecify.annotations.Nullable;

/** A class of its own, loaded for protobuf methods only: applications without protobuf do not have it. */
final class ProtobufSize {

    private ProtobufSize() {}

    /** The size of a method's single message, which knows it without being written; 0 for anything else. */
    static int of(@Nullable Object[] arguments) {
        return arguments.length > 0 && arguments[0] instanceof MessageLite message ? message.getSerializedSize() : 0;
    }
}

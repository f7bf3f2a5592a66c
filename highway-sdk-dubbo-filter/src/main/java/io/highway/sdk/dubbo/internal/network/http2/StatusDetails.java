// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.http2;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.DebugInfo;
import com.google.rpc.Status;
import java.util.Base64;
import org.apache.dubbo.rpc.TriRpcStatus;

/**
 * Reads the status details of an answer ({@code grpc-status-details-bin}). A separate class, loaded for such answers only:
 * applications without protobuf lack the classes that it uses.
 */
final class StatusDetails {

    private StatusDetails() {}

    /**
     * The description of a status with the stack trace in its details, as Dubbo's client reads it: Dubbo 3.2 says there why
     * an answer cannot be written.
     *
     * @param details the value of {@code grpc-status-details-bin}
     */
    static TriRpcStatus describe(TriRpcStatus status, CharSequence details) {
        try {
            TriRpcStatus described = status;
            for (Any any : Status.parseFrom(Base64.getDecoder().decode(details.toString()))
                    .getDetailsList()) {
                if (any.is(DebugInfo.class)) {
                    described = described.appendDescription(
                            String.join("\n", any.unpack(DebugInfo.class).getStackEntriesList()));
                }
            }
            return described;
        } catch (InvalidProtocolBufferException
                | IllegalArgumentException
                | LinkageError e) { // a peer may write anything
            return status;
        }
    }
}

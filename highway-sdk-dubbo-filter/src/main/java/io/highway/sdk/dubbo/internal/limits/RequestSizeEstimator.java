// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.limits;

import io.highway.sdk.dubbo.internal.call.DubboCall;
import java.io.IOException;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.serialize.ObjectOutput;
import org.apache.dubbo.common.serialize.Serialization;
import org.apache.dubbo.rpc.model.PackableMethod;
import org.jspecify.annotations.Nullable;

/**
 * Compares the size of a request with a limit before the request is serialised to be sent: text, bytes and primitive
 * values are counted; other objects are serialised to nowhere, up to the limit.
 */
public final class RequestSizeEstimator {

    private RequestSizeEstimator() {}

    /**
     * Whether the arguments of a call are larger than this. An argument that cannot be serialised does not count: the
     * call itself reports that.
     */
    public static boolean exceeds(DubboCall call, int bytes, String serialization) {
        @Nullable Object[] arguments = call.invocation().getArguments();
        if (arguments == null) {
            return false;
        }
        return call.descriptor() instanceof PackableMethod
                ? ProtobufSize.of(arguments) > bytes
                : exceeds(arguments, bytes, serialization, call.consumerUrl());
    }

    private static boolean exceeds(@Nullable Object[] arguments, int bytes, String serialization, URL reference) {
        CountingOutput counter = new CountingOutput(bytes);
        try {
            ObjectOutput output = reference
                    .getOrDefaultFrameworkModel()
                    .getExtensionLoader(Serialization.class)
                    .getExtension(serialization)
                    .serialize(reference, counter);
            for (Object argument : arguments) {
                output.writeObject(argument);
            }
            output.flushBuffer();
        } catch (IOException | RuntimeException e) {
            return counter.isOver();
        }
        return counter.isOver();
    }
}

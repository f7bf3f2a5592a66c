// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import io.highway.sdk.dubbo.internal.limits.CountingOutput;
import java.io.IOException;
import java.util.Set;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.serialize.ObjectOutput;
import org.apache.dubbo.common.serialize.Serialization;
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.remoting.transport.CodecSupport;
import org.apache.dubbo.rpc.Invocation;

/**
 * Whether Dubbo can answer with an exception: fields that cannot be serialized, methods that throw, references as deep as
 * no stack, or more bytes than an answer may have. Triple of Dubbo 3.3 closes a connection with all calls on it where an
 * exception cannot be written; the Dubbo protocol answers without the exception's text.
 */
final class WritableExceptions {

    /** Packages whose exceptions have no fields but their texts. */
    private static final Set<String> OF_TEXTS = Set.of("java.lang", "java.util");

    private static final int SHORT = 1_000;

    private WritableExceptions() {}

    /** Tries it, in the serialization of the answer, unless it is short and has texts only. */
    static boolean isWritable(Throwable thrown, Invocation call, URL service) {
        try {
            String message = thrown.getMessage(); // Dubbo asks for both
            boolean isAlone = thrown.getCause() == null && thrown.getSuppressed().length == 0;
            if (!isAlone
                    || !OF_TEXTS.contains(thrown.getClass().getPackageName())
                    || (message != null && message.length() > SHORT)) {
                write(thrown, call, service);
            }
            return true;
        } catch (Throwable e) { // of methods that it calls, or that are missing
            return false;
        }
    }

    private static void write(Throwable thrown, Invocation call, URL service) throws IOException {
        Object ofRequest = call.get(org.apache.dubbo.rpc.Constants.SERIALIZATION_ID_KEY);
        Serialization serialization = ofRequest instanceof Byte id
                ? CodecSupport.getSerialization(id)
                : CodecSupport.getSerialization(service); // Triple does not tell
        int payload = service.getParameter(Constants.PAYLOAD_KEY, Constants.DEFAULT_PAYLOAD);
        ObjectOutput out = serialization.serialize(service, new CountingOutput(payload > 0 ? payload : Long.MAX_VALUE));
        out.writeThrowable(thrown);
        out.flushBuffer();
    }
}

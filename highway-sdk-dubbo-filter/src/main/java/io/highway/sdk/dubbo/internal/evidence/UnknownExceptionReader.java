// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.evidence;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.serialize.ObjectInput;
import org.apache.dubbo.remoting.transport.CodecSupport;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.model.PackableMethod;
import org.jspecify.annotations.Nullable;

/**
 * Reads exceptions of services that this application cannot instantiate. Dubbo replaces them: on Triple by a plain
 * {@code java.lang.Exception} with the text, on the Dubbo protocol by an error without class name and text.
 *
 * <p>With hessian2 the class name is at the beginning; with other serializations it is not read.
 */
public final class UnknownExceptionReader {

    /** The hessian2 tag of an object whose class was not written before: the class name follows. */
    private static final int CLASS_DEFINITION = 'C';

    private static final int LONGEST_SHORT_STRING = 0x1f;
    private static final int MEDIUM_STRING = 0x30;
    private static final int LONGEST_MEDIUM_STRING = 0x33;

    private static final String TEXT = "detailMessage";

    private UnknownExceptionReader() {}

    /**
     * A Triple answer as Dubbo parses it, or what is known of an exception that it cannot instantiate.
     *
     * @param serialised the exception, or null if the provider answered with none
     */
    public static Object parse(PackableMethod method, byte[] answer, @Nullable ByteBuf serialised) throws Exception {
        if (serialised == null) {
            return method.parseResponse(answer, false);
        }
        String type = typeOf(new ByteBufInputStream(serialised));
        try {
            Object parsed = method.parseResponse(answer, true);
            boolean asWritten = type == null
                    || (parsed != null && parsed.getClass().getName().equals(type));
            return asWritten ? parsed : unreadable(type, parsed, null);
        } catch (Exception e) {
            return unreadable(type, null, e);
        }
    }

    /** The exception in an answer of the Dubbo protocol that could not be decoded. */
    public static RpcException read(byte[] answer, URL url, byte serialization) {
        String type = typeOf(new ByteArrayInputStream(answer, 1, answer.length - 1));
        try {
            ObjectInput in =
                    CodecSupport.getSerialization(serialization).deserialize(url, new ByteArrayInputStream(answer));
            in.readByte();
            return unreadable(type, in.readObject(), null);
        } catch (IOException | ClassNotFoundException | RuntimeException e) {
            return unreadable(type, null, e);
        }
    }

    private static UnreadableExceptionException unreadable(
            @Nullable String type, @Nullable Object read, @Nullable Throwable cause) {
        Object text = read instanceof Throwable thrown
                ? thrown.getMessage()
                : read instanceof Map<?, ?> fields ? fields.get(TEXT) : null;
        return new UnreadableExceptionException(type, text == null ? null : text.toString(), cause);
    }

    /** The name of the class that hessian2 wrote first, or null. */
    private static @Nullable String typeOf(InputStream bytes) {
        try {
            if (bytes.read() != CLASS_DEFINITION) {
                return null;
            }
            int length = bytes.read();
            if (length >= MEDIUM_STRING && length <= LONGEST_MEDIUM_STRING) {
                length = ((length - MEDIUM_STRING) << 8) + bytes.read();
            } else if (length < 0 || length > LONGEST_SHORT_STRING) {
                return null;
            }
            return new String(bytes.readNBytes(length), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return null;
        }
    }
}

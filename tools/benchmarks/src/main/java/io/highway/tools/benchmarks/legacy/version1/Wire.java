// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.legacy.version1;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.dubbo.common.serialize.ObjectInput;
import org.apache.dubbo.common.serialize.ObjectOutput;
import org.apache.dubbo.common.serialize.Serialization;
import org.apache.dubbo.rpc.model.FrameworkModel;

/**
 * What is in the bodies of HTTP, in hessian2: it is what Dubbo itself writes descriptors with, and both faster and smaller for
 * them than the serialization of Java.
 */
final class Wire {

    /** The type of a body. */
    static final String CONTENT_TYPE = "x-application/hessian2";

    private static final int USUAL_BYTES = 16 << 10;
    private static final Serialization HESSIAN2 = FrameworkModel.defaultModel()
            .getExtensionLoader(Serialization.class)
            .getExtension("hessian2");

    private Wire() {}

    /**
     * A generic call.
     *
     * @param method its name
     * @param types of its arguments
     * @param arguments as descriptors
     */
    @SuppressWarnings("ArrayRecordComponent") // as Dubbo has them
    record Call(String method, String[] types, Object[] arguments) {

        byte[] toBytes() throws IOException {
            return write(method, types, arguments);
        }

        static Call read(InputStream body) throws IOException {
            try {
                ObjectInput in = HESSIAN2.deserialize(null, body);
                return new Call((String) in.readObject(), (String[]) in.readObject(), (Object[]) in.readObject());
            } catch (ClassNotFoundException e) {
                throw new IOException(e);
            }
        }
    }

    static byte[] writeAnswer(Object answer) throws IOException {
        return write(answer);
    }

    static Object readAnswer(byte[] body) throws IOException {
        try {
            return HESSIAN2.deserialize(null, new ByteArrayInputStream(body)).readObject();
        } catch (ClassNotFoundException e) {
            throw new IOException(e);
        }
    }

    private static byte[] write(Object... values) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(USUAL_BYTES);
        ObjectOutput out = HESSIAN2.serialize(null, bytes);
        for (Object value : values) {
            out.writeObject(value);
        }
        out.flushBuffer();
        return bytes.toByteArray();
    }
}

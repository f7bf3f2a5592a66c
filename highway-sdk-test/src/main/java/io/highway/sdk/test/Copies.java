// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.evidence.NotWrittenException;
import io.highway.sdk.dubbo.internal.intent.DubboCall;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Type;
import java.util.concurrent.CompletionException;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.serialize.ObjectInput;
import org.apache.dubbo.common.serialize.ObjectOutput;
import org.apache.dubbo.common.serialize.Serialization;
import org.apache.dubbo.common.serialize.SerializationException;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.remoting.utils.UrlUtils;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.MethodDescriptor;
import org.apache.dubbo.rpc.model.PackableMethod;
import org.apache.dubbo.rpc.protocol.tri.ReflectionPackableMethod;
import org.apache.dubbo.rpc.support.RpcUtils;
import org.jspecify.annotations.Nullable;

/**
 * The arguments and the answer of one call as the other side reads them: by the serialization of the call, in the messages of
 * Triple where it carries the call, and by Protocol Buffers for classes that are generated from a {@code .proto} file. Streams
 * are not copied.
 */
final class Copies {

    private final URL caller;
    private final URL service;
    private final RpcInvocation request;
    private final Serialization serialization;
    private final @Nullable PackableMethod packed;

    Copies(URL caller, URL service, RpcInvocation request) {
        this.caller = caller;
        this.service = service;
        this.request = request;
        this.serialization = caller.getOrDefaultFrameworkModel()
                .getExtensionLoader(Serialization.class)
                .getExtension(UrlUtils.serializationOrDefault(caller));
        this.packed = packed(new DubboCall(request, caller).descriptor(), caller);
    }

    /** How Triple packs them; null if the serialization alone writes them. */
    private static @Nullable PackableMethod packed(@Nullable MethodDescriptor method, URL caller) {
        String protocol = caller.getProtocol();
        if (method instanceof PackableMethod generated) {
            return protocol.equals(TunnelKind.TRIPLE.dubboProtocol()) ? generated : null;
        }
        boolean isWrapped = method != null
                && method.getRpcType() == MethodDescriptor.RpcType.UNARY
                && protocol.equals(TunnelKind.TRIPLE.dubboProtocol());
        return isWrapped ? ReflectionPackableMethod.init(method, caller) : null;
    }

    /**
     * The arguments.
     *
     * @throws NotWrittenException if one of them cannot be written, or not be read by the provider
     */
    @Nullable
    Object[] arguments() {
        @Nullable Object[] copies = new Object[request.getArguments().length];
        for (int i = 0; i < copies.length; i++) {
            copies[i] = argument(i);
        }
        return copies;
    }

    /** One of the {@link #arguments}. */
    @Nullable
    Object argument(int index) {
        Object argument = request.getArguments()[index];
        if (argument instanceof StreamObserver) {
            return argument;
        }
        try {
            if (packed == null || packed.needWrapper()) { // the message of Triple has each argument by itself, too
                return copy(argument, caller, service, in -> in.readObject(request.getParameterTypes()[index]));
            }
            Object only = packed instanceof ReflectionPackableMethod ? request.getArguments() : argument;
            return packed.parseRequest(packed.packRequest(only));
        } catch (Exception | LinkageError e) {
            throw new NotWrittenException(Reason.SERIALIZATION, NotWrittenException.UNWRITABLE + e, e);
        }
    }

    /** One value of an argument, or a message of a stream. */
    Object value(Object value) throws Exception {
        return copy(value, caller, service, in -> in.readObject(value.getClass()));
    }

    /**
     * The answer.
     *
     * @throws CompletionException of a {@code SerializationException}, if it cannot be written, or not be read by the caller
     */
    AppResponse answer(AppResponse answer) {
        AppResponse copy = new AppResponse();
        copy.setObjectAttachments(answer.getObjectAttachments());
        try {
            if (answer.hasException()) {
                copy.setException((Throwable) thrown(answer.getException()));
            } else {
                copy.setValue(returned(answer.getValue()));
            }
        } catch (Exception | LinkageError e) {
            throw new CompletionException(new SerializationException(e));
        }
        return copy;
    }

    private Object thrown(Throwable thrown) throws Exception {
        return packed != null && packed.needWrapper()
                ? packed.parseResponse(packed.packResponse(thrown), true)
                : copy(thrown, service, caller, ObjectInput::readThrowable);
    }

    private @Nullable Object returned(@Nullable Object value) throws Exception {
        boolean isWritten = value != null || (packed != null && packed.needWrapper());
        if (!isWritten || value instanceof StreamObserver) {
            return value;
        }
        return packed != null
                ? packed.parseResponse(packed.packResponse(value))
                : copy(value, service, caller, this::read);
    }

    private Object read(ObjectInput in) throws IOException, ClassNotFoundException {
        Type[] types = RpcUtils.getReturnTypes(request);
        return types == null || types.length < 2 ? in.readObject() : in.readObject((Class<?>) types[0], types[1]);
    }

    /** Reads one object. */
    private interface Reader {

        Object from(ObjectInput in) throws IOException, ClassNotFoundException;
    }

    private Object copy(@Nullable Object value, URL writer, URL reader, Reader read)
            throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ObjectOutput out = serialization.serialize(writer, bytes);
        if (value instanceof Throwable thrown) {
            out.writeThrowable(thrown);
        } else {
            out.writeObject(value);
        }
        out.flushBuffer();
        return read.from(serialization.deserialize(reader, new ByteArrayInputStream(bytes.toByteArray())));
    }
}

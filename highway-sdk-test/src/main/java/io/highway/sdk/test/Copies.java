// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import io.highway.sdk.dubbo.Reason;
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
import org.apache.dubbo.rpc.support.RpcUtils;
import org.jspecify.annotations.Nullable;

/**
 * The arguments and the answer of one call as the other side reads them, by the serialization of the call; those of classes
 * that are generated from a {@code .proto} file by Protocol Buffers. Observers of streams are not copied.
 */
final class Copies {

    private final URL caller;
    private final URL service;
    private final RpcInvocation request;
    private final Serialization serialization;
    private final @Nullable PackableMethod generated;

    Copies(URL caller, URL service, RpcInvocation request) {
        this.caller = caller;
        this.service = service;
        this.request = request;
        this.serialization = caller.getOrDefaultFrameworkModel()
                .getExtensionLoader(Serialization.class)
                .getExtension(UrlUtils.serializationOrDefault(caller));
        MethodDescriptor method = new DubboCall(request, caller).descriptor();
        this.generated = method instanceof PackableMethod packable ? packable : null;
    }

    /**
     * The arguments.
     *
     * @throws NotWrittenException if one of them cannot be written, or not be read by the provider
     */
    @Nullable
    Object[] arguments() {
        @Nullable Object[] arguments = request.getArguments();
        Class<?>[] types = request.getParameterTypes();
        @Nullable Object[] copies = new Object[arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            copies[i] = argument(arguments[i], types[i]);
        }
        return copies;
    }

    private @Nullable Object argument(@Nullable Object argument, Class<?> type) {
        if (argument == null || argument instanceof StreamObserver) {
            return argument;
        }
        try {
            return generated != null
                    ? generated.parseRequest(generated.packRequest(argument))
                    : copy(argument, caller, service, in -> in.readObject(type));
        } catch (Exception | LinkageError e) {
            throw new NotWrittenException(Reason.SERIALIZATION, NotWrittenException.UNWRITABLE + e, e);
        }
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
                copy.setException((Throwable) copy(answer.getException(), service, caller, ObjectInput::readThrowable));
            } else {
                copy.setValue(value(answer.getValue()));
            }
        } catch (Exception | LinkageError e) {
            throw new CompletionException(new SerializationException(e));
        }
        return copy;
    }

    private @Nullable Object value(@Nullable Object value) throws Exception {
        if (value == null || value instanceof StreamObserver) {
            return value;
        }
        return generated != null
                ? generated.parseResponse(generated.packResponse(value))
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

    private Object copy(Object value, URL writer, URL reader, Reader read) throws IOException, ClassNotFoundException {
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

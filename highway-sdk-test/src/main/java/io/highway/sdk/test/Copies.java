// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.call.DubboCall;
import io.highway.sdk.dubbo.internal.evidence.NotWrittenException;
import io.netty.handler.codec.DateFormatter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Type;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.serialize.ObjectInput;
import org.apache.dubbo.common.serialize.ObjectOutput;
import org.apache.dubbo.common.serialize.Serialization;
import org.apache.dubbo.common.serialize.SerializationException;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.common.utils.ClassUtils;
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.remoting.utils.UrlUtils;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.TriRpcStatus;
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

    /** Triple of Dubbo 3.2 sends large answers, no dates as attachments, and the text only of a filter's exception. */
    static final boolean HAS_TRIPLE_OF_3_3 = ClassUtils.isPresent(
            "org.apache.dubbo.rpc.protocol.tri.h12.AbstractServerCallListener", Copies.class.getClassLoader());

    private final URL caller;
    private final URL service;
    private final RpcInvocation request;
    private final Serialization serialization;
    private final @Nullable MethodDescriptor method;
    private final @Nullable PackableMethod packed;
    private final boolean isTriple;

    /** Of what was copied last: the arguments, or the answer. */
    private int bytes;

    Copies(URL caller, URL service, RpcInvocation request) {
        this.caller = caller;
        this.service = service;
        this.request = request;
        this.serialization = caller.getOrDefaultFrameworkModel()
                .getExtensionLoader(Serialization.class)
                .getExtension(UrlUtils.serializationOrDefault(caller));
        this.isTriple = caller.getProtocol().equals(TunnelKind.TRIPLE.dubboProtocol());
        this.method = new DubboCall(request, caller).descriptor();
        this.packed = packed();
    }

    /** How Triple packs them; null if the serialization alone writes them. At home only Triple carries Protocol Buffers. */
    private @Nullable PackableMethod packed() {
        boolean isHome = caller.getProtocol().equals(Network.NAME);
        if (method == null || !(isTriple || isHome)) {
            return null;
        }
        if (method instanceof PackableMethod generated) {
            return generated;
        }
        PackableMethod read = method.getRpcType() == MethodDescriptor.RpcType.UNARY
                ? ReflectionPackableMethod.init(method, caller)
                : null;
        return read != null && isHome && read.needWrapper() ? null : read;
    }

    /**
     * The arguments.
     *
     * @throws NotWrittenException if one of them cannot be written, or not be read by the provider, or they are too large
     */
    @Nullable
    Object[] arguments() {
        @Nullable Object[] copies = new Object[request.getArguments().length];
        for (int i = 0; i < copies.length; i++) {
            copies[i] = argument(i);
        }
        int most = caller.getParameter(Constants.PAYLOAD_KEY, Constants.DEFAULT_PAYLOAD);
        if (most > 0 && bytes > most) {
            throw new NotWrittenException(
                    Reason.TOO_LARGE, "the request has " + bytes + " bytes, and max-request-size is " + most);
        }
        return copies;
    }

    /**
     * What is sent with a request or an answer: over Triple as text.
     *
     * @throws NotWrittenException if a value cannot be copied
     */
    Map<String, Object> attachments(Map<String, Object> sent) {
        Map<String, Object> copies = new HashMap<>(sent);
        if (isTriple) {
            copies.replaceAll((name, value) -> asHeader(value));
            copies.values().removeIf(Objects::isNull);
        } else {
            copies.replaceAll((name, value) -> value instanceof String ? value : copy(value));
        }
        return copies;
    }

    /** Null if Triple does not send it. */
    private static @Nullable Object asHeader(@Nullable Object value) {
        if (value instanceof Date date) {
            return HAS_TRIPLE_OF_3_3 ? DateFormatter.format(date) : null;
        } else if (value instanceof byte[] bytes) {
            return bytes.clone();
        }
        boolean isText = value instanceof CharSequence || value instanceof Number || value instanceof Boolean;
        return value != null && isText ? value.toString().replaceAll("[^\\x00-\\xff]", "?") : null;
    }

    private @Nullable Object copy(@Nullable Object attachment) {
        try {
            return copy(attachment, caller, service, ObjectInput::readObject);
        } catch (Exception | LinkageError e) {
            throw new NotWrittenException(Reason.SERIALIZATION, NotWrittenException.UNWRITABLE + e, e);
        }
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
            byte[] message =
                    packed.packRequest(packed instanceof ReflectionPackableMethod ? request.getArguments() : argument);
            bytes += message.length;
            return packed.parseRequest(message);
        } catch (Exception | LinkageError e) {
            throw new NotWrittenException(Reason.SERIALIZATION, NotWrittenException.UNWRITABLE + e, e);
        }
    }

    /** One value, by the serialization. */
    Object value(Object value) throws Exception {
        return copy(value, caller, service, in -> in.readObject(value.getClass()));
    }

    /** A message of a stream, on its way to the provider or back. */
    Object message(Object message, boolean isRequest) throws Exception {
        PackableMethod messages = packed != null
                ? packed
                : ReflectionPackableMethod.init(Objects.requireNonNull(method, "the method of a stream"), caller);
        if (messages.needWrapper()) {
            return value(message);
        }
        return isRequest
                ? messages.parseRequest(messages.packRequest(message))
                : messages.parseResponse(messages.packResponse(message));
    }

    /**
     * The answer.
     *
     * @throws CompletionException if it cannot be written, or not be read by the caller, or is too large
     */
    AppResponse answer(AppResponse answer) {
        AppResponse copy = new AppResponse();
        bytes = 0;
        try {
            copy.setObjectAttachments(attachments(answer.getObjectAttachments()));
            if (answer.hasException()) {
                copy.setException((Throwable) thrown(answer.getException()));
            } else {
                copy.setValue(returned(answer.getValue()));
            }
        } catch (Exception | LinkageError e) {
            throw new CompletionException(new SerializationException(e));
        }
        int most = isTriple ? mostOfTriple() : service.getParameter(Constants.PAYLOAD_KEY, Constants.DEFAULT_PAYLOAD);
        if (most > 0 && bytes > most) {
            String what = "the answer has " + bytes + " bytes, and the provider sends " + most;
            throw new CompletionException(
                    isTriple
                            ? TriRpcStatus.fromCode(TriRpcStatus.Code.RESOURCE_EXHAUSTED)
                                    .withDescription(what)
                                    .asException()
                            : new SerializationException(what));
        }
        return copy;
    }

    /** The most bytes of an answer over Triple; 0 for any number. */
    private int mostOfTriple() {
        return HAS_TRIPLE_OF_3_3
                ? service.getOrDefaultApplicationModel()
                        .modelEnvironment()
                        .getConfiguration()
                        .getInt("dubbo.protocol.triple.max-response-body-size", Constants.DEFAULT_PAYLOAD)
                : 0;
    }

    private Object thrown(Throwable thrown) throws Exception {
        if (packed == null) {
            return copy(thrown, service, caller, ObjectInput::readThrowable);
        }
        return packed.needWrapper()
                ? packed.parseResponse(packed.packResponse(thrown), true)
                : CopiedStream.asReceived(thrown);
    }

    private @Nullable Object returned(@Nullable Object value) throws Exception {
        boolean isWritten = value != null || (packed != null && packed.needWrapper());
        if (!isWritten || value instanceof StreamObserver) {
            return value;
        }
        if (packed == null) {
            return copy(value, service, caller, this::read);
        }
        byte[] message = packed.packResponse(value);
        bytes += message.length;
        return packed.parseResponse(message);
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
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        ObjectOutput out = serialization.serialize(writer, written);
        if (value instanceof Throwable thrown) {
            out.writeThrowable(thrown);
        } else {
            out.writeObject(value);
        }
        out.flushBuffer();
        bytes += written.size();
        return read.from(serialization.deserialize(reader, new ByteArrayInputStream(written.toByteArray())));
    }
}

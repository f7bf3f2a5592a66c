// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.frame;

import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.highway.sdk.dubbo.internal.evidence.NotSentStatements;
import io.highway.sdk.dubbo.internal.evidence.UnknownExceptionReader;
import io.highway.sdk.dubbo.internal.facts.DecodingCheck;
import io.highway.sdk.dubbo.internal.network.compression.UnreadableAnswerException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;
import java.util.Arrays;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.config.ConfigurationUtils;
import org.apache.dubbo.common.serialize.Cleanable;
import org.apache.dubbo.common.serialize.ObjectInput;
import org.apache.dubbo.common.serialize.SerializationException;
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.TimeoutException;
import org.apache.dubbo.remoting.exchange.Response;
import org.apache.dubbo.remoting.transport.CodecSupport;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.protocol.dubbo.DubboCodec;
import org.apache.dubbo.rpc.support.RpcUtils;
import org.jspecify.annotations.Nullable;

/**
 * Reads answers of the Dubbo protocol as {@code DecodeableRpcResult} and {@code DefaultFuture} do, with two additions. It
 * reads the errors of Envoy: {@code dubbo_proxy} (1.40, {@code AppException::encode}) writes a zero before the text, as
 * before an exception of the service. It keeps the name and text of service exceptions whose class is missing here.
 */
final class AnswerFrameDecoder {

    /** The key by which Dubbo's users permit answers in another serialization than that of the request. */
    private static final String CHECKED = "serialization.security.check";

    private static final int HESSIAN_ZERO = 0x90;

    private AnswerFrameDecoder() {}

    /**
     * Reads an answer, and what it states about its call.
     *
     * @param frame a whole one
     * @param evidence null if the call is not one of the SDK
     * @throws Exception that of {@link #error}, or an {@link UnreadableAnswerException}
     */
    static AppResponse read(byte[] frame, RpcInvocation call, URL url, @Nullable AttemptEvidence evidence)
            throws Exception {
        ByteBuf header = Unpooled.wrappedBuffer(frame);
        byte status = FrameHeader.status(header, 0);
        byte serialization = FrameHeader.serialization(header, 0);
        ByteBuf body = header.skipBytes(FrameHeader.HEADER_BYTES);
        ByteBuf unused = UnreadableAnswerException.check(() -> DecodingCheck.require(body, serialization));
        if (status != Response.OK) {
            throw error(status, text(frame, url, serialization), evidence);
        }
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try {
            if (call.getServiceModel() != null) {
                Thread.currentThread()
                        .setContextClassLoader(call.getServiceModel().getClassLoader());
            }
            AppResponse answer = result(frame, call, url, serialization);
            if (evidence != null) {
                NotSentStatements.read(answer, evidence);
            }
            return answer;
        } catch (Exception | LinkageError | StackOverflowError | OutOfMemoryError e) {
            throw new UnreadableAnswerException(e.toString(), e);
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    /**
     * The exception of a call that a gateway or a server has answered with an error.
     *
     * @param status a {@link Response}'s
     */
    static Exception error(byte status, String text, @Nullable AttemptEvidence evidence) {
        if (evidence != null) {
            NotSentStatements.readError(status, text, evidence);
        }
        return switch (status) {
            case Response.CLIENT_TIMEOUT, Response.SERVER_TIMEOUT ->
                new TimeoutException(status == Response.SERVER_TIMEOUT, null, text);
            case Response.SERIALIZATION_ERROR -> new SerializationException(text);
            default -> new RemotingException(null, text);
        };
    }

    private static InputStream from(int begin, byte[] frame) {
        return new ByteArrayInputStream(frame, begin, frame.length - begin);
    }

    private static String text(byte[] frame, URL url, byte serialization) throws IOException {
        int begin = FrameHeader.HEADER_BYTES;
        if (frame.length > begin && (frame[begin] & 0xff) == HESSIAN_ZERO) { // no text begins with this byte
            begin++;
        }
        try {
            return CodecSupport.getSerialization(serialization)
                    .deserialize(url, from(begin, frame))
                    .readUTF();
        } catch (IOException | RuntimeException e) {
            throw new UnreadableAnswerException(e.toString(), e);
        }
    }

    private static AppResponse result(byte[] frame, RpcInvocation call, URL url, byte serialization)
            throws IOException, ClassNotFoundException {
        requireSent(serialization, url);
        AppResponse answer = new AppResponse();
        answer.setAttribute(Constants.CONTENT_LENGTH_KEY, frame.length - FrameHeader.HEADER_BYTES);
        ObjectInput in =
                CodecSupport.getSerialization(serialization).deserialize(url, from(FrameHeader.HEADER_BYTES, frame));
        byte flag = in.readByte();
        switch (flag) {
            case DubboCodec.RESPONSE_NULL_VALUE, DubboCodec.RESPONSE_NULL_VALUE_WITH_ATTACHMENTS -> {}
            case DubboCodec.RESPONSE_VALUE, DubboCodec.RESPONSE_VALUE_WITH_ATTACHMENTS ->
                answer.setValue(value(in, RpcUtils.getReturnTypes(call)));
            case DubboCodec.RESPONSE_WITH_EXCEPTION, DubboCodec.RESPONSE_WITH_EXCEPTION_WITH_ATTACHMENTS -> {
                try {
                    answer.setException(in.readThrowable());
                } catch (IOException | ClassNotFoundException | RuntimeException e) {
                    answer.setException(UnknownExceptionReader.read(
                            Arrays.copyOfRange(frame, FrameHeader.HEADER_BYTES, frame.length), url, serialization));
                    return answer;
                }
            }
            default -> throw new IOException("its first byte is " + flag + ", and the protocol has 0 to 5");
        }
        if (flag >= DubboCodec.RESPONSE_WITH_EXCEPTION_WITH_ATTACHMENTS) {
            answer.addObjectAttachments(in.readAttachments());
        }
        if (in instanceof Cleanable cleanable) {
            cleanable.cleanup();
        }
        return answer;
    }

    /** Generic calls and those without a result have no types. */
    private static @Nullable Object value(ObjectInput in, Type @Nullable [] types)
            throws IOException, ClassNotFoundException {
        if (types == null || types.length == 0) {
            return in.readObject();
        }
        return types.length == 1 ? in.readObject((Class<?>) types[0]) : in.readObject((Class<?>) types[0], types[1]);
    }

    /** A peer must not choose what reads its bytes. */
    private static void requireSent(byte serialization, URL url) throws IOException {
        byte sent = FrameHeader.serialization(url);
        if (serialization != sent
                && ConfigurationUtils.getSystemConfiguration(url.getScopeModel())
                        .getBoolean(CHECKED, true)) {
            throw new IOException("its serialization is number " + serialization + ", and that of the request " + sent);
        }
    }
}

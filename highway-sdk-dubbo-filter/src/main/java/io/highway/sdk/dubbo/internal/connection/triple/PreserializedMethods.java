// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.triple;

import io.highway.sdk.dubbo.internal.compression.CompressedMessages;
import io.highway.sdk.dubbo.internal.compression.CompressedRequests;
import io.highway.sdk.dubbo.internal.compression.UnreadableAnswerException;
import io.highway.sdk.dubbo.internal.evidence.AnsweredExceptions;
import io.highway.sdk.dubbo.internal.evidence.Statements;
import io.highway.sdk.dubbo.internal.facts.UnreadableRequestException;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.extension.Wrapper;
import org.apache.dubbo.rpc.model.MethodDescriptor;
import org.apache.dubbo.rpc.model.Pack;
import org.apache.dubbo.rpc.model.PackableMethod;
import org.apache.dubbo.rpc.model.PackableMethodFactory;
import org.apache.dubbo.rpc.model.UnPack;

/**
 * Makes Triple send the bytes of a {@link PreserializedRequest} on a tunnel's own invokers, and compresses requests
 * there if the policy requires it, on the calling thread. Other invokers are unchanged. At a provider it tells why an answer
 * cannot be written.
 */
@Wrapper(order = Integer.MIN_VALUE) // outside of other wrappers, which have produced these bytes already
public final class PreserializedMethods implements PackableMethodFactory {

    /** The URL parameter that only a tunnel's invokers have. */
    public static final String MAX_REQUEST_BYTES = "highway-max-request-bytes";

    private static final int SERVER_ERROR = 500;
    private static final String STATUS_EXCEPTION = "org.apache.dubbo.remoting.http12.exception.HttpStatusException";

    private final PackableMethodFactory factory;

    /** Called by Dubbo with the factory to wrap. */
    public PreserializedMethods(PackableMethodFactory factory) {
        this.factory = factory;
    }

    @Override
    public PackableMethod create(MethodDescriptor method, URL url, String contentType) {
        PackableMethod created = factory.create(method, url, contentType);
        if (!url.hasParameter(MAX_REQUEST_BYTES) && !CommonConstants.PROVIDER_SIDE.equals(url.getSide())) {
            return created;
        }
        return new PackedMethod(
                created,
                CompressedMessages.of(url.getParameter(CompressedRequests.KEY), url.getOrDefaultFrameworkModel()));
    }

    private record PackedMethod(PackableMethod method, CompressedMessages compression) implements PackableMethod {

        @Override
        public Pack getRequestPack() {
            return request -> {
                byte[] bytes = PreserializedRequest.take(request);
                return compression.request(
                        bytes != null ? bytes : method.getRequestPack().pack(request));
            };
        }

        @Override
        public Pack getResponsePack() {
            return method.getResponsePack();
        }

        /** Dubbo 3.3 answers {@code Internal Server Error} to every other exception. */
        @Override
        public byte[] packResponse(Object answer) throws Exception {
            try {
                return method.packResponse(answer);
            } catch (Exception e) {
                throw unwritable(e);
            }
        }

        @Override
        public UnPack getResponseUnpack() {
            return method.getResponseUnpack();
        }

        @Override
        public Object parseResponse(byte[] answer, boolean isException) throws Exception {
            byte[] message = compression.answer(answer);
            if (method.needWrapper()) {
                requireDecodable(message);
            }
            return AnsweredExceptions.parse(method, message, isException);
        }

        @Override
        public UnPack getRequestUnpack() {
            return method.getRequestUnpack();
        }

        @Override
        public boolean needWrapper() {
            return method.needWrapper();
        }
    }

    private static void requireDecodable(byte[] answer) throws UnreadableAnswerException {
        try {
            TripleWrapper.requireDecodable(answer);
        } catch (UnreadableRequestException e) {
            throw new UnreadableAnswerException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Dubbo 3.2, which lacks the class, tells by itself that an answer cannot be written. */
    private static Exception unwritable(Exception cause) {
        try {
            return Class.forName(STATUS_EXCEPTION, true, Pack.class.getClassLoader())
                    .asSubclass(Exception.class)
                    .getConstructor(int.class, String.class)
                    .newInstance(SERVER_ERROR, Statements.UNWRITABLE + ": " + cause);
        } catch (ReflectiveOperationException e) {
            return cause;
        }
    }
}

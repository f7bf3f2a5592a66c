// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.triple;

import io.highway.sdk.dubbo.internal.compression.CompressedMessages;
import io.highway.sdk.dubbo.internal.compression.CompressedRequests;
import io.highway.sdk.dubbo.internal.evidence.AnsweredExceptions;
import io.highway.sdk.dubbo.internal.evidence.Statements;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.extension.Wrapper;
import org.apache.dubbo.common.utils.ClassUtils;
import org.apache.dubbo.remoting.http12.HttpStatus;
import org.apache.dubbo.remoting.http12.exception.HttpStatusException;
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

    /** Dubbo 3.2 tells by itself that an answer cannot be written. */
    private static final boolean TELLS_STATUS = ClassUtils.isPresent(
            "org.apache.dubbo.remoting.http12.exception.HttpStatusException", Pack.class.getClassLoader());

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
                throw TELLS_STATUS ? Unwritable.of(e) : e;
            }
        }

        @Override
        public UnPack getResponseUnpack() {
            return method.getResponseUnpack();
        }

        @Override
        public Object parseResponse(byte[] answer, boolean isException) throws Exception {
            return AnsweredExceptions.parse(method, compression.answer(answer), isException);
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

    /** Dubbo 3.2 does not load this class. */
    private static final class Unwritable {

        static Exception of(Exception cause) {
            return new HttpStatusException(
                    HttpStatus.INTERNAL_SERVER_ERROR.getCode(), Statements.UNWRITABLE + ": " + cause);
        }
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.triple;

import io.highway.sdk.dubbo.internal.compression.CompressedMessages;
import io.highway.sdk.dubbo.internal.compression.CompressedRequests;
import io.highway.sdk.dubbo.internal.evidence.AnsweredExceptions;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.extension.Wrapper;
import org.apache.dubbo.rpc.model.MethodDescriptor;
import org.apache.dubbo.rpc.model.Pack;
import org.apache.dubbo.rpc.model.PackableMethod;
import org.apache.dubbo.rpc.model.PackableMethodFactory;
import org.apache.dubbo.rpc.model.UnPack;

/**
 * Makes Triple send the bytes of a {@link PreserializedRequest} on a tunnel's own invokers, and compresses requests
 * there if the policy requires it, on the calling thread. Other invokers are unchanged.
 */
@Wrapper(order = Integer.MIN_VALUE) // outside of other wrappers, which have produced these bytes already
public final class PreserializedMethods implements PackableMethodFactory {

    /** The URL parameter that only a tunnel's invokers have. */
    public static final String MAX_REQUEST_BYTES = "highway-max-request-bytes";

    private final PackableMethodFactory factory;

    /** Called by Dubbo with the factory to wrap. */
    public PreserializedMethods(PackableMethodFactory factory) {
        this.factory = factory;
    }

    @Override
    public PackableMethod create(MethodDescriptor method, URL url, String contentType) {
        PackableMethod created = factory.create(method, url, contentType);
        if (!url.hasParameter(MAX_REQUEST_BYTES)) {
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
}

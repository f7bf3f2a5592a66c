// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.server;

import io.highway.sdk.dubbo.internal.evidence.NotSentStatements;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.extension.Wrapper;
import org.apache.dubbo.rpc.model.MethodDescriptor;
import org.apache.dubbo.rpc.model.Pack;
import org.apache.dubbo.rpc.model.PackableMethod;
import org.apache.dubbo.rpc.model.PackableMethodFactory;
import org.apache.dubbo.rpc.model.UnPack;

/**
 * Tells at a provider why an answer cannot be written: Dubbo 3.3 answers {@code Internal Server Error} otherwise.
 *
 * @param factory what Dubbo lets it wrap
 */
@Wrapper(order = Integer.MIN_VALUE) // outside of other wrappers, whose exceptions count, too
public record UnwritableAnswerReporter(PackableMethodFactory factory) implements PackableMethodFactory {

    private static final int SERVER_ERROR = 500;
    private static final String STATUS_EXCEPTION = "org.apache.dubbo.remoting.http12.exception.HttpStatusException";

    @Override
    public PackableMethod create(MethodDescriptor method, URL url, String contentType) {
        PackableMethod created = factory.create(method, url, contentType);
        return CommonConstants.PROVIDER_SIDE.equals(url.getSide()) ? new Served(created) : created;
    }

    private record Served(PackableMethod method) implements PackableMethod {

        @Override
        public Pack getRequestPack() {
            return method.getRequestPack();
        }

        @Override
        public Pack getResponsePack() {
            return method.getResponsePack();
        }

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
        public UnPack getRequestUnpack() {
            return method.getRequestUnpack();
        }

        @Override
        public boolean needWrapper() {
            return method.needWrapper();
        }
    }

    /** Dubbo 3.2, which lacks the class, tells by itself that an answer cannot be written. */
    private static Exception unwritable(Exception cause) {
        try {
            return Class.forName(STATUS_EXCEPTION, true, Pack.class.getClassLoader())
                    .asSubclass(Exception.class)
                    .getConstructor(int.class, String.class)
                    .newInstance(SERVER_ERROR, NotSentStatements.UNWRITABLE + ": " + cause);
        } catch (ReflectiveOperationException e) {
            return cause;
        }
    }
}

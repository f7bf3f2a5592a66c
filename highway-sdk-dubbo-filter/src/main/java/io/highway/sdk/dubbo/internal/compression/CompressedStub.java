// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.compression;

import org.apache.dubbo.rpc.model.ConsumerModel;
import org.apache.dubbo.rpc.model.ServiceModel;
import org.apache.dubbo.rpc.model.StubMethodDescriptor;
import org.apache.dubbo.rpc.model.StubServiceDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The service model of a stub generated from a {@code .proto} file, with requests that are compressed on the thread
 * that sends them. Such a stub has its own packing, so {@code PreserializedMethods} does not apply.
 */
public final class CompressedStub {

    private CompressedStub() {}

    /** The model of this service that compresses in this encoding, or null if it has no such stub. */
    public static @Nullable ServiceModel of(@Nullable ServiceModel plain, @Nullable String encoding) {
        if (encoding == null
                || !(plain instanceof ConsumerModel)
                || !(plain.getServiceModel() instanceof StubServiceDescriptor stub)) {
            return null;
        }
        CompressedMessages compression = CompressedMessages.of(
                encoding, plain.getModuleModel().getApplicationModel().getFrameworkModel());
        StubServiceDescriptor compressed =
                new StubServiceDescriptor(stub.getInterfaceName(), stub.getServiceInterfaceClass());
        stub.getAllMethods()
                .forEach(method -> compressed.addMethod(
                        method instanceof StubMethodDescriptor known ? compressed(known, compression) : method));
        return new ConsumerModel(
                plain.getServiceKey(),
                plain.getProxyObject(),
                compressed,
                plain.getModuleModel(),
                null,
                null,
                plain.getClassLoader());
    }

    private static StubMethodDescriptor compressed(StubMethodDescriptor method, CompressedMessages compression) {
        return new StubMethodDescriptor(
                method.getMethodName(),
                method.getParameterClasses()[0],
                method.getReturnClass(),
                method.getRpcType(),
                request -> compression.request(method.getRequestPack().pack(request)),
                method.getResponsePack(),
                method.getRequestUnpack(),
                answer -> method.getResponseUnpack().unpack(compression.answer(answer)));
    }
}

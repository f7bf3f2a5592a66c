// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import com.google.protobuf.StringValue;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.AbstractBlockingStub;
import io.grpc.stub.ClientCalls;

/** What the compiler of grpc-java makes of the {@code .proto} file of {@link Echoes}. */
final class EchoesGrpc {

    private static final MethodDescriptor<StringValue, StringValue> ECHO =
            MethodDescriptor.<StringValue, StringValue>newBuilder()
                    .setType(MethodDescriptor.MethodType.UNARY)
                    .setFullMethodName(MethodDescriptor.generateFullMethodName(Echoes.class.getName(), "echo"))
                    .setRequestMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
                    .setResponseMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
                    .build();

    private EchoesGrpc() {}

    static EchoesBlockingStub newBlockingStub(Channel channel) {
        return AbstractBlockingStub.newStub(EchoesBlockingStub::new, channel);
    }

    static final class EchoesBlockingStub extends AbstractBlockingStub<EchoesBlockingStub> {

        private EchoesBlockingStub(Channel channel, CallOptions options) {
            super(channel, options);
        }

        @Override
        protected EchoesBlockingStub build(Channel channel, CallOptions options) {
            return new EchoesBlockingStub(channel, options);
        }

        StringValue echo(StringValue text) {
            return ClientCalls.blockingUnaryCall(getChannel(), ECHO, getCallOptions(), text);
        }
    }
}

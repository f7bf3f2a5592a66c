// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import com.google.protobuf.StringValue;
import java.util.Map;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.ServerService;
import org.apache.dubbo.rpc.model.DubboStub;
import org.apache.dubbo.rpc.model.MethodDescriptor;
import org.apache.dubbo.rpc.model.ServiceDescriptor;
import org.apache.dubbo.rpc.model.StubMethodDescriptor;
import org.apache.dubbo.rpc.model.StubServiceDescriptor;
import org.apache.dubbo.rpc.stub.StubInvocationUtil;
import org.apache.dubbo.rpc.stub.StubInvoker;
import org.apache.dubbo.rpc.stub.StubSuppliers;
import org.apache.dubbo.rpc.stub.UnaryStubMethodHandler;

/** What Dubbo's compiler makes of a {@code .proto} file with one method: a service, its stub and its provider. */
public interface Echoes extends DubboStub {

    StringValue echo(StringValue text);

    /** As the generated class {@code DubboEchoesTriple} does. */
    static void register() {
        StubMethodDescriptor echo = new StubMethodDescriptor(
                "echo",
                StringValue.class,
                StringValue.class,
                MethodDescriptor.RpcType.UNARY,
                text -> ((StringValue) text).toByteArray(),
                text -> ((StringValue) text).toByteArray(),
                StringValue::parseFrom,
                StringValue::parseFrom);
        StubServiceDescriptor service = new StubServiceDescriptor(Echoes.class.getName(), Echoes.class);
        service.addMethod(echo);
        StubSuppliers.addDescriptor(Echoes.class.getName(), service);
        StubSuppliers.addSupplier(
                Echoes.class.getName(), invoker -> (Echoes) text -> StubInvocationUtil.unaryCall(invoker, echo, text));
    }

    /** A provider. */
    final class Provider implements Echoes, ServerService<Echoes> {

        @Override
        public StringValue echo(StringValue text) {
            return text;
        }

        @Override
        public Invoker<Echoes> getInvoker(URL url) {
            return new StubInvoker<>(
                    this,
                    url,
                    Echoes.class,
                    Map.of("echo", new UnaryStubMethodHandler<StringValue, StringValue>((text, answer) -> {
                        answer.onNext(echo(text));
                        answer.onCompleted();
                    })));
        }

        @Override
        public ServiceDescriptor getServiceDescriptor() {
            return StubSuppliers.getServiceDescriptor(Echoes.class.getName());
        }
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.tunnel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayTransport;
import io.highway.sdk.dubbo.internal.connection.channel.Greeting;
import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.highway.sdk.dubbo.internal.evidence.Failure;
import io.highway.sdk.dubbo.internal.evidence.FailureClassifier;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.ExecutionException;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.apache.dubbo.rpc.model.ServiceModel;
import org.junit.jupiter.api.Test;

class WireInvokerTest {

    /** As {@code TripleInvoker}, whose connection is lost right after it was found sound. */
    private static final class LosesItsConnection implements Invoker<Runnable> {

        private final URL url;
        private final EmbeddedChannel connection;

        LosesItsConnection(URL url, EmbeddedChannel connection) {
            this.url = url;
            this.connection = connection;
        }

        @Override
        public boolean isAvailable() {
            boolean sound = connection.isActive();
            connection.close();
            return sound;
        }

        @Override
        public Result invoke(Invocation invocation) {
            assertThat(connection.isActive()).isFalse();
            throw new RpcException(
                    "Fail to invoke remote method",
                    new ExecutionException(TriRpcStatus.UNAVAILABLE
                            .withDescription("upstream gateway:50051 is unavailable")
                            .asException()));
        }

        @Override
        public Class<Runnable> getInterface() {
            return Runnable.class;
        }

        @Override
        public URL getUrl() {
            return url;
        }

        @Override
        public void destroy() {}
    }

    @Test
    void provesThatNothingWasSent_ifTheConnectionIsLostBeforeDubboUsesIt() {
        EmbeddedChannel connection = new EmbeddedChannel();
        GatewayTransport transport = new GatewayTransport(null, null, "gateway", 50051, Greeting.HTTP2, 1000);
        transport.secure(connection);
        URL url = URL.valueOf("tri://gateway:50051/com.foo.Sms");
        RpcInvocation call =
                new RpcInvocation((ServiceModel) null, "run", "com.foo.Sms", "", new Class<?>[0], new Object[0]);
        AttemptEvidence evidence = AttemptEvidence.begin(call, transport, "shanghai", "com.foo.Sms", "run", null);
        WireInvoker<Runnable> wire = new WireInvoker<>(new LosesItsConnection(url, connection), url);

        RpcException thrown = catchThrowableOfType(RpcException.class, () -> wire.invoke(call));

        Failure failure = FailureClassifier.thrown(thrown, evidence);
        assertThat(failure.mayHaveRun()).as(failure.what()).isFalse();
        assertThat(failure.reason()).isEqualTo(Reason.GATEWAY_DOWN);
    }
}

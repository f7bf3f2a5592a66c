// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Intent;
import io.highway.sdk.dubbo.InternalHighwayException;
import io.highway.sdk.dubbo.Reason;
import java.io.IOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.Channel;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.model.ServiceModel;
import org.junit.jupiter.api.Test;

class ExceptionConverterTest {

    private final HighwayException ours = InternalHighwayException.create(
            "com.foo.Sms#send",
            Reason.DENIED,
            Intent.NONE,
            "shanghai",
            false,
            "refused",
            "denied",
            "Ask",
            new IOException("cause"));

    /** A field of a business exception that does not serialize. */
    private static final class Unwritable extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @SuppressWarnings({"serial", "UnusedVariable"})
        private final Object state = new Object();

        Unwritable(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** One that keeps more than a message. */
    private static final class OrderException extends Exception {

        private static final long serialVersionUID = 1L;

        private final int order;

        OrderException(int order, Throwable cause) {
            super("order " + order, cause);
            this.order = order;
        }
    }

    @Test
    void keepsCodeMessageAndStack_andNoCause() {
        Throwable plain = ExceptionConverter.of(ours);

        assertThat(plain)
                .isExactlyInstanceOf(RpcException.class)
                .hasMessage(ours.getMessage())
                .hasNoCause();
        assertThat(((RpcException) plain).isForbidden()).isTrue();
        assertThat(plain.getStackTrace()).isEqualTo(ours.getStackTrace());
    }

    @Test
    void takesOffWhatAFuturePutAround() {
        assertThat(ExceptionConverter.of(new CompletionException(ours)))
                .isExactlyInstanceOf(RpcException.class)
                .hasMessage(ours.getMessage())
                .hasNoCause();
        assertThat(ExceptionConverter.of(new ExecutionException(new CompletionException(ours))))
                .isExactlyInstanceOf(RpcException.class)
                .hasMessage(ours.getMessage());
    }

    @Test
    void leavesOtherExceptionsAsTheyAre() {
        RpcException dubbos = new RpcException(RpcException.BIZ_EXCEPTION, "business", new IOException("cause"));
        IOException cyclic = new IOException("outer");
        cyclic.addSuppressed(new IOException("inner", cyclic));

        assertThat(ExceptionConverter.of(dubbos)).isSameAs(dubbos);
        assertThat(ExceptionConverter.of(cyclic)).isSameAs(cyclic);
        CompletionException joined = new CompletionException(new IllegalStateException("business"));
        assertThat(ExceptionConverter.of(joined)).isSameAs(joined);
    }

    @Test
    void takesTheCauseOffWhatDubboMadeOfACall() {
        RpcException answered = new RpcException(RpcException.FORBIDDEN_EXCEPTION, "answered");
        RpcException thrown = new RpcException("wrapped", new ExecutionException(answered));
        RpcException lost = new RpcException(
                RpcException.NETWORK_EXCEPTION, "lost", new RemotingException((Channel) null, "closed"));

        assertThat(ExceptionConverter.of(thrown)).isInstanceOfSatisfying(RpcException.class, plain -> {
            assertThat(plain).hasMessage("answered").hasNoCause();
            assertThat(plain.isForbidden()).isTrue();
        });
        assertThat(ExceptionConverter.of(lost)).isInstanceOfSatisfying(RpcException.class, plain -> {
            assertThat(plain).hasMessage("lost").hasNoCause();
            assertThat(plain.isNetwork()).isTrue();
        });
        assertThat(ExceptionConverter.of(TriRpcStatus.UNAVAILABLE.asException()))
                .isExactlyInstanceOf(RpcException.class);
    }

    @Test
    void keepsAnExceptionAroundIt_withItsStateAndStack() {
        OrderException outer = new OrderException(7, new IllegalStateException("between", ours));
        outer.addSuppressed(ours);

        Throwable plain = ExceptionConverter.of(outer);

        assertThat(plain).isExactlyInstanceOf(OrderException.class).hasMessage("order 7");
        assertThat(((OrderException) plain).order).isEqualTo(7);
        assertThat(plain.getStackTrace()).isEqualTo(outer.getStackTrace());
        assertThat(plain.getCause()).isExactlyInstanceOf(IllegalStateException.class);
        assertThat(plain.getCause().getCause()).isExactlyInstanceOf(RpcException.class);
        assertThat(plain.getSuppressed()[0]).isExactlyInstanceOf(RpcException.class);
        assertThat(outer.getCause().getCause())
                .as("the service's own is not touched")
                .isSameAs(ours);
    }

    @Test
    void answersWithItsText_whenItCannotBeCopied() {
        Throwable plain = ExceptionConverter.of(new Unwritable("cannot travel", ours));

        assertThat(plain)
                .isExactlyInstanceOf(RuntimeException.class)
                .hasMessageContaining(Unwritable.class.getName() + ": cannot travel")
                .hasNoCause();
    }

    @Test
    void shortensAText_thatIsLargerThanAnAnswerMayBe() {
        FrameworkModel framework = new FrameworkModel();
        try {
            URL service = URL.valueOf("dubbo://127.0.0.1:20880/com.foo.Sms?payload=100000")
                    .setScopeModel(framework.newApplication());
            RpcInvocation call =
                    new RpcInvocation((ServiceModel) null, "send", "com.foo.Sms", "", new Class<?>[0], new Object[0]);
            IllegalStateException large = new IllegalStateException("x".repeat(200_000));
            IllegalStateException small = new IllegalStateException("x".repeat(50_000));

            assertThat(ExceptionConverter.toAnotherIsland(large, call, service))
                    .isExactlyInstanceOf(RuntimeException.class)
                    .message()
                    .startsWith("java.lang.IllegalStateException: xxx")
                    .hasSizeLessThan(100_000);
            assertThat(ExceptionConverter.toAnotherIsland(small, call, service)).isSameAs(small);
        } finally {
            framework.destroy();
        }
    }
}

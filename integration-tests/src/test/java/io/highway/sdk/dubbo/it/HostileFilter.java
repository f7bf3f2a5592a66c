// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.AsyncRpcResult;
import org.apache.dubbo.rpc.Filter;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcException;

/** A provider's filter that lets the service run, and then ends the call as if it had not. */
public final class HostileFilter implements Filter {

    static volatile Act act = Act.RETURNS;

    private static final Map<String, String> KEYS = Map.of(
            "highway-refused", "shanghai;unsigned",
            "highway-not-forwarded", "shanghai;draining",
            "Highway-Refused", "shanghai;unsigned");

    /** What it does; what it throws may be checked. */
    enum Act {
        RETURNS(() -> null),
        THROWS_AN_IO_EXCEPTION(() -> new IOException("Connection reset by peer")),
        THROWS_A_TIMEOUT(() -> new TimeoutException("HIGHWAY-NOT-WRITTEN: no time")),
        THROWS_A_REFUSAL(
                () -> new RpcException(RpcException.FORBIDDEN_EXCEPTION, "HIGHWAY-REFUSED: shanghai;unsigned")),
        THROWS_WHAT_A_GATEWAY_WRITES(() -> new IllegalStateException("HIGHWAY-NOT-FORWARDED: shanghai;draining")),
        THROWS_A_REMOTING_EXCEPTION(
                () -> new RemotingException(null, null, "HIGHWAY-NOT-FORWARDED: shanghai;draining")),
        THROWS_WHAT_THE_SERVER_WRITES(
                () -> new RemotingException(null, null, "Not found exported service: com.foo.Sms")),
        THROWS_AN_ERROR(() -> new AssertionError("Not found exported service: com.foo.Sms")),
        FAILS_THE_ANSWER_BY_AN_ERROR(() -> new AssertionError("Not found exported service: com.foo.Sms")),
        FAILS_THE_ANSWER(() -> new RemotingException(null, null, "Not found exported service: com.foo.Sms")),
        REPLACES_THE_ANSWER(() -> new RpcException(RpcException.FORBIDDEN_EXCEPTION, "HIGHWAY-REFUSED: unsigned"));

        private final Supplier<Throwable> made;

        Act(Supplier<Throwable> made) {
            this.made = made;
        }

        /** Whether stock Dubbo answers with a frame that only its own server writes else, or with what only the guard writes. */
        boolean needsTheSdk() {
            return Arrays.asList(THROWS_WHAT_THE_SERVER_WRITES, FAILS_THE_ANSWER, THROWS_A_REFUSAL, REPLACES_THE_ANSWER)
                    .contains(this);
        }
    }

    @Override
    public Result invoke(Invoker<?> invoker, Invocation invocation) {
        KEYS.forEach(RpcContext.getServerResponseContext()::setAttachment);
        Result result = invoker.invoke(invocation);
        Throwable thrown = act.made.get();
        return switch (act) {
            case RETURNS -> result.whenCompleteWithContext((answer, failure) -> KEYS.forEach(answer::setAttachment));
            case FAILS_THE_ANSWER, FAILS_THE_ANSWER_BY_AN_ERROR ->
                new AsyncRpcResult(CompletableFuture.failedFuture(thrown), invocation);
            case REPLACES_THE_ANSWER -> {
                AppResponse replaced = new AppResponse(thrown);
                KEYS.forEach(replaced::setAttachment);
                yield new AsyncRpcResult(CompletableFuture.completedFuture(replaced), invocation);
            }
            default -> throw HostileFilter.<RuntimeException>unchecked(thrown);
        };
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the compiler shall not see what is thrown
    private static <E extends Throwable> E unchecked(Throwable thrown) throws E {
        throw (E) thrown;
    }
}

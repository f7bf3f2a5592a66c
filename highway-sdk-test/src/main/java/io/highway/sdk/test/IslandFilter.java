// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import io.highway.sdk.Caller;
import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.call.CanonicalMethod;
import io.highway.sdk.dubbo.internal.call.InboundHttpTunnelCall;
import io.highway.sdk.dubbo.internal.evidence.NotSentStatements;
import io.highway.sdk.dubbo.internal.provider.server.RefusalStatement;
import io.highway.sdk.test.RecordedCall.Result;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.AsyncRpcResult;
import org.apache.dubbo.rpc.Filter;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.InvokeMode;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.RpcInvocation;
import org.jspecify.annotations.Nullable;

/** Records the calls that have passed the guard of an island, and makes the faults that happen there. Used by Dubbo. */
@Activate(group = CommonConstants.PROVIDER, order = Integer.MIN_VALUE)
public final class IslandFilter implements Filter {

    /** Attachments by which Dubbo addresses a call. */
    private static final Set<String> OF_DUBBO =
            Set.of("path", "interface", "group", "version", "dubbo", "timeout", "remote.application", "token", "id");

    /** Called by Dubbo. */
    public IslandFilter() {}

    @Override
    public org.apache.dubbo.rpc.Result invoke(Invoker<?> invoker, Invocation invocation) {
        Providers provider = Providers.of(invoker.getUrl().getOrDefaultApplicationModel());
        if (provider == null) {
            return invoker.invoke(invocation);
        }
        IslandState island = provider.state();
        if (invocation.getMethodName().equals(CommonConstants.$ECHO)) {
            return island.fault().lost() ? unanswered(invocation) : invoker.invoke(invocation);
        }
        if (island.service(invoker.getInterface()) == null && invoker.getInterface() != Providers.Present.class) {
            return refused(island, NotSentStatements.NO_SUCH_SERVICE, invocation); // an earlier test has exported it
        }
        AtomicReference<@Nullable RecordedCall> place = island.arrived();
        Fault fault = island.nextFault();
        if (fault.refusal() != null) {
            place.set(call(island, invoker, invocation).apply(Result.REFUSED));
            return refused(island, fault.refusal().word(), invocation);
        }
        Executor later = delay(provider, fault.delay(), invocation);
        Function<Result, RecordedCall> ended = call(island, invoker, invocation);
        org.apache.dubbo.rpc.Result result;
        try {
            result = invoker.invoke(invocation);
        } catch (RuntimeException | Error e) { // of a filter
            place.set(ended.apply(Result.THREW));
            throw e;
        }
        if (fault.lost()) {
            place.set(ended.apply(Result.LOST));
            return unanswered(invocation);
        }
        CompletableFuture<AppResponse> answer = ((AsyncRpcResult) result)
                .getResponseFuture()
                .whenComplete((value, failure) -> place.set(
                        ended.apply(failure != null || value.hasException() ? Result.THREW : Result.ANSWERED)));
        ((AsyncRpcResult) result)
                .setResponseFuture(later == null ? answer : answer.thenApplyAsync(value -> value, later));
        return result;
    }

    /** What answers later than the service has, or null: where the caller waits, time that the test moves has passed. */
    private static @Nullable Executor delay(Providers provider, Duration delay, Invocation invocation) {
        ManualClock clock = provider.clock();
        if (delay.isZero()) {
            return null;
        }
        if (clock == null) {
            return CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS);
        }
        if (invocation.get(InvokeMode.class) != InvokeMode.SYNC) {
            return clock.delayed(delay);
        }
        String timeout = invocation.getAttachment(CommonConstants.TIMEOUT_KEY);
        Duration most = timeout == null ? delay : Duration.ofMillis(Long.parseLong(timeout));
        long begun = (long) Objects.requireNonNull(invocation.get(CopyingInvoker.BEGUN));
        clock.take(begun, delay.compareTo(most) < 0 ? delay : most);
        return null;
    }

    private static AsyncRpcResult unanswered(Invocation invocation) {
        ((RpcInvocation) invocation).put(Result.LOST, true);
        return new AsyncRpcResult(new CompletableFuture<>(), invocation);
    }

    /** As the guard refuses. */
    private static AsyncRpcResult refused(IslandState island, String reason, Invocation invocation) {
        String text = reason + "; refused by the test";
        RefusalStatement.mark(
                invocation,
                RefusalStatement.statementOf(
                        island.name(),
                        text,
                        NotSentStatements.call(
                                invocation.getInvoker().getUrl().getServiceInterface(),
                                CanonicalMethod.nameOf(invocation))));
        return AsyncRpcResult.newDefaultAsyncResult(NotSentStatements.refusal(text), invocation);
    }

    /** The call as it has arrived, once its result is known. */
    private static Function<Result, RecordedCall> call(IslandState island, Invoker<?> invoker, Invocation invocation) {
        Map<String, Object> attachments = new TreeMap<>(invocation.getObjectAttachments());
        attachments.keySet().removeAll(OF_DUBBO);
        String call = invoker.getUrl().getServiceInterface() + "#" + CanonicalMethod.nameOf(invocation);
        List<@Nullable Object> arguments = Collections.unmodifiableList(Arrays.asList(invocation.getArguments()));
        Caller caller = Highway.caller().orElse(null);
        TunnelKind tunnel = tunnel(invoker, invocation);
        return result -> new RecordedCall(
                island.name(), call, arguments, Collections.unmodifiableMap(attachments), caller, tunnel, result);
    }

    private static @Nullable TunnelKind tunnel(Invoker<?> invoker, Invocation invocation) {
        TunnelKind copied = (TunnelKind) invocation.get(TunnelKind.class);
        if (copied != null) {
            return copied;
        }
        if (invocation.get(InboundHttpTunnelCall.class) != null) {
            return TunnelKind.HTTP;
        }
        return Network.tunnel(invoker.getUrl().getProtocol());
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.call.InboundHttpTunnelCall;
import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.highway.sdk.dubbo.internal.evidence.NotSentStatements;
import io.highway.sdk.dubbo.internal.network.connection.RequestFinalizer;
import io.highway.sdk.test.RecordedCall.Result;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.common.threadlocal.InternalThreadLocalMap;
import org.apache.dubbo.common.utils.StringUtils;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.TimeoutException;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.AsyncRpcResult;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.InvokeMode;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.protocol.AbstractInvoker;
import org.apache.dubbo.rpc.support.RpcUtils;
import org.jspecify.annotations.Nullable;

/**
 * Calls a provider of this process in place of a connection. It copies what would cross the connection, and records the
 * evidence that the handlers of a connection record.
 */
final class CopyingInvoker<T> extends AbstractInvoker<T> {

    /** The attribute of a call with the time at which it began. */
    static final String BEGUN = "highway-test-begun";

    private static final InetSocketAddress PEER = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

    private static final String[] OF_THE_URL = {"interface", "group", "version", "token"};

    private final Network network;

    CopyingInvoker(Class<T> type, URL url, Network network) {
        super(type, url, OF_THE_URL);
        this.network = network;
    }

    @Override
    public boolean isAvailable() {
        IslandState known = network.at(getUrl().getAddress());
        return super.isAvailable()
                && known != null
                && !known.fault().down()
                && (Network.isGateway(getUrl()) || known.exported(getUrl().getServiceInterface()) != null);
    }

    @Override
    public org.apache.dubbo.rpc.Result invoke(Invocation invocation) {
        return Network.isGateway(getUrl())
                ? RequestFinalizer.send(invocation, getUrl(), () -> super.invoke(invocation))
                : super.invoke(invocation);
    }

    @Override
    @SuppressWarnings("unchecked") // of a stream's messages
    protected org.apache.dubbo.rpc.Result doInvoke(Invocation invocation) throws Throwable {
        RpcInvocation request = (RpcInvocation) invocation;
        int timeout = RpcUtils.calculateTimeout(getUrl(), request, RpcUtils.getMethodName(request), 1_000);
        request.setAttachment(CommonConstants.TIMEOUT_KEY, String.valueOf(timeout));
        AttemptEvidence evidence = AttemptEvidence.of(request);
        IslandState known = network.at(getUrl().getAddress());
        if (known == null || known.fault().down()) {
            throw notWritten(evidence, new ConnectException("Connection refused by the test"));
        }
        for (Object argument : request.getArguments()) {
            if (argument instanceof StreamObserver<?> observer) {
                return stream(known, request, evidence, (StreamObserver<Object>) observer);
            }
        }
        CompletableFuture<AppResponse> answer = answer(known, request, evidence, timeout);
        return isOneWay(request) ? AsyncRpcResult.newDefaultAsyncResult(request) : new AsyncRpcResult(answer, request);
    }

    /** Whether the caller does not wait for the answer, as with Dubbo's own frames; Triple waits. */
    private boolean isOneWay(RpcInvocation request) {
        return Network.tunnel(getUrl().getProtocol()) != TunnelKind.TRIPLE && RpcUtils.isOneway(getUrl(), request);
    }

    private static RpcException notWritten(@Nullable AttemptEvidence evidence, IOException why) {
        if (evidence != null) {
            AttemptEvidence.Sending none = () -> true;
            boolean unused = evidence.sends(none);
            evidence.notWritten(none, why);
        }
        return new RpcException(
                RpcException.NETWORK_EXCEPTION,
                why.toString(),
                new RemotingException(null, String.valueOf(why.getMessage()), why));
    }

    private CompletableFuture<AppResponse> answer(
            IslandState known, RpcInvocation request, @Nullable AttemptEvidence evidence, int timeout) {
        long before = network.taken();
        Invoker<?> service = known.exported(getUrl().getServiceInterface());
        if (service == null) {
            return noService(evidence);
        }
        Copies copies = new Copies(getUrl(), service.getUrl(), request);
        RpcInvocation arrived = arrived(service, request, copies, copies.arguments());
        long begun = (long) arrived.get(BEGUN);
        CompletableFuture<AppResponse> result = invoke(service, arrived, evidence);
        ManualClock clock = network.clock();
        boolean isCall = !request.getMethodName().equals(CommonConstants.$ECHO); // not in the background
        if (isCall && !isOneWay(request) && clock != null && arrived.get(Result.LOST) != null) {
            clock.take(begun, Duration.ofMillis(timeout));
        }
        TimeoutException late = new TimeoutException(
                true, null, PEER, "Waiting server-side response timeout by scan timer. timeout: " + timeout + " ms");
        Duration left = Duration.ofMillis(timeout).minusNanos(network.taken() - before);
        if (left.isZero() || left.isNegative() || (!isCall && arrived.get(Result.LOST) != null)) {
            return CompletableFuture.failedFuture(late);
        }
        CompletableFuture<AppResponse> answer = result.thenApply(value -> read(copies.answer(value), evidence));
        if (answer.isDone() || clock == null) {
            return answer.orTimeout(timeout, TimeUnit.MILLISECONDS);
        }
        clock.failAfter(left, answer, late);
        return answer;
    }

    /** A call of a stream returns at once, and has no timeout; what becomes of it reaches the caller's observer. */
    @SuppressWarnings("unchecked")
    private AsyncRpcResult stream(
            IslandState known,
            RpcInvocation request,
            @Nullable AttemptEvidence evidence,
            StreamObserver<Object> observer) {
        Invoker<?> service = known.exported(getUrl().getServiceInterface());
        if (service == null) {
            Object unused = noService(evidence).exceptionally(failure -> {
                observer.onError(CopiedStream.asReceived(failure));
                return null;
            });
            return streaming(request, null);
        }
        Copies copies = new Copies(getUrl(), service.getUrl(), request);
        CopiedStream answers = new CopiedStream(observer, copies, false);
        @Nullable Object[] arguments = copies.arguments();
        Arrays.setAll(arguments, i -> arguments[i] == observer ? answers : arguments[i]);
        CompletableFuture<AppResponse> result = invoke(service, arrived(service, request, copies, arguments), evidence)
                .thenApply(value -> read(copies.answer(value), evidence))
                .whenComplete((value, failure) -> {
                    Throwable thrown = value == null ? failure : value.getException();
                    if (thrown != null) {
                        answers.onError(thrown);
                    }
                });
        AppResponse answer = result.isCompletedExceptionally() ? null : result.getNow(null);
        return streaming(
                request,
                answer != null && answer.getValue() instanceof StreamObserver<?> there
                        ? new CopiedStream((StreamObserver<Object>) there, copies, true)
                        : null);
    }

    /** What the caller gets at once: where to send messages, if the method has that. */
    private static AsyncRpcResult streaming(RpcInvocation request, @Nullable CopiedStream requests) {
        boolean isSending = request.getReturnType() == StreamObserver.class;
        return AsyncRpcResult.newDefaultAsyncResult(
                isSending && requests == null ? CopiedStream.DISCARDING : requests, request);
    }

    /** What crosses the connection with the request; the attributes of an invocation do not. */
    private RpcInvocation arrived(
            Invoker<?> service, RpcInvocation request, Copies copies, @Nullable Object[] arguments) {
        URL url = service.getUrl();
        RpcInvocation arrived = new RpcInvocation(
                url.getServiceModel(),
                request.getMethodName(),
                url.getServiceInterface(),
                url.getProtocolServiceKey(),
                request.getParameterTypes(),
                arguments);
        arrived.setObjectAttachments(copies.attachments(request.getObjectAttachments()));
        arrived.setInvoker(service);
        arrived.put(BEGUN, network.now());
        arrived.put(InvokeMode.class, request.getInvokeMode());
        TunnelKind tunnel = Network.tunnel(getUrl().getProtocol());
        arrived.put(TunnelKind.class, tunnel);
        if (tunnel == TunnelKind.HTTP) { // the guard and the audit trail read it
            long id = ThreadLocalRandom.current().nextLong(); // nothing sends a request again
            arrived.put(InboundHttpTunnelCall.class, new InboundHttpTunnelCall(id, null, reason -> {}));
        }
        return arrived;
    }

    /** The provider sees nothing of the caller's thread, as if the call ran on another one. */
    private static CompletableFuture<AppResponse> invoke(
            Invoker<?> service, RpcInvocation arrived, @Nullable AttemptEvidence evidence) {
        if (evidence != null) {
            boolean unused = evidence.sends(() -> false);
        }
        InternalThreadLocalMap caller = InternalThreadLocalMap.getAndRemove();
        try {
            RpcContext.getServiceContext().setRemoteAddress(PEER).setLocalAddress(PEER);
            return ((AsyncRpcResult) service.invoke(arrived)).getResponseFuture();
        } catch (RuntimeException e) { // of a filter; as Dubbo's servers answer it
            if (arrived.get(TunnelKind.class) != TunnelKind.TRIPLE) {
                return CompletableFuture.failedFuture(new RemotingException(null, StringUtils.toString(e)));
            }
            return Copies.HAS_TRIPLE_OF_3_3
                    ? CompletableFuture.completedFuture(new AppResponse(e))
                    : CompletableFuture.failedFuture(CopiedStream.asReceived(e));
        } finally {
            InternalThreadLocalMap.remove();
            if (caller != null) {
                InternalThreadLocalMap.set(caller);
            }
        }
    }

    private CompletableFuture<AppResponse> noService(@Nullable AttemptEvidence evidence) {
        String what = "the test does not serve " + getUrl().getServiceInterface()
                + " there: see islands.at(..).serves, or islands.home().serves for calls that ask for no island";
        if (evidence != null) {
            evidence.state(AttemptEvidence.Kind.NO_SUCH_SERVICE, NotSentStatements.NO_SUCH_SERVICE + "; " + what);
        }
        return CompletableFuture.failedFuture(new RemotingException(null, "Not found exported service: " + what));
    }

    private static AppResponse read(AppResponse answer, @Nullable AttemptEvidence evidence) {
        if (evidence != null) {
            NotSentStatements.read(answer, evidence);
        }
        return answer;
    }
}

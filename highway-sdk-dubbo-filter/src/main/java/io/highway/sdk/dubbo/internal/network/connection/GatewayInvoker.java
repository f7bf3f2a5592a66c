// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.highway.sdk.dubbo.internal.evidence.NotWrittenException;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.threadpool.manager.ExecutorRepository;
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.rpc.AsyncRpcResult;
import org.apache.dubbo.rpc.FutureContext;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.InvokeMode;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.protocol.AbstractInvoker;
import org.apache.dubbo.rpc.support.RpcUtils;
import org.jspecify.annotations.Nullable;

/**
 * The innermost invoker of a service over the connections to one gateway address. A request is serialised, and compressed, on the
 * calling thread, before any of it is sent. Thread-safe.
 */
public abstract class GatewayInvoker<T> extends AbstractInvoker<T> {

    private final GatewayClient client;
    private final int maxRequestBytes;

    /** Uses the {@linkplain GatewayClient#of client of the URL}. */
    protected GatewayInvoker(Class<T> type, URL url) {
        super(type, url, new String[] {
            CommonConstants.INTERFACE_KEY, CommonConstants.GROUP_KEY, org.apache.dubbo.rpc.Constants.TOKEN_KEY
        });
        this.client = GatewayClient.of(url);
        this.maxRequestBytes = url.getParameter(Constants.PAYLOAD_KEY, Constants.DEFAULT_PAYLOAD);
    }

    /**
     * The threads of asynchronous answers, of the application of the reference: Dubbo creates them where it connects, and
     * connections to gateways belong to no application.
     */
    public static ExecutorService threads(URL url) {
        return ExecutorRepository.getInstance(url.getOrDefaultApplicationModel())
                .createExecutorIfAbsent(url.addParameter(
                                CommonConstants.THREAD_NAME_KEY,
                                org.apache.dubbo.config.Constants.CLIENT_THREAD_POOL_NAME)
                        .addParameterIfAbsent(
                                CommonConstants.THREADPOOL_KEY, CommonConstants.DEFAULT_CLIENT_THREADPOOL));
    }

    @Override
    public Result invoke(Invocation invocation) {
        return RequestFinalizer.send(invocation, getUrl(), () -> super.invoke(invocation));
    }

    @Override
    protected Result doInvoke(Invocation invocation) {
        RpcInvocation call = (RpcInvocation) invocation;
        RpcContext.getServiceContext().setLocalAddress(client.localAddress());
        String method = RpcUtils.getMethodName(call);
        int timeout = RpcUtils.calculateTimeout(getUrl(), call, method, CommonConstants.DEFAULT_TIMEOUT);
        if (timeout <= 0) {
            return AsyncRpcResult.newDefaultAsyncResult(
                    new RpcException(RpcException.TIMEOUT_TERMINATE, "No time left for " + method), call);
        }
        call.setAttachment(CommonConstants.TIMEOUT_KEY, String.valueOf(timeout));
        return isOneWay(call) ? sendOneWay(call, method, timeout) : ask(call, timeout);
    }

    /** Whether a call has no answer. */
    protected abstract boolean isOneWay(RpcInvocation call);

    @SuppressWarnings("deprecation") // old agents read the future there
    private Result ask(RpcInvocation call, int timeout) {
        boolean isSync = call.getInvokeMode() == InvokeMode.SYNC;
        ExecutorService known = getCallbackExecutor(getUrl(), call);
        ExecutorService executor = known == null ? ForkJoinPool.commonPool() : known; // the application has ended
        PendingCall sent = send(call, true, executor, timeout);
        AsyncRpcResult result = new AsyncRpcResult(sent.answer(), call);
        result.setExecutor(executor);
        if (isSync) {
            sent.await(result);
        } else {
            FutureContext.getContext().setCompatibleFuture(sent.answer());
            sent.expireInTime();
        }
        return result;
    }

    private Result sendOneWay(RpcInvocation call, String method, int timeout) {
        PendingCall sent = send(call, false, Runnable::run, timeout);
        sent.expireInTime();
        if (getUrl().getMethodParameter(method, Constants.SENT_KEY, false)) {
            sent.awaitSent();
        }
        return AsyncRpcResult.newDefaultAsyncResult(call);
    }

    /**
     * Serialises a request, and {@linkplain #queue queues} its call.
     *
     * @param executor decodes the answer, and completes the call
     * @throws NotWrittenException if it cannot be sent
     */
    protected abstract PendingCall send(RpcInvocation call, boolean isTwoWay, Executor executor, int timeoutMillis);

    /** What counts the bytes of a call, or null. */
    protected final IslandTraffic.@Nullable Bytes traffic(@Nullable AttemptEvidence evidence) {
        return evidence == null ? null : client.opener().traffic().of(evidence.island());
    }

    /**
     * Serialises a request, unless too many bytes are in flight.
     *
     * @throws NotWrittenException if it cannot be
     */
    protected final <R> R serialized(Callable<R> request) {
        requireWithinLimit(client.opener().bytesInFlight().excess());
        try {
            return request.call();
        } catch (NotWrittenException e) {
            throw e;
        } catch (Exception | LinkageError | StackOverflowError | OutOfMemoryError e) {
            throw NotWrittenException.unwritable(e);
        }
    }

    /**
     * Limits the arguments of a request.
     *
     * @throws NotWrittenException if they are too large
     */
    protected final void requireFits(int bytes) {
        if (bytes > maxRequestBytes) {
            throw new NotWrittenException(
                    Reason.TOO_LARGE,
                    "the request has " + bytes + " bytes, and max-request-size is " + maxRequestBytes);
        }
    }

    /**
     * Counts a request as in flight; {@link #queue} must follow.
     *
     * @throws NotWrittenException if too many bytes are in flight
     */
    protected final void count(int bytes) {
        requireWithinLimit(client.opener().bytesInFlight().enter(bytes));
    }

    private static void requireWithinLimit(@Nullable String excess) {
        if (excess != null) {
            throw new NotWrittenException(Reason.BUSY, excess);
        }
    }

    /** Puts a call into its queue, unless its attempt was abandoned meanwhile: it ends then. */
    @SuppressWarnings("FutureReturnValueIgnored") // it only counts
    protected final void queue(PendingCall call, int bytes, @Nullable String encoding) {
        call.answer()
                .whenComplete(
                        (answer, failure) -> client.opener().bytesInFlight().leave(bytes));
        AttemptEvidence evidence = call.evidence();
        if (evidence != null) {
            evidence.measured(bytes);
            evidence.encodedIn(encoding);
        }
        call.enter();
    }

    @Override
    public boolean isAvailable() {
        return super.isAvailable() && client.isConnected();
    }

    /** It owns nothing: a call that a filter has held meanwhile is sent as long as the client is open. */
    @Override
    public void destroy() {
        // the pool closes the client
    }
}

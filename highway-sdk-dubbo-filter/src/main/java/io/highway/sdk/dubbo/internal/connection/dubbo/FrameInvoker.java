// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.dubbo;

import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayTransport;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayTransports;
import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.highway.sdk.dubbo.internal.evidence.NotWrittenException;
import io.highway.sdk.dubbo.internal.limits.BytesInFlight;
import io.highway.sdk.dubbo.internal.limits.ConnectionBusyException;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.constants.CommonConstants;
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
 * The innermost invoker of a service over the connections to one gateway address. A request is serialised, and compressed,
 * on the calling thread. Thread-safe.
 */
final class FrameInvoker<T> extends AbstractInvoker<T> {

    private final FrameClient client;
    private final int maxRequestBytes;

    /** Null if the address is not in use any more. */
    private final @Nullable GatewayTransport transport;

    /** Uses the client until it is destroyed. */
    FrameInvoker(Class<T> type, URL url, FrameClient client) {
        super(type, url, new String[] {
            CommonConstants.INTERFACE_KEY, CommonConstants.GROUP_KEY, org.apache.dubbo.rpc.Constants.TOKEN_KEY
        });
        this.client = client;
        this.maxRequestBytes = url.getParameter(Constants.PAYLOAD_KEY, Constants.DEFAULT_PAYLOAD);
        this.transport = GatewayTransports.of(url).get(url.getProtocol(), url);
    }

    @Override
    protected Result doInvoke(Invocation invocation) {
        RpcInvocation call = (RpcInvocation) invocation;
        String method = RpcUtils.getMethodName(call);
        RpcContext.getServiceContext().setLocalAddress(client.localAddress());
        int timeout = RpcUtils.calculateTimeout(getUrl(), call, method, CommonConstants.DEFAULT_TIMEOUT);
        if (timeout <= 0) {
            return AsyncRpcResult.newDefaultAsyncResult(
                    new RpcException(RpcException.TIMEOUT_TERMINATE, "No time left for " + method), call);
        }
        call.setAttachment(CommonConstants.TIMEOUT_KEY, String.valueOf(timeout));
        return RpcUtils.isOneway(getUrl(), call) ? sendOneWay(call, method, timeout) : ask(call, timeout);
    }

    @SuppressWarnings("deprecation") // old agents read the future there
    private Result ask(RpcInvocation call, int timeout) {
        boolean isSync = call.getInvokeMode() == InvokeMode.SYNC;
        ExecutorService executor = getCallbackExecutor(getUrl(), call);
        FrameCall sent = send(call, true, executor, timeout);
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
        FrameCall sent = send(call, false, Runnable::run, timeout);
        sent.expireInTime();
        if (getUrl().getMethodParameter(method, Constants.SENT_KEY, false)) {
            sent.awaitSent();
        }
        return AsyncRpcResult.newDefaultAsyncResult(call);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it only counts
    private FrameCall send(RpcInvocation call, boolean isTwoWay, Executor executor, int timeout) {
        GatewayTransport used = transport;
        if (used == null) {
            throw new NotWrittenException(Reason.GATEWAY_DOWN, "the address is not in use any more");
        }
        AttemptEvidence evidence = AttemptEvidence.of(call);
        FrameCall.Carrier queue = client.queue();
        RequestFrame request = RequestFrame.of(call, getUrl().getPath(), version, isTwoWay);
        FrameBody body = body(request, used.bytesInFlight());
        FrameCall sent = new FrameCall(
                new OutgoingFrame(
                        getUrl(),
                        request,
                        body,
                        executor,
                        evidence,
                        timeout,
                        evidence == null ? null : used.traffic().of(evidence.island())),
                queue);
        sent.answer().whenComplete((answer, failure) -> used.bytesInFlight().leave(body.frameBytes()));
        if (evidence != null) {
            evidence.measured(body.frameBytes());
            evidence.encodedIn(body.encoding());
        }
        if (evidence == null || evidence.sends(sent)) {
            sent.send();
        } else {
            boolean unused = sent.abandon();
        }
        return sent;
    }

    /** Writes a request, and counts it as in flight. */
    private FrameBody body(RequestFrame request, BytesInFlight inFlight) {
        FrameBody body = null;
        try {
            inFlight.requireCapacity();
            body = client.body(request, getUrl());
            requireFits(body.frameBytes() - DubboFrame.HEADER_BYTES);
            inFlight.enter(body.frameBytes());
            FrameBody counted = body;
            body = null;
            return counted;
        } catch (NotWrittenException e) {
            throw e;
        } catch (ConnectionBusyException e) {
            throw new NotWrittenException(Reason.BUSY, String.valueOf(e.getMessage()), e);
        } catch (OutOfMemoryError e) {
            throw new NotWrittenException(Reason.BUSY, NotWrittenException.NO_MEMORY + e, e);
        } catch (IOException | RuntimeException | LinkageError | StackOverflowError e) {
            throw new NotWrittenException(Reason.SERIALIZATION, NotWrittenException.UNWRITABLE + e, e);
        } finally {
            if (body != null) {
                body.bytes().release();
            }
        }
    }

    private void requireFits(int bytes) {
        if (bytes > maxRequestBytes) {
            throw new NotWrittenException(
                    Reason.TOO_LARGE,
                    "the request has a data length of " + bytes + ", max payload: " + maxRequestBytes);
        }
    }

    @Override
    public boolean isAvailable() {
        return super.isAvailable() && client.isConnected();
    }

    @Override
    public void destroy() {
        synchronized (this) {
            if (isDestroyed()) {
                return;
            }
            super.destroy();
        }
        client.release();
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.highway.sdk.dubbo.internal.evidence.LostConnectionException;
import io.highway.sdk.dubbo.internal.limits.TimeBudget;
import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.dubbo.common.threadpool.ThreadlessExecutor;
import org.apache.dubbo.remoting.TimeoutException;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.AsyncRpcResult;
import org.apache.dubbo.rpc.RpcException;
import org.jspecify.annotations.Nullable;

/**
 * A call from its queue to its end. While it is queued, nothing of it has left this process, and whoever takes it out of the
 * queue has the proof of that; once it is written, it may have run. Thread-safe.
 */
public abstract class PendingCall implements AttemptEvidence.Sending {

    /** A call that is written, or was not, stays so. */
    private enum State {
        QUEUED,
        WRITTEN,
        NOT_WRITTEN
    }

    private final String address;
    private final Executor executor;
    private final @Nullable AttemptEvidence evidence;
    private final TimeBudget time;
    private final AtomicReference<State> state = new AtomicReference<>(State.QUEUED);
    private final CompletableFuture<AppResponse> answer = new CompletableFuture<>();
    private volatile boolean hasArrived;

    /**
     * Describes a call that begins now.
     *
     * @param address of the gateway
     * @param executor decodes the answer, and completes the call
     * @param evidence null if the call is not one of the SDK
     */
    @SuppressWarnings("FutureReturnValueIgnored") // it only listens
    protected PendingCall(String address, Executor executor, @Nullable AttemptEvidence evidence, long timeoutMillis) {
        this.address = address;
        this.executor = executor;
        this.evidence = evidence;
        this.time = TimeBudget.of(timeoutMillis);
        answer.whenComplete((value, failure) -> {
            if (!abandon() && !hasArrived) {
                leave();
            }
        });
    }

    /** What its caller waits for: fails only if no answer was read. */
    public final CompletableFuture<AppResponse> answer() {
        return answer;
    }

    /** The evidence of its attempt, or null. */
    public final @Nullable AttemptEvidence evidence() {
        return evidence;
    }

    /** Puts it into its queue, unless its attempt was abandoned: it ends then. */
    protected final void enter() {
        if (evidence == null || evidence.sends(this)) {
            send();
        } else {
            boolean unused = abandon();
        }
    }

    /** Puts it into its queue. */
    protected abstract void send();

    /** It will not be written: its request and its place in the queue are not needed any more. */
    protected abstract void release();

    /** It was written, and its caller no longer waits for the answer. */
    protected abstract void leave();

    /** Whether it waits to be written. */
    public final boolean isQueued() {
        return state.get() == State.QUEUED;
    }

    /** Right before its first byte is written; false if it has ended: it must not be written then. */
    protected final boolean begin() {
        return state.compareAndSet(State.QUEUED, State.WRITTEN);
    }

    @Override
    public final boolean abandon() {
        if (!answer.isDone()) {
            notWritten(new IOException("the caller no longer waits for the call"));
        } else if (state.compareAndSet(State.QUEUED, State.NOT_WRITTEN)) {
            release();
        }
        return state.get() == State.NOT_WRITTEN;
    }

    /** It cannot be written. */
    public final void notWritten(Throwable cause) {
        if (state.compareAndSet(State.QUEUED, State.NOT_WRITTEN)) {
            release();
            unwritten(cause);
        }
    }

    /** Its write has failed before its end, so that no peer can have read it. */
    public final void unwritten(Throwable cause) {
        if (evidence != null) {
            evidence.notWritten(this, cause);
        }
        fail(cause);
    }

    /** Its connection is lost: it may have run. */
    public final void lost() {
        fail(new LostConnectionException(address));
    }

    /** On a thread of its caller: what follows is the application's, and would block a thread of connections. */
    protected final void fail(Throwable cause) {
        if (!isTaken(() -> answer.completeExceptionally(cause))) {
            boolean unused = answer.completeExceptionally(cause); // and nothing follows
        }
    }

    /** Its answer has come, which is decoded on a thread of its caller. */
    public final void answered(Callable<AppResponse> decoding) {
        answered(decoding, null);
    }

    /**
     * The same for one that counts until it is decoded.
     *
     * @param memory what it counts, or null
     */
    public final void answered(Callable<AppResponse> decoding, MemoryBudget.@Nullable Body memory) {
        hasArrived = true;
        if (memory != null) {
            memory.releaseLater(); // in case that no thread comes to decode it
        }
        if (!isTaken(() -> decode(decoding, memory)) && memory != null) { // its thread ends it
            memory.release();
        }
    }

    /** Whether a thread runs a task; false if that of a synchronous call no longer waits, and is about to end it. */
    private boolean isTaken(Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            if (executor instanceof ThreadlessExecutor) {
                return false;
            }
            ForkJoinPool.commonPool().execute(task); // the application's pool is full, or has ended
        } catch (ClassCastException e) {
            // of 3.2's ThreadlessExecutor, which is shut down meanwhile: it runs what it has taken
        } catch (OutOfMemoryError e) { // no thread can be started: the others on the connection go on
            ForkJoinPool.commonPool().execute(task);
        }
        return true;
    }

    private void decode(Callable<AppResponse> decoding, MemoryBudget.@Nullable Body memory) {
        AppResponse decoded = null;
        Throwable failure = null;
        try {
            decoded = decoding.call();
        } catch (Exception | Error e) {
            failure = e;
        }
        try {
            if (memory != null) {
                memory.release(); // before the application goes on
            }
        } finally {
            boolean unused = failure == null ? answer.complete(decoded) : answer.completeExceptionally(failure);
        }
    }

    /** The time for it. */
    public final TimeBudget time() {
        return time;
    }

    /** Ends it once its time is over. */
    @SuppressWarnings("FutureReturnValueIgnored") // they only listen
    public final void expireInTime() {
        CompletableFuture<@Nullable Void> timer =
                new CompletableFuture<@Nullable Void>().completeOnTimeout(null, time.millis(), TimeUnit.MILLISECONDS);
        timer.thenRun(() -> {
            if (!answer.isDone()) {
                fail(late());
            }
        });
        answer.whenComplete(
                (value, failure) -> timer.complete(null)); // a cancelled one stays in the queue before JDK 17.0.14
    }

    /**
     * Waits for the answer on this thread, and ends the call once its time is over.
     *
     * @throws RpcException if the thread is interrupted
     */
    public final void await(AsyncRpcResult result) {
        try {
            Object unused = result.get(time.millis(), TimeUnit.MILLISECONDS);
        } catch (java.util.concurrent.TimeoutException e) {
            boolean unused = answer.completeExceptionally(late());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            answer.cancel(false);
            throw new RpcException("Interrupted unexpectedly while waiting for the answer", e);
        } catch (ExecutionException e) { // Dubbo's invoker asks for the answer next
        }
    }

    /**
     * Waits until a call without an answer is sent, in its time.
     *
     * @throws RpcException if it is not
     */
    public final void awaitSent() {
        try {
            Object unused = answer.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RpcException("Interrupted unexpectedly while waiting until the request is sent", e);
        } catch (ExecutionException e) {
            throw new RpcException(RpcException.NETWORK_EXCEPTION, "the request was not sent: " + e.getCause(), e);
        }
    }

    private TimeoutException late() {
        return new TimeoutException(
                false,
                (InetSocketAddress) null,
                null,
                (isQueued() ? "no connection to " + address + " was free" : "no answer came from " + address)
                        + " within " + time.millis() + " ms");
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.http2;

import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.highway.sdk.dubbo.internal.evidence.NotWrittenException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import org.apache.dubbo.common.threadpool.serial.SerializingExecutor;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.apache.dubbo.rpc.protocol.tri.RequestMetadata;
import org.apache.dubbo.rpc.protocol.tri.call.ClientCall;
import org.apache.dubbo.rpc.protocol.tri.compressor.Compressor;
import org.apache.dubbo.rpc.protocol.tri.observer.ClientCallToObserverAdapter;
import org.jspecify.annotations.Nullable;

/**
 * A stream of Triple, as Dubbo's observers use it: as thread-safe as Dubbo's. Nothing is sent before its first message, and
 * its messages are read on one thread at a time.
 */
final class StreamCall extends GrpcCall implements ClientCall {

    /** How long a stream waits to be opened, and its messages to be inflated. */
    private static final long LONGEST_WAIT_MILLIS = 5000;

    private static final GrpcMessage END = new GrpcMessage(new byte[0], false);

    private final Executor serial;
    private final Queue<GrpcMessage> requests = new ConcurrentLinkedQueue<>();

    private boolean hasBegun;
    private volatile boolean isCancelled;

    /** Its observer has been told of the end. */
    private volatile boolean isClosed;

    private volatile boolean isAutoRequest = true;
    private Listener answers;

    // of the serial executor
    private final Deque<AnswerMessage> unread = new ArrayDeque<>();
    private long requested;
    private @Nullable TriRpcStatus end;

    StreamCall(Carrier connection, GrpcRequest begin, Executor executor, @Nullable AttemptEvidence evidence) {
        this(connection, begin, new SerializingExecutor(task -> run(task, executor)), evidence);
    }

    @SuppressWarnings("NullAway.Init") // start precedes every other method
    private StreamCall(
            Carrier connection, GrpcRequest begin, SerializingExecutor serial, @Nullable AttemptEvidence evidence) {
        super(connection, begin, serial, evidence, LONGEST_WAIT_MILLIS);
        this.serial = serial;
    }

    /** A pool that is full, or has ended, must not end the connection, nor leave a stream without an end. */
    private static void run(Runnable task, Executor executor) {
        try {
            if (executor instanceof ExecutorService pool && pool.isShutdown()) {
                throw new RejectedExecutionException("it has ended");
            }
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            ForkJoinPool.commonPool().execute(task);
        }
    }

    @Override
    public ClientCallToObserverAdapter<Object> start(@Nullable RequestMetadata unused, Listener responses) {
        return start(responses);
    }

    /** Its requests are written by what it returns. */
    @SuppressWarnings("FutureReturnValueIgnored") // it only listens
    ClientCallToObserverAdapter<Object> start(Listener responses) {
        answers = responses;
        answer().whenComplete((any, failure) -> {
            if (failure != null && !isCancelled) { // nobody has ended it
                close(TriRpcStatus.CANCELLED
                        .withDescription(failure.getMessage())
                        .withCause(failure));
            }
        });
        return new ClientCallToObserverAdapter<>(this);
    }

    /** The application's choice, instead of the policy's, before the first message. */
    @Override
    public void setCompression(String compression) {
        if (!hasBegun) {
            replace(request()
                    .with(Compressor.getCompressor(request().compression().framework(), compression)));
        }
    }

    @Override
    public void sendMessage(@Nullable Object message) {
        if (isCancelled) {
            throw new IllegalStateException("Call already canceled");
        }
        if (isClosed) { // the provider needs no more
            return;
        }
        GrpcMessage next;
        try {
            next = request().message(request().method().packRequest(message));
        } catch (Exception | LinkageError | StackOverflowError | OutOfMemoryError e) {
            refuse(NotWrittenException.unwritable(e));
            return;
        }
        if (hasBegun) {
            enter(next);
        } else {
            hasBegun = true;
            requests.add(next);
            enter();
        }
    }

    private void refuse(NotWrittenException unwritable) {
        if (hasBegun && isQueued()) {
            notWritten(unwritable);
        } else if (hasBegun) {
            cancelByLocal(unwritable);
            serial.execute(() -> close(TriRpcStatus.INTERNAL.withCause(unwritable)));
        } else {
            hasBegun = true;
            replace(request().refused(unwritable));
            enter();
        }
    }

    @Override
    public void halfClose() {
        if (hasBegun && !isCancelled && !isClosed) {
            enter(END);
        }
    }

    private void enter(GrpcMessage next) {
        requests.add(next);
        connection().writeMore(this);
    }

    @Override
    long patienceMillis() {
        return LONGEST_WAIT_MILLIS;
    }

    @Override
    boolean isEndedAtOnce() {
        return true;
    }

    @Override
    void writeBody() {
        for (GrpcMessage next = requests.poll(); next != null; next = requests.poll()) {
            connection().write(this, next == END ? null : next, next == END);
        }
    }

    /** Nothing reaches the observer of the answers after this. */
    @Override
    public void cancelByLocal(Throwable why) {
        if (hasBegun && !isCancelled) {
            isCancelled = true;
            boolean unused = answer().cancel(false);
            serial.execute(this::forgetUnread);
        }
    }

    private void forgetUnread() {
        unread.forEach(AnswerMessage::taken);
        unread.clear();
    }

    @Override
    void begun() {
        serial.execute(() -> answers.onStart(this));
    }

    @Override
    public void message(byte[] bytes, boolean isCompressed) {
        AnswerMessage message = new AnswerMessage(
                bytes, isCompressed, Objects.requireNonNull(body()).memory());
        serial.execute(() -> {
            unread.add(message);
            if (isCancelled) {
                forgetUnread();
            }
            deliver();
        });
    }

    @Override
    void finish(TriRpcStatus status) {
        requests.clear();
        answered(() -> {
            end = status;
            deliver();
            return new AppResponse();
        });
    }

    @Override
    public void request(int more) {
        serial.execute(() -> {
            requested += more;
            deliver();
        });
    }

    private void deliver() {
        while (requested > 0 && !isClosed && !isCancelled && !unread.isEmpty()) {
            requested--;
            AnswerMessage next = unread.remove();
            try {
                answers.onMessage(read(next), next.bytes().length);
            } catch (Throwable e) { // of the application, too
                cancelByLocal(e);
                close(unreadable(e));
            }
        }
        if (end != null && unread.isEmpty() && !isCancelled) {
            close(end);
        }
    }

    private Object read(AnswerMessage message) throws Exception {
        try {
            return parse(message, LONGEST_WAIT_MILLIS);
        } finally {
            message.taken();
        }
    }

    private void close(TriRpcStatus status) {
        if (!isClosed) {
            Map<String, Object> attachments = attachments();
            isClosed = true;
            answers.onClose(status, attachments, isException());
        }
    }

    @Override
    public boolean isAutoRequest() {
        return isAutoRequest;
    }

    @Override
    public void setAutoRequest(boolean isOn) {
        isAutoRequest = isOn;
    }
}

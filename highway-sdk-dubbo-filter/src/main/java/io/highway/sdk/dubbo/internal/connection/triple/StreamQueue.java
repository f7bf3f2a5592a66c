// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.triple;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MICROSECONDS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.highway.sdk.dubbo.internal.connection.channel.ConnectionMarks;
import io.highway.sdk.dubbo.internal.limits.BytesInFlight;
import io.highway.sdk.dubbo.internal.limits.ConnectionBusyException;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2SettingsFrame;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.codec.http2.Http2StreamFrame;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one HTTP/2 connection within the streams that the gateway allows ({@code SETTINGS_MAX_CONCURRENT_STREAMS}, RFC
 * 9113, section 5.1.2; HAProxy allows 100, nginx 128). Netty alone fails a call over the limit. Here the call waits for
 * a free stream, first come first served, until shortly before its deadline. Then it fails with a
 * {@link ConnectionBusyException}: nothing of it was sent. The promise of its headers can be cancelled until then, by
 * any thread. Runs on the connection's event loop.
 */
final class StreamQueue extends ChannelDuplexHandler implements ConnectionMarks.Streams {

    /** The maximum number of waiting calls; more are refused at once. */
    private static final int MOST_WAITING = 10_000;

    private static final String TIMEOUT = "grpc-timeout";

    /** The units of its value but the millisecond. */
    private static final Map<Character, TimeUnit> UNITS =
            Map.of('n', NANOSECONDS, 'u', MICROSECONDS, 'S', SECONDS, 'M', MINUTES, 'H', HOURS);

    /** How long a call without a deadline waits, such as a stream. */
    private static final long LONGEST_WAIT_MILLIS = 5000;

    /** The share of a call's time that is left when it fails, so that the failure arrives before the timeout. */
    private static final double REST = 0.1;

    private static final long LEAST_REST_MILLIS = 20;
    private static final long MOST_REST_MILLIS = 500;

    private final Http2Connection connection;
    private final BytesInFlight bytes;
    private final Map<Http2FrameStream, Waiting> waiting = new LinkedHashMap<>();
    private boolean draining;
    private volatile boolean full;

    /** A waiting frame and its promise. */
    private record Frame(Http2StreamFrame frame, ChannelPromise promise) {}

    /** A waiting call. */
    private static final class Waiting {

        private final List<Frame> frames = new ArrayList<>(3);
        private final long since = System.nanoTime();
        private final long untilNanos;
        private @Nullable Future<?> timer;

        Waiting(long millis) {
            untilNanos = since + TimeUnit.MILLISECONDS.toNanos(millis);
        }

        boolean isTooLate() {
            return System.nanoTime() - untilNanos >= 0;
        }

        void fail(Throwable cause) {
            if (timer != null) {
                timer.cancel(false);
            }
            for (Frame waiting : frames) {
                ReferenceCountUtil.release(waiting.frame());
                waiting.promise().tryFailure(cause);
            }
        }
    }

    private StreamQueue(Http2Connection connection, BytesInFlight bytes) {
        this.connection = connection;
        this.bytes = bytes;
    }

    /** Adds the queue right after the codec, before the handlers that observe writes. */
    static StreamQueue addTo(ChannelHandlerContext anywhere, BytesInFlight bytes) {
        ChannelHandlerContext codec = anywhere.pipeline().context(Http2FrameCodec.class);
        StreamQueue queue = new StreamQueue(((Http2FrameCodec) codec.handler()).connection(), bytes);
        anywhere.pipeline().addAfter(codec.name(), StreamQueue.class.getName(), queue);
        return queue;
    }

    /**
     * Whether a call would have to wait. Callable by any thread, which may read a slightly outdated limit. Dubbo does
     * not pass the gateway's first SETTINGS to later handlers, so the limit is read from the codec here.
     */
    @Override
    public boolean isFull() {
        return full || limit() == 0;
    }

    @Override
    public boolean isIdle() {
        return !full && connection.local().numActiveStreams() == 0;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        connection.addListener(new Http2ConnectionAdapter() {
            @Override
            public void onStreamClosed(Http2Stream stream) {
                ended(context);
            }
        });
    }

    /** The limit that the gateway has announced; Dubbo reports no connection as up before that. */
    private int limit() {
        return connection.local().maxActiveStreams();
    }

    private boolean hasCapacity() {
        return connection.local().numActiveStreams() < limit();
    }

    private void updateFull() {
        boolean now = !waiting.isEmpty() || !hasCapacity();
        if (now != full) {
            full = now;
        }
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the promise reports the result
    public void write(ChannelHandlerContext context, Object message, ChannelPromise given) {
        ChannelPromise promise = message instanceof Http2DataFrame data ? bytes.written(data.content(), given) : given;
        if (!(message instanceof Http2StreamFrame frame)
                || Http2CodecUtil.isStreamIdValid(frame.stream().id())) {
            context.write(message, promise);
            return;
        }
        Waiting known = waiting.get(frame.stream());
        if (known != null) {
            if (frame instanceof Http2ResetFrame) {
                abandon(frame, known);
                promise.trySuccess();
            } else {
                known.frames.add(new Frame(frame, promise.unvoid()));
            }
        } else if (frame instanceof Http2HeadersFrame headers && (!waiting.isEmpty() || !hasCapacity())) {
            enqueue(context, headers, promise.unvoid());
        } else if (promise.setUncancellable()) {
            context.write(message, promise);
            updateFull();
        } else {
            ReferenceCountUtil.release(message);
        }
    }

    private void abandon(Http2StreamFrame reset, Waiting call) {
        waiting.remove(reset.stream());
        ReferenceCountUtil.release(reset);
        call.fail(cancelled());
        updateFull();
    }

    static ConnectionBusyException cancelled() {
        return new ConnectionBusyException("the call was cancelled while it waited for a stream");
    }

    private void enqueue(ChannelHandlerContext context, Http2HeadersFrame headers, ChannelPromise promise) {
        if (waiting.size() >= MOST_WAITING || connection.goAwayReceived()) {
            ReferenceCountUtil.release(headers);
            promise.tryFailure(
                    connection.goAwayReceived()
                            ? new ClosedChannelException()
                            : new ConnectionBusyException(inUse() + ", and " + waiting.size() + " calls wait for one"));
            return;
        }
        long millis = patience(headers);
        Waiting call = new Waiting(millis);
        call.frames.add(new Frame(headers, promise));
        waiting.put(headers.stream(), call);
        updateFull();
        promise.addListener(ended -> {
            if (ended.isCancelled() && waiting.remove(headers.stream(), call)) {
                call.fail(cancelled());
                updateFull();
            }
        });
        call.timer = context.executor().schedule(() -> giveUp(headers.stream(), call), millis, TimeUnit.MILLISECONDS);
    }

    /** The longest wait of a call, milliseconds. */
    private static long patience(Http2HeadersFrame headers) {
        CharSequence timeout = headers.headers().get(TIMEOUT);
        if (timeout == null || timeout.length() < 2) {
            return LONGEST_WAIT_MILLIS;
        }
        long millis = millis(timeout.toString());
        long rest = Math.min(MOST_REST_MILLIS, Math.max(LEAST_REST_MILLIS, (long) (millis * REST)));
        return Math.max(0, millis - rest);
    }

    /** Parses a gRPC timeout, a number and a unit, as Dubbo writes it. */
    private static long millis(String timeout) {
        int last = timeout.length() - 1;
        TimeUnit unit = UNITS.getOrDefault(timeout.charAt(last), MILLISECONDS);
        return unit.toMillis(Long.parseLong(timeout, 0, last, 10));
    }

    private void giveUp(Http2FrameStream stream, Waiting call) {
        if (waiting.remove(stream, call)) {
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - call.since);
            call.fail(new ConnectionBusyException(inUse() + ", and none ended within " + millis + " ms"));
            updateFull();
        }
    }

    private String inUse() {
        return "the gateway allows " + limit()
                + " streams on a connection (SETTINGS_MAX_CONCURRENT_STREAMS), all are in use";
    }

    /** A stream has ended. The codec is still processing that, so waiting calls continue afterwards. */
    private void ended(ChannelHandlerContext context) {
        if (waiting.isEmpty()) {
            updateFull();
        } else if (!draining) {
            draining = true;
            context.executor().execute(() -> {
                draining = false;
                drain(context);
            });
        }
    }

    private void drain(ChannelHandlerContext context) {
        boolean written = false;
        while (!waiting.isEmpty() && hasCapacity()) {
            Map.Entry<Http2FrameStream, Waiting> first =
                    waiting.entrySet().iterator().next();
            Http2FrameStream stream = first.getKey();
            Waiting call = first.getValue();
            if (call.isTooLate()) { // its timer is late
                giveUp(stream, call);
                continue;
            }
            waiting.remove(stream);
            if (call.frames.get(0).promise().setUncancellable()) {
                written = true;
                send(context, call);
            } else { // cancelled just now
                call.fail(cancelled());
            }
        }
        updateFull();
        if (written) {
            context.flush();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the promises report the result
    private static void send(ChannelHandlerContext context, Waiting call) {
        if (call.timer != null) {
            call.timer.cancel(false);
        }
        for (Frame waiting : call.frames) {
            context.write(waiting.frame(), waiting.promise());
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        context.fireChannelRead(message);
        if (message instanceof Http2SettingsFrame) {
            drain(context);
        } else if (message instanceof Http2GoAwayFrame) { // no new streams are allowed
            failAll();
        }
    }

    /**
     * Fails waiting calls before the streams see the close, which have no proof that nothing of these calls was sent.
     */
    @Override
    public void channelInactive(ChannelHandlerContext context) {
        failAll();
        context.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        failAll();
    }

    private void failAll() {
        List<Waiting> calls = new ArrayList<>(waiting.values());
        waiting.clear();
        calls.forEach(call -> call.fail(new ClosedChannelException()));
        updateFull();
    }
}

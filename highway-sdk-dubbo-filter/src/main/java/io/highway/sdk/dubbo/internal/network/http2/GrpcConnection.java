// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.http2;

import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.highway.sdk.dubbo.internal.evidence.NotWrittenException;
import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.highway.sdk.dubbo.internal.network.connection.ConnectionHandler;
import io.highway.sdk.dubbo.internal.network.connection.ConnectionOpener;
import io.highway.sdk.dubbo.internal.network.connection.MultiplexedConnection;
import io.highway.sdk.dubbo.internal.network.connection.TcpConnector;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.codec.http2.WeightedFairQueueByteDistributor;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.remoting.Constants;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/**
 * One connection of HTTP/2, with its calls. Netty alone fails a call over the limit of streams that the gateway allows
 * ({@code SETTINGS_MAX_CONCURRENT_STREAMS}, RFC 9113, section 5.1.2; HAProxy allows 100, nginx 128). Here it waits for a free
 * stream, first come first served, until shortly before its deadline: nothing of it was sent then.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the connection, or ends its call
final class GrpcConnection extends MultiplexedConnection<GrpcCall> implements GrpcCall.Carrier {

    /** As Dubbo's clients have for a stream; a connection has twice as much more. */
    private static final int WINDOW = 8 * 1024 * 1024;

    /**
     * The bytes that a stream writes before others have their turn: a frame, as gRPC-java has it. Netty's default, 1 KB, makes
     * a frame of each while many streams write.
     */
    private static final int TURN = 16 * 1024;

    /** As Dubbo's clients have. */
    private static final int MOST_HEADERS = 32 * 1024;

    /** The maximum number of waiting calls; more are refused at once. */
    private static final int MOST_WAITING = 10_000;

    /** Netty's servers (4.1, 4.2) end connections on which 200 streams are reset within 30 s, with the calls of others. */
    private static final int RESETS_PER_SECOND = 5;

    private static final int CLOSE_SECONDS = 10;

    private final String address;
    private final ConnectionOpener opener;
    private final Http2Connection http2 = new DefaultHttp2Connection(false);
    private final Http2ConnectionHandler codec;
    private final Http2ConnectionEncoder encoder;
    private final ChannelHandlerContext context;
    private final StreamContext streams;
    private final IslandTrafficCounter traffic;

    /** By the id of their stream, until that is closed. */
    private final IntObjectMap<GrpcCall> open = new IntObjectHashMap<>();

    /** The calls that wait for a stream, oldest first, each with its timer. */
    private final Map<GrpcCall, Future<?>> waiting = new LinkedHashMap<>();

    /** Calls whose callers have left, and whose streams are to be reset if their answers have not begun. */
    private final Deque<GrpcCall> overdue = new ArrayDeque<>();

    /** How many were reset in this second. */
    private int resets;

    private boolean isAdmitting;
    private volatile int inFlight;
    private volatile boolean isFull;

    /** Adds its handlers to a channel that is not connected yet. */
    GrpcConnection(Channel channel, FrameworkModel framework, ConnectionOpener opener) {
        super(channel);
        this.address = opener.gateway().address().hostAndPort();
        this.opener = opener;
        WeightedFairQueueByteDistributor fair = new WeightedFairQueueByteDistributor(http2);
        fair.allocationQuantum(TURN);
        http2.remote().flowController(new DefaultHttp2RemoteFlowController(http2, fair));
        this.codec = new Http2ConnectionHandlerBuilder()
                .connection(http2)
                .frameListener(new Frames())
                .initialSettings(new Http2Settings()
                        .pushEnabled(false)
                        .maxConcurrentStreams(0) // of the gateway
                        .initialWindowSize(WINDOW)
                        .maxFrameSize(WINDOW)
                        .maxHeaderListSize(MOST_HEADERS))
                .validateHeaders(false)
                .gracefulShutdownTimeoutMillis(0) // it is closed when its calls have ended
                .build();
        this.encoder = codec.encoder();
        channel.pipeline().addLast(new IdleStateHandler(HEARTBEAT_SECONDS, 0, 0), codec, this);
        this.context = channel.pipeline().context(codec);
        MemoryBudget memory = MemoryBudget.of(framework);
        this.streams = StreamContext.of(
                framework, Constants.DEFAULT_PAYLOAD, context, http2, memory.open(channel.eventLoop(), this::resume));
        this.traffic = IslandTrafficCounter.before(context, encoder, opener.traffic());
        http2.addListener(new Http2ConnectionAdapter() {
            @Override
            public void onStreamClosed(Http2Stream stream) {
                streamClosed(stream.id());
            }
        });
    }

    /** Whether the gateway allows no more streams now. */
    boolean isFull() {
        return isFull;
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public StreamContext streams() {
        return streams;
    }

    @Override
    protected boolean hasCallsInFlight() {
        return inFlight > 0;
    }

    /** Calls in flight go on, for a limited time. */
    @Override
    public void close() {
        super.close();
        onLoop(() ->
                channel().eventLoop().schedule(() -> TcpConnector.abort(channel()), CLOSE_SECONDS, TimeUnit.SECONDS));
    }

    private void changed() {
        inFlight = open.size() + waiting.size();
        boolean now = !waiting.isEmpty() || !http2.local().canOpenStream();
        if (now != isFull) {
            isFull = now;
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext active) throws Http2Exception {
        http2.local().flowController().incrementWindowSize(http2.connectionStream(), 2 * WINDOW);
        active.flush();
        active.fireChannelActive();
    }

    @Override
    protected boolean write(GrpcCall call) {
        if (!channel().isActive() || isDraining()) {
            call.notWritten(new ClosedChannelException());
            return false;
        }
        if (waiting.isEmpty() && http2.local().canOpenStream()) {
            return begin(call);
        }
        enqueue(call);
        return false;
    }

    private boolean begin(GrpcCall call) {
        int id = http2.local().incrementAndGetNextStreamId();
        if (id < 0) { // all were used: another connection follows
            drains();
            closeOnceUnused();
            call.notWritten(new ClosedChannelException());
            return false;
        }
        if (!call.begin(id)) {
            return false;
        }
        ConnectionHandler.used(channel());
        AttemptEvidence evidence = call.evidence();
        if (evidence != null) {
            traffic.opens(id, opener.traffic().of(evidence.island()));
        }
        ChannelFuture headers =
                encoder.writeHeaders(context, id, call.request().headers(), 0, false, context.newPromise());
        if (http2.stream(id) != null) { // else they could not be encoded
            open.put(id, call);
        }
        headers.addListener(written -> {
            if (!written.isSuccess()) { // without them a stream does not exist for the peer
                open.remove(id);
                call.notProcessed(explained(written.cause()));
                changed();
            }
        });
        call.writeBody();
        changed();
        return true;
    }

    /** Netty does not write headers that are over what the gateway has announced; another attempt ends in the same way. */
    private static Throwable explained(Throwable failure) {
        return failure instanceof Http2Exception.HeaderListSizeException
                ? new NotWrittenException(
                        Reason.TOO_LARGE,
                        "the gateway takes fewer bytes of headers than the request has, with its attachments: "
                                + failure.getMessage())
                : failure;
    }

    @Override
    public void write(GrpcCall call, @Nullable GrpcMessage message, boolean isEnd) {
        if (http2.stream(call.id()) == null) { // it is closed, or could not be opened
            return;
        }
        ByteBuf data = message == null ? Unpooled.EMPTY_BUFFER : message.onWire(); // allocates nothing that can fail
        encoder.writeData(
                context, call.id(), data, 0, isEnd, opener.bytesInFlight().written(data, context.newPromise()));
    }

    @Override
    public void writeMore(GrpcCall call) {
        onLoop(() -> {
            if (open.get(call.id()) == call) {
                call.writeBody();
                channel().flush();
            }
        });
    }

    private void enqueue(GrpcCall call) {
        if (!call.isQueued()) {
            return;
        }
        if (waiting.size() >= MOST_WAITING) {
            call.notWritten(
                    new NotWrittenException(Reason.BUSY, inUse() + ", and " + waiting.size() + " calls wait for one"));
            return;
        }
        Future<?> timer =
                channel().eventLoop().schedule(() -> giveUp(call), call.patienceMillis(), TimeUnit.MILLISECONDS);
        waiting.put(call, timer);
        changed();
    }

    private String inUse() {
        return "the gateway allows " + http2.local().maxActiveStreams()
                + " streams on a connection (SETTINGS_MAX_CONCURRENT_STREAMS), all are in use";
    }

    private void giveUp(GrpcCall call) {
        if (isTakenOut(call)) {
            call.notWritten(new NotWrittenException(Reason.BUSY, inUse() + ", and none ended in time"));
        }
    }

    @Override
    public void abandon(GrpcCall call) {
        onLoop(() -> {
            if (isTakenOut(call)) {
                closeIfUnused();
            }
        });
    }

    /** Takes a call out of those that wait; false if it did not. */
    private boolean isTakenOut(GrpcCall call) {
        Future<?> timer = waiting.remove(call);
        if (timer == null) {
            return false;
        }
        timer.cancel(false);
        changed();
        return true;
    }

    @Override
    public void leave(GrpcCall call) {
        onLoop(() -> {
            if (open.get(call.id()) != call) {
                return;
            }
            if (call.isEndedAtOnce()) {
                reset(call);
            } else if (call.isBeingAnswered()) {
                call.discardRest();
            } else {
                resetSoon(call);
            }
        });
    }

    /** Else a peer that does not answer would keep the stream, of which a connection has a limited number. */
    private void resetSoon(GrpcCall call) {
        overdue.add(call);
        resetOverdue();
    }

    private void resetOverdue() {
        while (resets < RESETS_PER_SECOND && !overdue.isEmpty()) {
            GrpcCall call = overdue.remove();
            if (open.get(call.id()) == call && !call.isBeingAnswered()) {
                if (resets++ == 0) {
                    channel().eventLoop().schedule(this::resetOverdueAgain, 1, TimeUnit.SECONDS);
                }
                reset(call);
            }
        }
    }

    private void resetOverdueAgain() {
        resets = 0;
        resetOverdue();
    }

    @Override
    public void reset(GrpcCall call) {
        if (open.get(call.id()) == call) {
            codec.resetStream(context, call.id(), Http2Error.CANCEL.code(), context.newPromise());
            context.flush();
        }
    }

    private void streamClosed(int id) {
        traffic.closed(id);
        GrpcCall call = open.remove(id);
        changed();
        if (!waiting.isEmpty() && !isAdmitting) { // the codec is still processing that
            isAdmitting = true;
            onLoop(this::admit);
        } else if (isRetired()) {
            onLoop(this::closeIfUnused);
        }
        if (call != null) {
            call.closed();
        }
    }

    private void admit() {
        isAdmitting = false;
        boolean isAny = false;
        while (!waiting.isEmpty() && http2.local().canOpenStream()) {
            GrpcCall first = waiting.keySet().iterator().next();
            if (first.patienceMillis() == 0) { // its timer is late
                giveUp(first);
                continue;
            }
            waiting.remove(first).cancel(false);
            isAny |= begin(first);
        }
        changed();
        if (isAny) {
            channel().flush();
        }
        closeIfUnused();
    }

    private void failWaiting() {
        List<GrpcCall> calls = List.copyOf(waiting.keySet());
        waiting.values().forEach(timer -> timer.cancel(false));
        waiting.clear();
        calls.forEach(call -> call.notWritten(new ClosedChannelException()));
        changed();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext tail, Object event) {
        if (event instanceof IdleStateEvent) {
            encoder.writePing(context, false, 0, context.newPromise());
            context.flush();
        }
        tail.fireUserEventTriggered(event);
    }

    /** Waiting calls fail before the streams do, which have no proof that nothing of these was sent. */
    @Override
    protected void lost() {
        failWaiting();
        List.copyOf(open.values()).forEach(GrpcCall::connectionLost);
    }

    /** Memory has become free: returns windows. */
    private void resume() {
        List.copyOf(open.values()).forEach(GrpcCall::settle);
        context.flush();
    }

    /** The frames of the peer. */
    private final class Frames extends Http2FrameAdapter {

        @Override
        public void onSettingsRead(ChannelHandlerContext unused, Http2Settings settings) {
            StreamContext.limitHeaderTable(encoder);
            changed();
            isReady();
            admit();
        }

        @Override
        public void onHeadersRead(
                ChannelHandlerContext unused,
                int id,
                Http2Headers headers,
                int dependency,
                short weight,
                boolean isExclusive,
                int padding,
                boolean isEnd) {
            onHeadersRead(unused, id, headers, padding, isEnd);
        }

        @Override
        public void onHeadersRead(
                ChannelHandlerContext unused, int id, Http2Headers headers, int padding, boolean isEnd) {
            GrpcCall call = open.get(id);
            if (call != null) {
                try {
                    call.received(headers, isEnd);
                } catch (Throwable e) { // else the connection would end, with the calls of others
                    call.failed(e);
                }
                endRequest(call, isEnd);
            }
        }

        @Override
        public int onDataRead(ChannelHandlerContext unused, int id, ByteBuf data, int padding, boolean isEnd) {
            GrpcCall call = open.get(id);
            int window = data.readableBytes() + padding;
            if (call == null) {
                return window;
            }
            int now = 0; // the rest is returned as memory permits
            try {
                now = call.received(data, window, isEnd);
            } catch (Throwable e) {
                call.failed(e);
            }
            endRequest(call, isEnd);
            return now;
        }

        /** A peer that has answered needs no more of the request. */
        private void endRequest(GrpcCall call, boolean isAnswered) {
            Http2Stream stream = isAnswered ? http2.stream(call.id()) : null;
            if (stream == null || stream.state() != Http2Stream.State.OPEN) {
                return;
            }
            if (encoder.flowController().hasFlowControlled(stream)) {
                resetSoon(call);
            } else { // is no reset
                write(call, null, true);
            }
        }

        @Override
        public void onRstStreamRead(ChannelHandlerContext unused, int id, long error) {
            GrpcCall call = open.get(id);
            if (call != null) {
                call.ended(TriRpcStatus.CANCELLED.withDescription("Canceled by remote peer, errorCode=" + error));
            }
        }

        /**
         * RFC 9113, section 6.8: streams above the last id were not and will not be processed. A graceful one says first that
         * it processes every stream, whether there is any or not.
         */
        @Override
        public void onGoAwayRead(ChannelHandlerContext unused, int last, long error, ByteBuf text) {
            opener.drains(channel(), last > 0 && ConnectionHandler.isUsed(channel()));
            drains();
            List.copyOf(open.values()).stream()
                    .filter(call -> call.id() > last)
                    .forEach(call -> call.notProcessed(
                            new IllegalStateException("the gateway closes the connection and did not process it")));
            failWaiting();
            closeOnceUnused();
        }
    }
}

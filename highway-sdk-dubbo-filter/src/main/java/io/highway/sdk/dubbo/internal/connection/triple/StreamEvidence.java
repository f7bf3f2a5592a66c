// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.triple;

import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.connection.channel.ConnectionMarks;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayTransport;
import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.highway.sdk.dubbo.internal.evidence.NotWrittenException;
import io.highway.sdk.dubbo.internal.evidence.Statements;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2FrameStreamEvent;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.AsciiString;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * Collects the {@link AttemptEvidence} of the calls on one HTTP/2 connection from the frames as the peer sent them. A
 * response's statement counts only in the form of docs/reference/wire-contract.md, "Proofs that a call was not sent".
 */
final class StreamEvidence extends ChannelDuplexHandler {

    /** Names of headers that are looked up for each call; their hash is computed once. */
    private static final AsciiString ATTEMPT = AsciiString.cached(AttemptEvidence.ATTACHMENT);

    private static final AsciiString CONTENT_TYPE = AsciiString.cached("content-type");
    private static final AsciiString ACCEPTED_ENCODINGS = AsciiString.cached("grpc-accept-encoding");
    private static final String NOT_FORWARDED = "highway-not-forwarded";
    private static final String OK = "0";
    private static final String UNAVAILABLE = "14";

    /** Netty's servers (4.1, 4.2) end connections on which 200 streams are reset within 30 s, with the calls of others. */
    private static final int RESETS_PER_SECOND = 5;

    private final GatewayTransport transport;
    private final CarriedHeaders carried;
    private final Map<Http2FrameStream, AttemptEvidence> open = new HashMap<>();

    /** Streams of calls that have timed out, and are to be reset if their answers have not begun. */
    private final Deque<Http2FrameStream> overdue = new ArrayDeque<>();

    /** How many were reset in this second. */
    private int resets;

    private boolean isUsed;

    private StreamEvidence(GatewayTransport transport, CarriedHeaders carried) {
        this.transport = transport;
        this.carried = carried;
    }

    /** Adds the handler before the one that distributes frames to their streams. */
    static void addTo(ChannelHandlerContext anywhere, GatewayTransport transport, CarriedHeaders carried) {
        ChannelHandlerContext streams = anywhere.pipeline().context(Http2MultiplexHandler.class);
        anywhere.pipeline()
                .addBefore(streams.name(), StreamEvidence.class.getName(), new StreamEvidence(transport, carried));
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the promise reports the result
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        ChannelPromise completed = promise;
        if (message instanceof Http2HeadersFrame frame) {
            CharSequence name = frame.headers().getAndRemove(ATTEMPT);
            if (name != null) {
                if (!isUsed) {
                    isUsed = true;
                    ConnectionMarks.used(context.channel());
                }
                AttemptEvidence evidence = transport.arrived(name.toString());
                completed = promise.unvoid();
                Http2FrameStream stream = frame.stream();
                if (evidence == null || !evidence.leave(completed, () -> reset(context, stream))) { // it has ended
                    completed.tryFailure(new ClosedChannelException());
                    return;
                }
                watch(stream, evidence, completed);
            }
            NotWrittenException refused = carried.checkRequest(frame.headers());
            if (refused != null) {
                completed.tryFailure(refused);
                return;
            }
        }
        context.write(message, completed);
    }

    /** Else a peer that does not answer would keep the stream, of which a connection has a limited number. */
    private void reset(ChannelHandlerContext context, Http2FrameStream stream) {
        context.executor().execute(() -> {
            overdue.add(stream);
            resetOverdue(context);
        });
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it fails if the stream or the connection has ended
    private void resetOverdue(ChannelHandlerContext context) {
        while (resets < RESETS_PER_SECOND && !overdue.isEmpty()) {
            Http2FrameStream stream = overdue.remove();
            if (open.remove(stream) != null) {
                if (resets++ == 0) {
                    context.executor().schedule(() -> resetOverdueAgain(context), 1, TimeUnit.SECONDS);
                }
                context.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.CANCEL).stream(stream));
            }
        }
    }

    private void resetOverdueAgain(ChannelHandlerContext context) {
        resets = 0;
        resetOverdue(context);
    }

    /** Without its headers a stream does not exist for the peer. */
    @SuppressWarnings("FutureReturnValueIgnored") // it only listens
    private void watch(Http2FrameStream stream, AttemptEvidence evidence, ChannelPromise promise) {
        open.put(stream, evidence);
        promise.addListener(written -> {
            if (!written.isSuccess()) {
                open.remove(stream);
                evidence.notWritten(written.isCancelled() ? StreamQueue.cancelled() : explained(written.cause()));
            }
        });
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
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof Http2HeadersFrame frame) {
            read(frame);
        } else if (message instanceof Http2GoAwayFrame goAway) {
            read(goAway);
        }
        context.fireChannelRead(message);
    }

    /** Only the first frame of a response counts. */
    private void read(Http2HeadersFrame frame) {
        AttemptEvidence evidence = open.get(frame.stream());
        if (evidence == null || isInformational(frame.headers())) {
            return;
        }
        open.remove(frame.stream());
        Http2Headers headers = frame.headers();
        boolean isGrpc = startsWith(headers.get(CONTENT_TYPE), "application/grpc");
        if (!isGrpc) {
            if (is(headers.status(), "404")) {
                evidence.state(AttemptEvidence.Kind.NO_SUCH_SERVICE, "HTTP status 404");
            }
        } else if (frame.isEndStream() && is(headers.status(), "200")) {
            readWhole(headers, evidence);
        }
        CharSequence accepted = headers.get(ACCEPTED_ENCODINGS);
        if (accepted != null || !isGateways(frame, isGrpc)) {
            evidence.answered(accepted);
        }
    }

    /** Whether a gateway may have written the response itself, since it cannot reach the destination. */
    private static boolean isGateways(Http2HeadersFrame frame, boolean isGrpc) {
        return !isGrpc || (frame.isEndStream() && is(frame.headers().get("grpc-status"), UNAVAILABLE));
    }

    /** A response of one frame, which no service has started. */
    private static void readWhole(Http2Headers headers, AttemptEvidence evidence) {
        CharSequence status = headers.get("grpc-status");
        if (is(status, UNAVAILABLE)) {
            String reason = Statements.reasonFor(evidence, only(headers, NOT_FORWARDED));
            if (reason != null) {
                evidence.state(AttemptEvidence.Kind.NOT_FORWARDED, reason);
            }
        }
        String reason = status == null || is(status, OK)
                ? null
                : Statements.reasonFor(evidence, only(headers, Statements.REFUSED));
        if (reason != null && evidence.statement() == null) {
            Statements.refused(evidence, reason);
        }
    }

    /** RFC 9113, section 6.8: streams above the last id were not and will not be processed. */
    private void read(Http2GoAwayFrame goAway) {
        int last = goAway.lastStreamId();
        open.entrySet().removeIf(entry -> {
            boolean unprocessed = entry.getKey().id() > last;
            if (unprocessed) {
                entry.getValue()
                        .notWritten(
                                new IllegalStateException("the gateway closes the connection and did not process it"));
            }
            return unprocessed;
        });
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof Http2FrameStreamEvent change && change.stream().state() == Http2Stream.State.CLOSED) {
            open.remove(change.stream());
        }
        context.fireUserEventTriggered(event);
    }

    private static boolean isInformational(Http2Headers headers) {
        CharSequence status = headers.status();
        return status != null && status.length() == 3 && status.charAt(0) == '1';
    }

    /** The value of a field that occurs once: of two values, the origin of each is unknown. */
    private static @Nullable String only(Http2Headers headers, String name) {
        List<CharSequence> values = headers.getAll(name);
        return values.size() == 1 ? TriRpcStatus.decodeMessage(values.get(0).toString()) : null;
    }

    private static boolean is(@Nullable CharSequence value, String expected) {
        return value != null && expected.contentEquals(value);
    }

    private static boolean startsWith(@Nullable CharSequence value, String prefix) {
        return value != null && value.toString().startsWith(prefix);
    }
}

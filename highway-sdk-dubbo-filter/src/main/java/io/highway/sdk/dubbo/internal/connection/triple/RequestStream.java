// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.triple;

import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.IslandId;
import io.highway.sdk.dubbo.internal.compression.Inflation;
import io.highway.sdk.dubbo.internal.evidence.Statements;
import io.highway.sdk.dubbo.internal.limits.BufferedBytes;
import io.highway.sdk.dubbo.internal.limits.Pieces;
import io.highway.sdk.dubbo.internal.route.RouteHeaders;
import io.highway.sdk.internal.Texts;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.EmptyHttp2Headers;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.util.ReferenceCountUtil;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.rpc.StatusRpcException;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * One request of a Triple server that has a body: reads its messages, returns its windows, and refuses it. Its methods run on the connection's event loop, if they do not say otherwise.
 */
final class RequestStream extends MessageStream implements MessageInflater.Owner {

    static final String ENCODING = "grpc-encoding";
    private static final String IDENTITY = "identity";
    private static final String GRPC = "application/grpc";
    private static final String OK = "200";

    /** What a request counts without its headers and data, and a header without its text. */
    private static final int WITHOUT_DATA = 1024;

    private static final int HEADER = 64;

    /** What is added to the window of the one that all others wait for. */
    private static final int RAISED = 16 * BufferedBytes.STEP;

    private static final Logger log = LoggerFactory.getLogger(RequestStream.class);

    private Http2Headers headers;
    private final String island;

    /** The encoding of its gRPC messages, if they cannot be read; otherwise null. */
    private final @Nullable String unreadable;

    /** Null if the request has no gRPC messages, or they cannot be read. */
    private final @Nullable MessageReader reader;

    private final MessageInflater inflater;

    /** The encoding with the dictionary of the caller's island, or null. */
    private final @Nullable String dictionary;

    /** The data that is read now, and what has come since. */
    private @Nullable ByteBuf data;

    private final Pieces later = newPieces();

    /** Whether it has passed the first stage of the guard. */
    private boolean hasPassed;

    private boolean isComplete;

    private boolean isAnswered;
    private boolean isClosed;
    private int messages;
    private int firstBytes;

    /** The bytes of a request without gRPC messages. */
    private int rawBytes;

    /** Bytes of the windows that were not returned. */
    private int withheld;

    private boolean isRaised;

    /** What its headers count at the connection, until the request is complete. */
    private int head = WITHOUT_DATA;

    RequestStream(StreamConnection connection, Http2FrameStream stream, Http2Headers headers) {
        super(connection, stream);
        this.headers = headers;
        headers.forEach(each ->
                head += HEADER + each.getKey().length() + each.getValue().length());
        body.add(head);
        String named = header(HighwayAttachments.ISLAND);
        this.island = named != null && IslandId.isValid(named)
                ? named
                : connection.servers().home();
        String announced = header(ENCODING);
        String encoding = announced == null ? IDENTITY : announced;
        this.dictionary = dictionary();
        String type = header("content-type");
        boolean isGrpc = type != null && type.startsWith(GRPC);
        boolean isReadable = encoding.equals(dictionary) || Inflation.ENCODINGS.contains(encoding);
        this.inflater = new MessageInflater(connection, body, encoding, this);
        this.unreadable = isGrpc && !isReadable ? encoding : null;
        this.reader =
                isGrpc && isReadable ? new MessageReader(connection.payload(), Inflation.PAYLOAD, newPieces()) : null;
        if (reader != null && announced != null) {
            headers.set(ENCODING, IDENTITY); // Dubbo gets messages as they are then
        }
    }

    /** The first stage of the guard. */
    @Override
    void begin() {
        if (!connection.buffered().takeHead(head)) {
            refuse("the requests of its connection take too much memory");
            reset(Http2Error.NO_ERROR); // what belongs to it is kept until it is closed
            return;
        }
        headers.remove(RouteHeaders.REQUEST);
        if (headers.contains(HighwayAttachments.SIGN)) {
            headers.set(RouteHeaders.REQUEST, UUID.randomUUID().toString());
        }
        String path = String.valueOf(headers.path());
        for (HeadersCheck check : connection.servers().checks()) {
            HeadersCheck.Refusal refusal =
                    check.refusal(connection.context().channel().remoteAddress(), path, this::header);
            if (refusal != null) {
                refuse(
                        TriRpcStatus.fromCode(TriRpcStatus.Code.PERMISSION_DENIED)
                                .withDescription(refusal.message()),
                        refusal.statement());
                return;
            }
        }
        hasPassed = true;
        if (unreadable != null) {
            refuseEncoding(unreadable);
        }
    }

    /** Dubbo would keep every name for ever, inflate bzip2 without a limit, and up to 3.2 not answer. */
    private void refuseEncoding(String encoding) {
        String printable = Texts.printable(encoding);
        String statement = island + ";" + Statements.NO_SUCH_ENCODING + "; the provider reads "
                + Inflation.accepted(dictionary) + " and not " + printable;
        refuse(
                TriRpcStatus.UNIMPLEMENTED.withDescription(ENCODING + " '" + printable + "'"),
                headers.contains(HighwayAttachments.ISLAND) ? statement : null);
    }

    private @Nullable String header(String name) {
        CharSequence value = headers.get(name);
        return value == null ? null : value.toString();
    }

    private @Nullable String dictionary() {
        String from = header(HighwayAttachments.FROM);
        int slash = from == null ? -1 : from.indexOf('/');
        return from == null || slash < 0 ? null : connection.servers().dictionaryOf(from.substring(0, slash));
    }

    /** Dubbo does not know that the request was refused here. */
    @Override
    boolean mayWrite(Object frame) {
        boolean isAnswer = frame instanceof Http2HeadersFrame || frame instanceof Http2DataFrame;
        boolean mayWrite = !isAnswer || !isRefused;
        isAnswered |= isAnswer;
        if (mayWrite && !isComplete && isEnd(frame)) { // its client may never end it
            discardRest();
        }
        return mayWrite;
    }

    private static boolean isEnd(Object frame) {
        return frame instanceof Http2HeadersFrame trailers
                ? trailers.isEndStream()
                : frame instanceof Http2DataFrame last && last.isEndStream();
    }

    /** Nothing more of the request is read or counted. */
    private void discardRest() {
        isRefused = true;
        release();
        body.progress();
        returnWindows();
    }

    @Override
    void received(int window, int bytes) {
        body.add(bytes);
        withheld += window;
    }

    /** Returns the window of what was read, if more may come, and inflates. */
    private void settle() {
        body.insideMessage(isInsideMessage());
        if (isRefused || isClosed || body.mayGrow()) {
            consume(withheld);
            withheld = 0;
        } else {
            lendOrRefuse(isComplete);
        }
        inflater.proceed(); // last, since a message that may grow waits no longer
    }

    /** Whether a message, or a request without messages, is to be completed or inflated. */
    private boolean isInsideMessage() {
        return reader == null
                ? rawBytes > 0 && !isComplete
                : reader.isInsideMessage() || !inflater.isIdle() || data != null || later.bytes() > 0;
    }

    /** Whoever needs no more bytes is not refused. */
    private void lendOrRefuse(boolean isWhole) {
        boolean needsNothing = !isInsideMessage();
        if (connection.buffered().mayLend()
                || (needsNothing && connection.buffered().hasRoom())) {
            lend(withheld);
            withheld = 0;
        } else if (!isWhole && connection.buffered().isCrowded()) {
            refuse("there is no memory for it beside others of its connection");
        }
    }

    @Override
    void resume() {
        if (withheld + lent > 0 && body.mayGrow()) {
            returnWindows();
            if (!isRaised && body.isServed()) {
                isRaised = true;
                grow(RAISED);
            }
        } else if (withheld > 0) {
            lendOrRefuse(isComplete);
        }
        inflater.proceed();
    }

    @Override
    void returnWindows() {
        consume(withheld);
        withheld = 0;
        super.returnWindows();
    }

    @Override
    void read(ByteBuf next, boolean isEnd) {
        if (isEnd) {
            isComplete = true;
            returnHead(0); // the call runs, or has been refused
        }
        if (isRefused || isClosed) {
            body.remove(next.readableBytes());
            next.release();
        } else if (reader == null) {
            passOnRaw(next);
        } else {
            if (data == null && inflater.isIdle()) {
                data = next;
            } else {
                later.add(next, next.readableBytes());
                next.release();
            }
            readMessages(reader);
        }
        settle();
    }

    private void passOnRaw(ByteBuf next) {
        if (next.readableBytes() > connection.payload() - rawBytes) {
            next.release();
            refuse(
                    TriRpcStatus.fromCode(TriRpcStatus.Code.RESOURCE_EXHAUSTED)
                            .withDescription("The request has more than " + connection.payload() + " bytes"),
                    null);
            return;
        }
        rawBytes += next.readableBytes();
        later.add(next, next.readableBytes());
        next.release();
        if (isComplete || later.bytes() >= Pieces.SMALL) { // Dubbo keeps each piece until the end
            passOn(later.bytes() == 0 ? Unpooled.EMPTY_BUFFER : later.take(), isComplete);
        }
    }

    private void readMessages(MessageReader from) {
        try {
            while (inflater.isIdle() && hasData()) {
                ByteBuf now = Objects.requireNonNull(data);
                ByteBuf message = from.next(now);
                if (!now.isReadable()) {
                    now.release();
                    data = null;
                }
                if (message != null && MessageReader.isCompressed(message)) {
                    inflater.add(message); // settle goes on
                } else if (message != null) {
                    passOn(message);
                }
            }
            if (isComplete && !isPassedOn && inflater.isIdle() && !hasData()) {
                passOn(Unpooled.EMPTY_BUFFER, true);
            }
        } catch (StatusRpcException e) {
            refuse(e.getStatus(), null);
        }
    }

    private boolean hasData() {
        if (data == null && later.bytes() > 0) {
            data = later.take();
        }
        return data != null;
    }

    @Override
    public boolean isEnded() {
        return isClosed || isRefused;
    }

    @Override
    public void inflated(ByteBuf message) {
        body.progress();
        passOn(message);
        readMessages(Objects.requireNonNull(reader));
        connection.context().fireChannelReadComplete();
        settle();
    }

    @Override
    public void failed(TriRpcStatus status) {
        refuse(status, null);
    }

    /**
     * A whole message. The first of a call counts until the second, the call's end or, of a stream, for ten seconds; others
     * until they are read.
     */
    private void passOn(ByteBuf message) {
        messages++;
        int bytes = message.readableBytes();
        boolean isLast = isComplete && !hasData();
        if (messages == 1) {
            firstBytes = bytes;
            passOn(message, isLast);
            return;
        }
        forgetFirst();
        passOn(new Counted(Pieces.kept(message), body), isLast);
        body.handOver();
    }

    private void forgetFirst() {
        body.remove(firstBytes);
        firstBytes = 0;
    }

    @Override
    void sweep() {
        if (!body.isStalled()) {
            return;
        }
        if (isRefused) {
            reset(Http2Error.NO_ERROR); // its client sends on, or waits
        } else if (isWaiting() && (connection.buffered().isUnderPressure() || body.isServed())) {
            refuse("it waited for memory for " + TimeUnit.NANOSECONDS.toSeconds(BufferedBytes.PROGRESS_NANOS) + " s");
        } else { // its call runs on
            if (firstBytes > 0 && !isUnary()) {
                forgetFirst();
            }
            body.handOver();
        }
    }

    private void refuse(String why) {
        refuse(
                TriRpcStatus.fromCode(TriRpcStatus.Code.RESOURCE_EXHAUSTED)
                        .withDescription("highway: " + why + ", see max-buffered"),
                island + ";" + Statements.BUSY + "; its request waited for memory, see highway.max-buffered");
    }

    /** Whether the rest of a message, or the end of a unary call's request, is still to come. */
    private boolean isWaiting() {
        boolean hasNoEnd = messages == 1 && !isComplete && !isAnswered && isUnary();
        return hasNoEnd || (isInsideMessage() && !inflater.isInflating());
    }

    /** Refuses as a gRPC server does: an answer without a message. The rest of the request is not read. */
    @SuppressWarnings("FutureReturnValueIgnored") // a failure closes the connection
    private void refuse(TriRpcStatus status, @Nullable String statement) {
        boolean isReported = status.code == TriRpcStatus.Code.PERMISSION_DENIED; // by the guard
        String end = isReported ? null : connection.buffered().logLimit().next();
        if (end != null) {
            log.warn("highway: a Triple request was refused before anything of it ran: " + status.description + end);
        }
        boolean canAnswer = !isAnswered;
        discardRest();
        if (canAnswer) {
            Http2Headers answer = new DefaultHttp2Headers()
                    .status(OK)
                    .set("content-type", GRPC + "+proto")
                    .set("grpc-accept-encoding", Inflation.accepted(dictionary))
                    .setInt("grpc-status", status.code.code)
                    .set("grpc-message", TriRpcStatus.encodeMessage(status.description));
            if (statement != null && !mayHaveBegun()) {
                answer.set(Statements.REFUSED, TriRpcStatus.encodeMessage(statement));
            }
            connection.context().writeAndFlush(new DefaultHttp2HeadersFrame(answer, true).stream(stream));
        } else {
            reset(Http2Error.CANCEL);
        }
        if (!hasPassed) {
            returnHead(Math.min(head, WITHOUT_DATA));
            headers = EmptyHttp2Headers.INSTANCE;
        }
    }

    /** Whether Dubbo may have begun the call: it begins some streams without a message, but sees no unreadable encoding. */
    private boolean mayHaveBegun() {
        return messages + rawBytes > 0 || (hasPassed && unreadable == null && !isUnary());
    }

    /** Whether nothing of the call runs before its request is whole; asked seldom, so it is not kept. */
    private boolean isUnary() {
        String path = String.valueOf(headers.path());
        return connection.servers().checks().stream().noneMatch(check -> check.isStream(path, this::header));
    }

    private void returnHead(int left) {
        connection.buffered().returnHead(head - left);
        head = left;
    }

    @Override
    void close() {
        isClosed = true;
        returnHead(0);
        if (isRefused || messages + rawBytes == 0 || (isAnswered && !body.hasUnread())) {
            release();
        } else { // a client has gone, and Dubbo has its request
            discard();
            body.releaseLater();
        }
        if (hasPassed) {
            connection.servers().checks().forEach(check -> check.ended(this::header));
        }
    }

    private void release() {
        discard();
        body.release();
    }

    private void discard() {
        ReferenceCountUtil.release(data);
        data = null;
        later.release();
        if (reader != null) {
            reader.close();
        }
        inflater.close();
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.server;

import io.highway.sdk.dubbo.internal.limits.BufferedBytes;
import io.highway.sdk.internal.Texts;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Netty's decoder without its leniency: where two readers could disagree about a request, one behind the other would execute
 * what the first took for a body. What Netty has read is compared with RFC 9112 before anybody sees the result; instead of a
 * request that differs, a {@link MalformedRequestException} follows.
 *
 * <p>It reads as far as its owner wants, and counts the rest, and what it has of an incomplete head, as buffered. Its methods run on the connection's event loop.
 */
final class RequestDecoder extends HttpRequestDecoder {

    /** Whose requests they are. */
    interface Owner {

        /** Whether the next part of a request may be read. */
        boolean isReading();

        /** What may be read of what has arrived is read. */
        void afterReading();
    }

    /** As nginx's default, four buffers of 8 KB. */
    private static final int MOST_BYTES = 32 * 1024;

    private static final int MOST_HEADERS = 128;

    /** The request line, and the empty one behind the headers. */
    private static final int OTHER_LINES = 2;

    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
    private static final Pattern REQUEST_LINE = Pattern.compile(TOKEN + " [!-~]+ HTTP/1\\.[01]\r\n");
    private static final Pattern HEADER = Pattern.compile("(" + TOKEN + "):[\t -~\u0080-\u00ff]*\r\n|\r\n");
    private static final String CONTENT_LENGTH = "content-length:";
    private static final Pattern LENGTH = Pattern.compile("(?i)" + CONTENT_LENGTH + "[\t ]*[0-9]{1,18}[\t ]*\r\n");
    private static final Pattern SIZE = Pattern.compile("\r\n([0-9a-fA-F]{1,8})\r\n");
    private static final Pattern LAST_CHUNK = Pattern.compile("\r\n0{1,8}\r\n\r\n");
    private static final int LONGEST_DELIMITER = 14;

    /** How long a peer can leave its answers unread while others need the memory. */
    private static final long STALLED_SECONDS = TimeUnit.NANOSECONDS.toSeconds(BufferedBytes.PROGRESS_NANOS);

    private final BufferedBytes.Connection buffered;
    private final Owner owner;

    private ChannelHandlerContext context;
    private boolean isBusy;
    private boolean isSkipping;

    // of the request that is being read
    private int headBytes;
    private int lines;
    private boolean hasLength;
    private boolean isInBody;
    private boolean isChunked;

    /** What is held. */
    private BufferedBytes.@Nullable Body memory;

    /** How long nothing of it was read, though no request is being read or served. */
    private int stalledSeconds;

    /** Of the present chunk. */
    private long left;

    /** What has come between two chunks; a line end precedes the first. */
    private final StringBuilder delimiter = new StringBuilder();

    @SuppressWarnings("NullAway.Init") // handlerAdded precedes every other method
    RequestDecoder(BufferedBytes.Connection buffered, Owner owner) {
        super(MOST_BYTES, MOST_BYTES, BufferedBytes.STEP);
        this.buffered = buffered;
        this.owner = owner;
        setCumulator(RequestDecoder::joined);
    }

    /** In no larger buffer than they need. */
    private static ByteBuf joined(ByteBufAllocator allocator, ByteBuf unread, ByteBuf data) {
        if (!unread.isReadable()) {
            unread.release();
            return data;
        }
        int size = unread.readableBytes() + data.readableBytes();
        ByteBuf joined = allocator.buffer(size, size).writeBytes(unread).writeBytes(data);
        unread.release();
        data.release();
        return joined;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
    }

    @Override
    public void channelRead(ChannelHandlerContext unused, Object data) throws Exception {
        int before = held() + ((ByteBuf) data).readableBytes();
        isBusy = true;
        uncount();
        try {
            super.channelRead(context, data);
            ByteBuf rest = internalBuffer();
            if (rest.isReadable() && rest.readableBytes() < rest.capacity() / 2) { // the network may bring that much
                super.channelRead(context, Unpooled.EMPTY_BUFFER);
            }
        } finally {
            isBusy = false;
            count(before);
        }
        owner.afterReading();
    }

    /** Netty would read on if no message came of what has been read, though reading is paused. */
    @Override
    public void channelReadComplete(ChannelHandlerContext unused) {
        discardSomeReadBytes();
        context.fireChannelReadComplete();
    }

    /** Reads on in what has arrived. */
    void proceed() {
        if (isBusy || actualReadableBytes() == 0) {
            return;
        }
        try {
            channelRead(context, Unpooled.EMPTY_BUFFER);
        } catch (Exception e) {
            context.fireExceptionCaught(e);
        }
    }

    /** Drops whatever else comes. */
    void skip() {
        isSkipping = true;
        headBytes = 0;
        proceed();
    }

    /** Whether a part of the next request has arrived. */
    boolean hasBegun() {
        return held() > 0;
    }

    /** What is not read yet, and what is read of a head that is not complete. */
    private int held() {
        return actualReadableBytes() + headBytes;
    }

    /** How many bytes are not read yet. */
    int unread() {
        return actualReadableBytes();
    }

    private void count(int before) {
        int held = held();
        if (held < before) {
            stalledSeconds = 0;
        }
        if (held > 0) {
            memory = buffered.begin();
            memory.arrived(true);
            memory.add(held);
        }
    }

    private void uncount() {
        if (memory != null) {
            memory.release();
            memory = null;
        }
    }

    /** Whether bytes have arrived that nobody reads. */
    boolean isHoldingBytes() {
        return memory != null;
    }

    /** Once a second while no request is being read or served: whether nothing was read for too long. */
    boolean isStalled() {
        return isHoldingBytes() && ++stalledSeconds > STALLED_SECONDS;
    }

    @Override
    public void channelInactive(ChannelHandlerContext unused) throws Exception {
        isSkipping = true;
        super.channelInactive(context);
        uncount();
    }

    /** What has not arrived never will. */
    @Override
    protected void decodeLast(ChannelHandlerContext unused, ByteBuf in, List<Object> out) {
        in.skipBytes(in.readableBytes());
    }

    @Override
    protected void decode(ChannelHandlerContext unused, ByteBuf in, List<Object> out) throws Exception {
        if (isSkipping) {
            in.skipBytes(in.readableBytes());
            return;
        }
        if (!owner.isReading()) {
            return;
        }
        int start = in.readerIndex();
        super.decode(context, in, out);
        try {
            for (Object each : out) {
                requireDecoded((HttpObject) each);
            }
            if (isInBody) {
                checkBody(in, start, out);
            } else {
                checkHead(in.toString(start, in.readerIndex() - start, StandardCharsets.ISO_8859_1), out);
            }
        } catch (MalformedRequestException e) {
            out.forEach(ReferenceCountUtil::release);
            out.clear();
            out.add(e);
            isSkipping = true;
            headBytes = 0;
        }
    }

    private static void requireDecoded(HttpObject part) throws MalformedRequestException {
        Throwable problem = part.decoderResult().cause();
        if (problem != null) {
            throw new MalformedRequestException(
                    "it is malformed: " + Texts.printable(String.valueOf(problem.getMessage())));
        }
    }

    /** Netty removes the length. */
    @Override
    protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
        throw new IllegalArgumentException("it has content-length and transfer-encoding");
    }

    /** Of whole lines; what else Netty has read was skipped. */
    private void checkHead(String read, List<Object> out) throws MalformedRequestException {
        for (String line : read.split("(?<=\n)", -1)) {
            if (line.isEmpty()) {
                continue;
            }
            if (!(headBytes == 0 ? REQUEST_LINE : HEADER).matcher(line).matches()) {
                throw new MalformedRequestException("a line of its head is malformed");
            }
            headBytes += line.length();
            if (++lines > MOST_HEADERS + OTHER_LINES) {
                throw new MalformedRequestException("it has more than " + MOST_HEADERS + " headers");
            }
            if (line.regionMatches(true, 0, CONTENT_LENGTH, 0, CONTENT_LENGTH.length())) {
                if (hasLength || !LENGTH.matcher(line).matches()) {
                    throw new MalformedRequestException("its content-length is malformed, or comes twice");
                }
                hasLength = true;
            }
        }
        if (headBytes > MOST_BYTES) {
            throw new MalformedRequestException("its head has more than " + MOST_BYTES + " bytes");
        }
        if (!out.isEmpty()) {
            isInBody = out.size() == 1;
            isChunked = HttpUtil.isTransferEncodingChunked((HttpRequest) out.get(0));
            delimiter.setLength(0);
            delimiter.append("\r\n");
            headBytes = 0;
            lines = 0;
            hasLength = false;
        }
    }

    /** A body that is not chunked is as long as the head says. Of a chunked one, chunks have neither extensions nor trailers. */
    private void checkBody(ByteBuf in, int start, List<Object> out) throws MalformedRequestException {
        int content = 0;
        for (Object each : out) {
            content += ((HttpContent) each).content().readableBytes();
            isInBody &= !(each instanceof LastHttpContent);
        }
        if (!isChunked) {
            return;
        }
        int end = in.readerIndex();
        int from = start;
        if (left == 0) {
            from = content == 0 ? end : Math.max(start, in.indexOf(start, end, (byte) '\n') + 1);
            delimit(in, start, from);
        }
        if (content > left) {
            throw malformedChunk();
        }
        left -= content;
        if (content > 0) {
            delimit(in, from + content, end);
        }
        if (!isInBody && !LAST_CHUNK.matcher(delimiter).matches()) {
            throw malformedChunk();
        }
    }

    private void delimit(ByteBuf in, int start, int end) throws MalformedRequestException {
        delimiter.append(in.toString(start, end - start, StandardCharsets.ISO_8859_1));
        if (delimiter.length() > LONGEST_DELIMITER) {
            throw malformedChunk();
        }
        Matcher size = SIZE.matcher(delimiter);
        if (size.matches()) {
            left = Long.parseLong(size.group(1), 16);
            if (left > 0) {
                delimiter.setLength(0);
            }
        }
    }

    private static MalformedRequestException malformedChunk() {
        return new MalformedRequestException("the size of a chunk is malformed, or it has trailers");
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.server;

import io.highway.sdk.dubbo.internal.memory.MemoryBudget;
import io.highway.sdk.internal.Texts;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Netty's decoder without its leniency: where two readers could disagree about a request, one behind the other would execute
 * what the first took for a body. What Netty is to read next is compared with RFC 9112 before it does; instead of a
 * request that differs, a {@link RequestRejectedException} follows.
 *
 * <p>It reads as far as is wanted, and counts the rest as buffered. Its methods run on the connection's event loop.
 */
final class StrictHttpDecoder extends HttpRequestDecoder {

    /** As nginx's default, four buffers of 8 KB. */
    private static final int MOST_BYTES = 32 * 1024;

    private static final int MOST_HEADERS = 128;

    /** The request line, and the empty one behind the headers. */
    private static final int OTHER_LINES = 2;

    private static final String LINE_END = "\r\n";
    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
    private static final Pattern REQUEST_LINE = Pattern.compile(TOKEN + " [!-~]+ HTTP/1\\.[01]\r\n");
    private static final Pattern HEADER = Pattern.compile("(" + TOKEN + "):[\t -~\u0080-\u00ff]*\r\n|\r\n");
    private static final String CONTENT_LENGTH = "content-length:";
    private static final Pattern LENGTH = Pattern.compile("(?i)" + CONTENT_LENGTH + "[\t ]*[0-9]{1,18}[\t ]*\r\n");
    private static final Pattern CHUNK_SIZE = Pattern.compile("([0-9a-fA-F]{1,8})\r\n");
    private static final int LONGEST_CHUNK_SIZE = 10;

    private final Supplier<MemoryBudget.Body> begin;
    private final BooleanSupplier isReading;
    private final Runnable afterReading;

    private ChannelHandlerContext context;
    private boolean isBusy;
    private boolean isSkipping;

    // of the head that is being checked
    private int headBytes;
    private int lines;
    private boolean hasLength;

    private boolean isInBody;
    private boolean isChunked;

    /** Of the present chunk and its line end. */
    private long left;

    /** What is not read. */
    private MemoryBudget.@Nullable Body memory;

    /**
     * One in front of the handler that serves the requests.
     *
     * @param begin what counts the bytes that are not read
     * @param isReading whether the next part of a request may be read
     * @param afterReading is called when what may be read of what has arrived is read
     */
    @SuppressWarnings("NullAway.Init") // handlerAdded precedes every other method
    StrictHttpDecoder(Supplier<MemoryBudget.Body> begin, BooleanSupplier isReading, Runnable afterReading) {
        super(MOST_BYTES, MOST_BYTES, MemoryBudget.STEP);
        this.begin = begin;
        this.isReading = isReading;
        this.afterReading = afterReading;
        setCumulator(StrictHttpDecoder::joined);
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
        isBusy = true;
        try {
            super.channelRead(context, data);
            ByteBuf rest = internalBuffer();
            if (rest.isReadable() && rest.readableBytes() < rest.capacity() / 2) { // the network may bring that much
                super.channelRead(context, Unpooled.EMPTY_BUFFER);
            }
        } finally {
            isBusy = false;
            count(unread());
        }
        afterReading.run();
    }

    /** Netty would read on if no message came of what has been read, though reading is paused. */
    @Override
    public void channelReadComplete(ChannelHandlerContext unused) {
        discardSomeReadBytes();
        context.fireChannelReadComplete();
    }

    /** Reads on in what has arrived, if it is not being read. */
    void proceed() {
        if (!isBusy) {
            try {
                channelRead(context, Unpooled.EMPTY_BUFFER);
            } catch (Exception e) {
                context.fireExceptionCaught(e);
            }
        }
    }

    /** Drops whatever else comes. */
    void skip() {
        isSkipping = true;
        proceed();
    }

    /** How many bytes have arrived that are not read yet; of a head, until it is whole. */
    int unread() {
        return actualReadableBytes();
    }

    private void count(int bytes) {
        if (memory == null) {
            if (bytes == 0) {
                return;
            }
            memory = begin.get();
        }
        long more = bytes - memory.bytes();
        memory.add(Math.max(0, more));
        memory.remove(Math.max(0, -more));
        if (bytes == 0) {
            memory.release();
            memory = null;
        }
    }

    /** Whether there is memory for more that is not read. */
    boolean mayGrow() {
        return memory == null || memory.mayGrow();
    }

    /** What has not arrived never will. */
    @Override
    public void channelInactive(ChannelHandlerContext unused) throws Exception {
        isSkipping = true;
        super.channelInactive(context);
        count(0);
    }

    @Override
    protected void decode(ChannelHandlerContext unused, ByteBuf in, List<Object> out) throws Exception {
        if (isSkipping) {
            in.skipBytes(in.readableBytes());
            return;
        }
        try {
            if (isReading.getAsBoolean() && (isInBody ? checkBody(in) : checkHead(in))) {
                int unread = in.readableBytes();
                super.decode(context, in, out);
                left -= unread - in.readableBytes();
                for (Object each : out) {
                    decoded((HttpObject) each);
                }
            }
        } catch (RequestRejectedException e) {
            in.skipBytes(in.readableBytes());
            out.forEach(ReferenceCountUtil::release);
            out.clear();
            out.add(e);
        }
    }

    private void decoded(HttpObject part) throws RequestRejectedException {
        Throwable problem = part.decoderResult().cause();
        if (problem != null) {
            throw new RequestRejectedException(
                    "it is malformed: " + Texts.printable(String.valueOf(problem.getMessage())));
        }
        if (part instanceof HttpRequest head) {
            isInBody = true;
            isChunked = HttpUtil.isTransferEncodingChunked(head);
            left = 0;
            headBytes = 0;
            lines = 0;
            hasLength = false;
        }
        if (part instanceof LastHttpContent) {
            isInBody = false;
        }
    }

    /** Netty removes the length. */
    @Override
    protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
        throw new IllegalArgumentException("it has content-length and transfer-encoding");
    }

    /** Whether the head is whole. Its lines are checked as they come. */
    private boolean checkHead(ByteBuf in) throws RequestRejectedException {
        int start = in.readerIndex();
        boolean isWhole = false;
        for (int end; !isWhole && (end = in.indexOf(start + headBytes, in.writerIndex(), (byte) '\n')) >= 0; ) {
            String line = in.toString(start + headBytes, end + 1 - start - headBytes, StandardCharsets.ISO_8859_1);
            checkLine(line);
            headBytes += line.length();
            isWhole = line.equals(LINE_END);
        }
        if ((isWhole ? headBytes : in.readableBytes()) > MOST_BYTES) {
            throw new RequestRejectedException("its head has more than " + MOST_BYTES + " bytes");
        }
        return isWhole;
    }

    private void checkLine(String line) throws RequestRejectedException {
        if (!(lines == 0 ? REQUEST_LINE : HEADER).matcher(line).matches()) {
            throw new RequestRejectedException("a line of its head is malformed");
        }
        if (++lines > MOST_HEADERS + OTHER_LINES) {
            throw new RequestRejectedException("it has more than " + MOST_HEADERS + " headers");
        }
        if (line.regionMatches(true, 0, CONTENT_LENGTH, 0, CONTENT_LENGTH.length())) {
            if (hasLength || !LENGTH.matcher(line).matches()) {
                throw new RequestRejectedException("its content-length is malformed, or comes twice");
            }
            hasLength = true;
        }
    }

    /**
     * Whether something of the body can be read. One that is not chunked is as long as the head says. Of a chunked one,
     * chunks have neither extensions nor trailers, so that the last one ends as all others, with an empty line.
     */
    private boolean checkBody(ByteBuf in) throws RequestRejectedException {
        if (!isChunked) {
            return true;
        }
        int start = in.readerIndex();
        if (left == 0) {
            int length = Math.min(in.readableBytes(), LONGEST_CHUNK_SIZE);
            Matcher size = CHUNK_SIZE.matcher(in.toString(start, length, StandardCharsets.ISO_8859_1));
            if (!size.lookingAt()) {
                if (size.hitEnd()) { // its rest is still to come
                    return false;
                }
                throw malformedChunk();
            }
            left = size.end() + Long.parseLong(size.group(1), 16) + LINE_END.length();
        }
        for (int i = 0; i < LINE_END.length(); i++) {
            long at = start + left - LINE_END.length() + i;
            if (at >= start && at < in.writerIndex() && in.getByte((int) at) != LINE_END.charAt(i)) {
                throw malformedChunk();
            }
        }
        return true;
    }

    private static RequestRejectedException malformedChunk() {
        return new RequestRejectedException("the size of a chunk is malformed, or it has trailers");
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.ChannelHandler;
import org.apache.dubbo.remoting.Codec2;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.exchange.Response;
import org.apache.dubbo.remoting.transport.AbstractChannel;
import org.apache.dubbo.remoting.transport.netty4.NettyBackedChannelBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A channel of Dubbo for one HTTP request: what Dubbo sends there is the answer. Its local port is that of the
 * connection, since Dubbo looks services up by it. Thread-safe.
 */
final class DubboChannelAdapter extends AbstractChannel {

    private final Map<String, Object> attributes = new ConcurrentHashMap<>();
    private final Codec2 codec;
    private final ChannelHandlerContext connection;
    private final HttpCallHeaders request;
    private final boolean isOneWay;
    private final Consumer<HttpAnswer> answers;
    private volatile boolean isCheckedFirst;
    private final AtomicBoolean isAnswered = new AtomicBoolean();

    /** {@code answers} writes the answer to the connection; called once. */
    DubboChannelAdapter(
            URL url,
            ChannelHandler handler,
            Codec2 codec,
            ChannelHandlerContext connection,
            HttpCallHeaders request,
            boolean isOneWay,
            Consumer<HttpAnswer> answers) {
        super(url, handler);
        this.codec = codec;
        this.connection = connection;
        this.request = request;
        this.isOneWay = isOneWay;
        this.answers = answers;
    }

    HttpCallHeaders request() {
        return request;
    }

    /** Whether the call has its answer: it must not run any more, if it has not begun. */
    boolean isAnswered() {
        return isAnswered.get();
    }

    /** The guard knows copies before the call is decoded. */
    void checkedFirst() {
        isCheckedFirst = true;
    }

    /** Whether the call has no Dubbo answer. */
    boolean isOneWay() {
        return isOneWay;
    }

    /** Nothing of the call has run; or it has, if it is a repeat. */
    void refuse(String reason) {
        answer(HttpAnswer.refused(request.path().island(), reason));
    }

    /** The call runs, and has no Dubbo answer. */
    void accept() {
        answer(HttpAnswer.accepted());
    }

    private void answer(HttpAnswer answer) {
        if (isAnswered.compareAndSet(false, true)) {
            answers.accept(answer);
        } else {
            answer.release();
        }
    }

    /** Encodes on the calling thread. An answer that cannot be encoded makes the codec send an error, by this method. */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // it closes in any case
    public void send(Object message, boolean sent) throws RemotingException {
        if (!(message instanceof Response answer)) {
            throw new RemotingException(this, "over HTTP a provider cannot call back");
        }
        if (isAnswered()) {
            return;
        }
        if (answer.getStatus() == Response.BAD_REQUEST
                && !isCheckedFirst) { // the service may have been here for a copy
            String copy = request.copy();
            if (copy != null) {
                refuse(copy);
                return;
            }
        }
        if (answer.getStatus() == Response.SERVER_THREADPOOL_EXHAUSTED_ERROR) {
            refuse(request.withoutThread(getRemoteAddress()));
            return;
        }
        ByteBuf frame = connection.alloc().buffer();
        try {
            codec.encode(this, new NettyBackedChannelBuffer(frame), message);
        } catch (IOException | RuntimeException | Error e) {
            frame.release();
            connection.close(); // no other answer can follow
            throw new RemotingException(this, "the answer cannot be encoded", e);
        }
        if (frame.isReadable()) {
            answer(HttpAnswer.frame(frame, request.encodings()));
        } else {
            frame.release();
        }
    }

    @Override
    public InetSocketAddress getRemoteAddress() {
        return (InetSocketAddress) connection.channel().remoteAddress();
    }

    @Override
    public InetSocketAddress getLocalAddress() {
        return (InetSocketAddress) connection.channel().localAddress();
    }

    @Override
    public boolean isConnected() {
        return connection.channel().isActive();
    }

    @Override
    public boolean hasAttribute(String key) {
        return attributes.containsKey(key);
    }

    @Override
    public @Nullable Object getAttribute(String key) {
        return attributes.get(key);
    }

    @Override
    public void setAttribute(String key, Object value) {
        attributes.put(key, value);
    }

    @Override
    public void removeAttribute(String key) {
        attributes.remove(key);
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.attacker;

import io.highway.sdk.dubbo.internal.facts.RequestFacts;
import io.highway.tools.gateway.dubbo.DubboFrame;
import io.highway.tools.gateway.dubbo.DubboFrameDecoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A recorded request of the Dubbo protocol: a header of 16 bytes, and a body in Hessian. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Frame(byte[] bytes) {

    private static final int HEADER = 16;

    /** The calls in what was sent over a connection: they want an answer, and are no heartbeats. */
    public static List<Frame> calls(byte[] recorded) {
        EmbeddedChannel connection = new EmbeddedChannel(new DubboFrameDecoder(recorded.length));
        connection.writeInbound(Unpooled.wrappedBuffer(recorded));
        return connection.inboundMessages().stream()
                .map(frame -> new DubboFrame((ByteBuf) frame))
                .filter(frame -> frame.isRequest() && frame.isTwoWay() && !frame.isEvent())
                .map(frame -> new Frame(ByteBufUtil.getBytes(frame.bytes())))
                .toList();
    }

    /** Whether this text is in it. */
    public boolean contains(String text) {
        return text().contains(text);
    }

    /** The same with another text wherever this one is, of the same length. */
    public Frame with(String text, String other) {
        if (text.length() != other.length() || !contains(text)) {
            throw new IllegalArgumentException(text + " cannot be replaced by " + other);
        }
        return new Frame(text().replace(text, other).getBytes(StandardCharsets.ISO_8859_1));
    }

    /** The value of an attachment. */
    public String attachment(String name) {
        ByteBuf body = Unpooled.wrappedBuffer(bytes, HEADER, bytes.length - HEADER);
        int serialization = new DubboFrame(Unpooled.wrappedBuffer(bytes)).serialization();
        String value = RequestFacts.ofBody(body, serialization).attachments().get(name);
        if (value == null) {
            throw new IllegalStateException("the recorded call has no " + name);
        }
        return value;
    }

    /** The bytes to send, with another request id. */
    byte[] bytes(long id) {
        byte[] copy = bytes.clone();
        new DubboFrame(Unpooled.wrappedBuffer(copy)).id(id);
        return copy;
    }

    private String text() {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}

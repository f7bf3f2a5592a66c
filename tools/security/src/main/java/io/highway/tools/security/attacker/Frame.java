// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.attacker;

import io.highway.sdk.dubbo.internal.facts.DubboRequestFacts;
import io.highway.sdk.dubbo.internal.network.frame.FrameHeader;
import io.highway.tools.gateway.dubbo.DubboFrameDecoder;
import io.highway.tools.gateway.dubbo.OwnFrames;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A recorded request of the Dubbo protocol: a header of 16 bytes, and a body in Hessian. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Frame(byte[] bytes) {

    /** The calls in what was sent over a connection: they want an answer, and are no heartbeats. */
    public static List<Frame> calls(byte[] recorded) {
        EmbeddedChannel connection = new EmbeddedChannel(new DubboFrameDecoder(recorded.length));
        connection.writeInbound(Unpooled.wrappedBuffer(recorded));
        return connection.inboundMessages().stream()
                .map(message -> Unpooled.wrappedBuffer(ByteBufUtil.getBytes((ByteBuf) message)))
                .filter(frame -> FrameHeader.isRequest(frame, 0) && FrameHeader.isTwoWay(frame, 0))
                .map(frame -> new Frame(frame.array()))
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
        ByteBuf frame = Unpooled.wrappedBuffer(bytes);
        String value = DubboRequestFacts.ofBody(OwnFrames.body(frame), FrameHeader.serialization(frame, 0))
                .attachments()
                .get(name);
        if (value == null) {
            throw new IllegalStateException("the recorded call has no " + name);
        }
        return value;
    }

    /** The bytes to send, with another request id. */
    byte[] bytes(long id) {
        byte[] copy = bytes.clone();
        OwnFrames.withId(Unpooled.wrappedBuffer(copy), id);
        return copy;
    }

    private String text() {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.http2;

import io.highway.sdk.dubbo.internal.facts.DecodingCheck;
import io.highway.sdk.dubbo.internal.facts.GenericMethod;
import io.highway.sdk.dubbo.internal.facts.UnreadableRequestException;
import io.highway.sdk.dubbo.internal.network.compression.BoundedInflater;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Dubbo's {@code TripleRequestWrapper} and {@code TripleResponseWrapper}: the arguments, or the result, of a method without
 * Protocol Buffers, each serialised. They are read without parsing these.
 */
public final class TripleWrapper {

    private static final int SERIALIZATION = 1;
    private static final int ARGUMENT = 2;
    private static final int TYPE = 3;
    private static final int LENGTH_DELIMITED = 2;

    private TripleWrapper() {}

    /**
     * What a generic call names.
     *
     * @param message with its prefix
     * @throws UnreadableRequestException if it is none, or is malformed
     */
    public static GenericMethod genericFacts(ByteBuf message) {
        if (message.readableBytes() < BoundedInflater.PREFIX_BYTES) {
            throw new UnreadableRequestException("a generic call without a message");
        }
        ByteBuf fields = message.slice(
                message.readerIndex() + BoundedInflater.PREFIX_BYTES,
                message.readableBytes() - BoundedInflater.PREFIX_BYTES);
        String serialization = "";
        List<ByteBuf> arguments = new ArrayList<>(2);
        while (fields.isReadable()) {
            int field = field(fields);
            ByteBuf value = fields.readSlice(length(fields));
            if (field == SERIALIZATION) {
                serialization = value.toString(StandardCharsets.UTF_8);
            } else if (field == ARGUMENT && arguments.size() < 2) {
                arguments.add(value);
            }
        }
        if (arguments.size() < 2) {
            throw new UnreadableRequestException("a generic call without a method and its types");
        }
        return GenericMethod.of(serialization, arguments.get(0), arguments.get(1));
    }

    /**
     * Requires that what an answer contains can be decoded, see {@link DecodingCheck#require}.
     *
     * @param answer without its prefix
     * @return its value, serialised
     * @throws UnreadableRequestException if it cannot, or the wrapper is malformed
     */
    static ByteBuf requireDecodable(byte[] answer) {
        ByteBuf fields = Unpooled.wrappedBuffer(answer);
        String serialization = null;
        ByteBuf result = null;
        while (fields.isReadable()) {
            int field = field(fields);
            ByteBuf value = fields.readSlice(length(fields));
            if (field == SERIALIZATION && result == null) {
                serialization = value.toString(StandardCharsets.UTF_8);
            } else if (field == ARGUMENT && serialization != null) {
                result = DecodingCheck.require(value, serialization);
            } else if (field != TYPE) {
                throw new UnreadableRequestException("a wrapper that names its serialization behind a value");
            }
        }
        return result == null ? Unpooled.EMPTY_BUFFER : result;
    }

    private static int field(ByteBuf fields) {
        int tag = number(fields);
        int field = tag >>> 3;
        if ((tag & 7) != LENGTH_DELIMITED || field < SERIALIZATION || field > TYPE) {
            throw new UnreadableRequestException("a wrapper with another field than a type or an argument");
        }
        return field;
    }

    private static int length(ByteBuf fields) {
        int length = number(fields);
        if (length > fields.readableBytes()) {
            throw new UnreadableRequestException("a wrapper with a field that goes beyond its end");
        }
        return length;
    }

    /** A varint that is not negative. */
    private static int number(ByteBuf fields) {
        long number = 0;
        for (int shift = 0; shift < Integer.SIZE && fields.isReadable(); shift += 7) {
            byte next = fields.readByte();
            number |= (long) (next & 0x7f) << shift;
            if (next >= 0 && number <= Integer.MAX_VALUE) {
                return (int) number;
            }
        }
        throw new UnreadableRequestException("a wrapper with a malformed length");
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.Version;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.serialize.Cleanable;
import org.apache.dubbo.common.serialize.ObjectOutput;
import org.apache.dubbo.remoting.transport.CodecSupport;
import org.apache.dubbo.rpc.RpcInvocation;

/**
 * The request of one attempt, as a frame of the Dubbo protocol.
 *
 * @param attachments a copy of those of the call, without what the first fields of the frame repeat: a signature is that of
 *     one attempt, and Dubbo logs the attachments of slow calls
 */
public record RequestFrame(
        long id,
        RpcInvocation call,
        String service,
        String version,
        Map<String, Object> attachments,
        boolean isTwoWay) {

    private static final AtomicLong IDS = new AtomicLong();

    /**
     * The request of a call as it is now.
     *
     * @param service its interface, and the path of its provider
     */
    public static RequestFrame of(RpcInvocation call, String service, String version, boolean isTwoWay) {
        Map<String, Object> attachments = new HashMap<>(call.getObjectAttachments());
        attachments.remove(CommonConstants.INTERFACE_KEY);
        attachments.remove(CommonConstants.PATH_KEY);
        attachments.remove(CommonConstants.VERSION_KEY);
        return new RequestFrame(IDS.incrementAndGet(), call, service, version, attachments, isTwoWay);
    }

    /** Whether this is the answer to it. */
    public boolean isAnswer(ByteBuf frame) {
        return FrameHeader.isWhole(frame, false) && FrameHeader.id(frame, frame.readerIndex()) == id;
    }

    /**
     * Writes it.
     *
     * @return to be released by the caller
     * @throws IOException if an argument or an attachment cannot be serialised
     */
    public ByteBuf write(URL url) throws IOException {
        byte serialization = FrameHeader.serialization(url);
        ByteBuf frame = PooledByteBufAllocator.DEFAULT.ioBuffer();
        boolean isWritten = false;
        try {
            frame.writeZero(FrameHeader.HEADER_BYTES);
            ObjectOutput out =
                    CodecSupport.getSerializationById(serialization).serialize(url, new ByteBufOutputStream(frame));
            writeBody(out);
            out.flushBuffer();
            if (out instanceof Cleanable cleanable) {
                cleanable.cleanup();
            }
            FrameHeader.writeRequest(frame, serialization, isTwoWay, id);
            isWritten = true;
            return frame;
        } finally {
            if (!isWritten) {
                frame.release();
            }
        }
    }

    /**
     * As {@code DubboCodec}: providers set {@code path} and {@code version} from the first fields
     * ({@code DecodeableRpcInvocation#decode}), and read no {@code interface}.
     */
    private void writeBody(ObjectOutput out) throws IOException {
        out.writeUTF(Version.getProtocolVersion());
        out.writeUTF(service);
        out.writeUTF(version);
        out.writeUTF(call.getMethodName());
        out.writeUTF(call.getParameterTypesDesc());
        Object[] arguments = call.getArguments();
        for (int i = 0; arguments != null && i < arguments.length; i++) {
            out.writeObject(arguments[i]);
        }
        out.writeAttachments(attachments);
    }
}

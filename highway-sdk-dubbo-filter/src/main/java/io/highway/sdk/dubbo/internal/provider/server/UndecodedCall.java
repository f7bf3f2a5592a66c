// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.server;

import io.highway.sdk.dubbo.internal.call.CallAttributes;
import io.highway.sdk.dubbo.internal.facts.DubboRequestFacts;
import io.highway.sdk.dubbo.internal.facts.GenericMethod;
import io.highway.sdk.dubbo.internal.facts.UnreadableRequestException;
import io.highway.sdk.dubbo.internal.provider.server.PreDecodeCheck.ServiceName;
import io.netty.buffer.Unpooled;
import java.util.HashMap;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.io.UnsafeByteArrayInputStream;
import org.apache.dubbo.remoting.Channel;
import org.apache.dubbo.remoting.exchange.Request;
import org.apache.dubbo.rpc.Constants;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.protocol.dubbo.DecodeableRpcInvocation;
import org.apache.dubbo.rpc.protocol.dubbo.DubboProtocol;
import org.jspecify.annotations.Nullable;

/**
 * A call in a Dubbo frame of which only the facts are read, until it is admitted: by them Dubbo chooses its thread, and
 * the guard decides. What it decodes later replaces them.
 */
public class UndecodedCall extends DecodeableRpcInvocation {

    private static final long serialVersionUID = 1L;

    private final boolean isRead;

    /** Why it cannot be read, or null. */
    private final @Nullable String problem;

    /**
     * A call.
     *
     * @param body of the frame, without its header
     * @param isRead whether its facts are read, since it must be admitted
     */
    public UndecodedCall(
            FrameworkModel framework,
            Channel channel,
            Request request,
            byte[] body,
            byte serialization,
            boolean isRead) {
        super(framework, channel, request, new UnsafeByteArrayInputStream(body), serialization);
        getAttributes().put(Constants.SERIALIZATION_ID_KEY, serialization); // for an answer, as the decoder does
        this.problem = isRead ? read(body) : null;
        this.isRead = isRead;
    }

    private @Nullable String read(byte[] body) {
        if (!DubboRequestFacts.canRead(serializationType)) {
            return "its serialization has the number " + serializationType
                    + ", and hessian2 and fastjson2 are read from"
                    + " peers outside of home; set serialization in the caller, or highway.guard.home here";
        }
        try {
            DubboRequestFacts facts = DubboRequestFacts.ofBody(Unpooled.wrappedBuffer(body), serializationType);
            setMethodName(facts.method());
            setParameterTypesDesc(facts.types());
            HashMap<String, Object> attachments = new HashMap<>();
            attachments.put(CommonConstants.PATH_KEY, facts.service());
            attachments.put(CommonConstants.VERSION_KEY, facts.version());
            attachments.putAll(facts.attachments());
            setObjectAttachments(attachments);
            setTargetServiceUniqueName(service(0).key());
            CallAttributes.put(this, DubboRequestFacts.class, facts);
            if (facts.generic() != null) {
                CallAttributes.put(this, GenericMethod.class, facts.generic());
            }
            return null;
        } catch (UnreadableRequestException e) {
            return e.getMessage();
        }
    }

    /** Why it cannot be read, or null. */
    @Nullable
    String problem() {
        return problem;
    }

    /** Whether it must be admitted. */
    final boolean isRead() {
        return isRead;
    }

    /** The service that it names, at a port. */
    public final ServiceName service(int port) {
        return serviceOf(this, port);
    }

    /** The service that a call names, at a port. */
    static ServiceName serviceOf(Invocation call, int port) {
        return new ServiceName(
                port,
                String.valueOf(call.getAttachment(CommonConstants.PATH_KEY)),
                call.getAttachment(CommonConstants.GROUP_KEY),
                call.getAttachment(CommonConstants.VERSION_KEY));
    }

    /** Finds no service to choose a thread: Dubbo would keep every name that it is asked for. */
    @Override
    protected void fillInvoker(DubboProtocol protocol) {
        // it chooses by the unique name, too, which it looks up
    }

    /** Forgets the facts, which the decoder would keep next to what it reads. */
    @Override
    public void decode() throws Exception {
        if (!hasDecoded) {
            setObjectAttachments(new HashMap<>());
        }
        super.decode();
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.dubbo;

import io.highway.sdk.dubbo.internal.connection.channel.GatewayTransport;
import io.highway.sdk.dubbo.internal.connection.channel.GatewayTransports;
import io.highway.sdk.dubbo.internal.connection.channel.IslandTraffic;
import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.highway.sdk.dubbo.internal.limits.BytesInFlight;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.io.Bytes;
import org.apache.dubbo.common.serialize.ObjectOutput;
import org.apache.dubbo.remoting.Channel;
import org.apache.dubbo.remoting.buffer.ChannelBuffer;
import org.apache.dubbo.remoting.exchange.Request;
import org.apache.dubbo.remoting.exchange.Response;
import org.apache.dubbo.remoting.exchange.support.DefaultFuture;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.protocol.dubbo.CallbackServiceCodec;
import org.apache.dubbo.rpc.protocol.dubbo.DecodeableRpcResult;
import org.apache.dubbo.rpc.protocol.dubbo.DubboCodec;
import org.jspecify.annotations.Nullable;

/**
 * Dubbo's codec with additions. It writes requests without repeated attachments. It counts the
 * {@link BytesInFlight} on the calling thread, and the {@link IslandTraffic}. It reads the errors of
 * Envoy: {@code dubbo_proxy} (1.40, {@code AppException::encode}) writes a zero before the text, as before an exception
 * of the service, and Dubbo alone reads "0". It keeps the name and text of service exceptions whose class is missing
 * here.
 */
public final class GatewayCodec extends DubboCodec {

    /** The extension's name, as a URL's {@code codec} parameter. */
    public static final String NAME = "highway";

    private static final String TRANSPORT = "highway-transport";

    private static final int STATUS = 3;
    private static final int FLAGS = 2;
    private static final int ID = 4;
    private static final int LENGTH = 12;
    private static final int HESSIAN_ZERO = 0x90;

    private final CallbackServiceCodec callbacks;

    /** Called by Dubbo. */
    public GatewayCodec(FrameworkModel framework) {
        super(framework);
        this.callbacks = new CallbackServiceCodec(framework);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // it only counts
    public void encode(Channel channel, ChannelBuffer buffer, Object message) throws IOException {
        GatewayTransport transport =
                message instanceof Request request && !request.isEvent() ? transport(channel) : null;
        if (transport == null) {
            super.encode(channel, buffer, message);
            return;
        }
        BytesInFlight counter = transport.bytesInFlight();
        counter.requireCapacity();
        int before = buffer.writerIndex();
        super.encode(channel, buffer, message);
        int bytes = buffer.writerIndex() - before;
        AttemptEvidence evidence = AttemptEvidence.ofMessage(message);
        IslandTraffic.Bytes traffic = traffic(transport, evidence);
        if (traffic != null) {
            traffic.addSent(bytes);
        }
        DefaultFuture call = DefaultFuture.getFuture(((Request) message).getId());
        if (call != null) { // otherwise no call waits for it
            if (evidence != null) {
                evidence.measured(bytes);
            }
            counter.enter(bytes);
            call.whenComplete((answer, failure) -> counter.leave(bytes));
        }
    }

    /**
     * As Dubbo's, without the attachments that the first fields repeat: providers set {@code path} and {@code version} from
     * these fields ({@code DecodeableRpcInvocation#decode}), and read no {@code interface}.
     */
    @Override
    protected void encodeRequestData(Channel channel, ObjectOutput out, Object data, String version)
            throws IOException {
        RpcInvocation call = (RpcInvocation) data;
        Invocation named = call;
        String service =
                named.getAttachment(CommonConstants.INTERFACE_KEY, named.getAttachment(CommonConstants.PATH_KEY));
        String serviceVersion = named.getAttachment(CommonConstants.VERSION_KEY);
        out.writeUTF(version);
        out.writeUTF(service);
        out.writeUTF(serviceVersion);
        out.writeUTF(call.getMethodName());
        out.writeUTF(call.getParameterTypesDesc());
        Object[] arguments = call.getArguments();
        for (int i = 0; arguments != null && i < arguments.length; i++) {
            out.writeObject(callbacks.encodeInvocationArgument(channel, call, i));
        }
        Map<String, Object> attachments = new HashMap<>(call.getObjectAttachments());
        attachments.remove(CommonConstants.VERSION_KEY, serviceVersion);
        attachments.remove(CommonConstants.INTERFACE_KEY, service);
        attachments.remove(CommonConstants.PATH_KEY, service);
        out.writeAttachments(attachments);
    }

    /** Null if the address is no longer in use. */
    private static @Nullable GatewayTransport transport(Channel channel) {
        Object known = channel.getAttribute(TRANSPORT);
        if (known != null) {
            return (GatewayTransport) known;
        }
        GatewayTransport transport =
                GatewayTransports.of(channel.getUrl()).get(channel.getUrl().getProtocol(), channel.getUrl());
        if (transport != null) {
            channel.setAttribute(TRANSPORT, transport);
        }
        return transport;
    }

    /** The bytes of the island that an attempt is for; null if they are not counted. */
    private static IslandTraffic.@Nullable Bytes traffic(
            GatewayTransport transport, @Nullable AttemptEvidence evidence) {
        return evidence == null ? null : transport.traffic().of(evidence.island());
    }

    /** Counts an answer that a call waits for. */
    private static void count(Channel channel, byte[] header) {
        GatewayTransport transport = transport(channel);
        if (transport == null || !transport.traffic().isCounted()) {
            return;
        }
        DefaultFuture call = DefaultFuture.getFuture(Bytes.bytes2long(header, ID));
        IslandTraffic.Bytes traffic =
                call == null ? null : traffic(transport, AttemptEvidence.ofMessage(call.getRequest()));
        if (traffic != null) {
            traffic.addReceived(HEADER_LENGTH + Bytes.bytes2int(header, LENGTH));
        }
    }

    @Override
    protected Object decodeBody(Channel channel, InputStream body, byte[] header) throws IOException {
        boolean isAnswer = (header[FLAGS] & (FLAG_REQUEST | FLAG_EVENT)) == 0;
        if (isAnswer) {
            count(channel, header);
        }
        boolean isError = isAnswer && header[STATUS] != Response.OK;
        if (isError && body.markSupported()) {
            body.mark(1);
            if (body.read() != HESSIAN_ZERO) { // no text begins with another byte
                body.reset();
            }
        }
        byte[] exception = isAnswer && !isError ? exceptionIn(body) : null;
        Object decoded = super.decodeBody(channel, body, header);
        if (exception != null
                && decoded instanceof Response response
                && response.getResult() instanceof DecodeableRpcResult) {
            Invocation call =
                    getRequestData(channel, response, response.getId()) instanceof Invocation known ? known : null;
            response.setResult(new ExceptionResult(
                    channel, response, exception, call, (byte) (header[FLAGS] & SERIALIZATION_MASK)));
        }
        return decoded;
    }

    /** The body of an answer that is an exception of the service, in case it must be read again; otherwise null. */
    private static byte @Nullable [] exceptionIn(InputStream body) throws IOException {
        if (!body.markSupported()) {
            return null;
        }
        body.mark(Integer.MAX_VALUE);
        try {
            int flag = body.read() - HESSIAN_ZERO;
            if (flag != RESPONSE_WITH_EXCEPTION && flag != RESPONSE_WITH_EXCEPTION_WITH_ATTACHMENTS) {
                return null;
            }
            body.reset();
            return body.readAllBytes();
        } finally {
            body.reset();
        }
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.http;

import io.highway.sdk.dubbo.internal.compression.CompressedFrames;
import io.highway.sdk.dubbo.internal.connection.dubbo.DubboFrame;
import io.highway.sdk.dubbo.internal.connection.dubbo.GatewayCodec;
import io.highway.sdk.dubbo.internal.evidence.Statements;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.apache.dubbo.remoting.Channel;
import org.apache.dubbo.remoting.ChannelHandler;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.exchange.Response;
import org.apache.dubbo.remoting.transport.netty4.NettyBackedChannelBuffer;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/** Reads answers, and passes them on as a Dubbo connection would. Thread-safe. */
final class HttpAnswers {

    private final Channel client;
    private final ChannelHandler handler;
    private final GatewayCodec codec;

    HttpAnswers(Channel client, ChannelHandler handler) {
        this.client = client;
        this.handler = handler;
        this.codec = new GatewayCodec(client.getUrl().getOrDefaultFrameworkModel());
    }

    /**
     * Passes an answer on.
     *
     * @param unproven runs before that, on any thread, if the answer does not name the call; one to a call without an
     *     answer cannot name it, and must only be what a provider says to such a call
     */
    void received(HttpCall call, FullHttpResponse answer, Runnable unproven) {
        if (!call.isAwaited()) {
            if (!isAcceptance(answer)) {
                unproven.run();
            }
            return;
        }
        long id = call.id();
        Response made = made(id, answer);
        String encoding = answer.headers().get(HttpWire.ENCODING);
        if (made != null) {
            unproven.run();
            pass(call, () -> made, unproven);
            return;
        }
        call.answered(answer.headers().get(HttpWire.ACCEPT_ENCODING));
        if (encoding == null) {
            pass(call, () -> decode(id, answer.content(), unproven), unproven);
        } else {
            inflate(call, encoding, ByteBufUtil.getBytes(answer.content()), unproven);
        }
    }

    private static boolean isAcceptance(FullHttpResponse answer) {
        return answer.status().equals(HttpResponseStatus.OK)
                && !answer.content().isReadable()
                && !answer.headers().contains(HttpWire.NOT_FORWARDED)
                && !answer.headers().contains(Statements.REFUSED);
    }

    /** Not on the event loop, which other calls need. */
    private void inflate(HttpCall call, String encoding, byte[] body, Runnable unproven) {
        FrameworkModel framework = client.getUrl().getOrDefaultFrameworkModel();
        try {
            call.execute(() -> pass(
                    call,
                    () -> decode(
                            call.id(),
                            Unpooled.wrappedBuffer(CompressedFrames.inflate(encoding, body, framework)),
                            unproven),
                    unproven));
        } catch (RejectedExecutionException e) { // the caller no longer waits
            unproven.run();
            call.end();
        }
    }

    private interface Decoding {

        Object decode() throws IOException;
    }

    private void pass(HttpCall call, Decoding answer, Runnable unproven) {
        if (client.getUrl().getOrDefaultApplicationModel().isDestroyed()) { // calls in flight go on, and Dubbo does not
            call.end();
            return;
        }
        try {
            handler.received(client, answer.decode());
        } catch (RemotingException | IOException | RuntimeException e) {
            unproven.run();
            call.end();
        }
    }

    /** The answer if it is no frame: what a Dubbo server would write in its place; else null. */
    private static @Nullable Response made(long id, FullHttpResponse answer) {
        HttpHeaders headers = answer.headers();
        for (String name : List.of(HttpWire.NOT_FORWARDED, Statements.REFUSED)) {
            if (headers.getAll(name).size() > 1) {
                return error(id, Response.SERVER_ERROR, Statements.HTTP_ANSWER + answer.status() + " with two " + name);
            }
        }
        String notForwarded = headers.get(HttpWire.NOT_FORWARDED);
        if (notForwarded != null) {
            return error(id, Response.SERVICE_ERROR, Statements.NOT_FORWARDED_MESSAGE + " " + notForwarded);
        }
        boolean isOk = answer.status().equals(HttpResponseStatus.OK);
        String refused = headers.get(Statements.REFUSED);
        if (isOk && refused != null) {
            return refused(id, refused);
        }
        String type = headers.get(HttpHeaderNames.CONTENT_TYPE, "");
        return isOk && HttpWire.isFrame(type)
                ? null
                : error(id, Response.SERVER_ERROR, Statements.HTTP_ANSWER + answer.status() + " " + type);
    }

    private Object decode(long id, ByteBuf body, Runnable unproven) throws IOException {
        if (DubboFrame.isWhole(body, false) && DubboFrame.id(body, body.readerIndex()) == id) {
            return codec.decode(client, new NettyBackedChannelBuffer(body));
        }
        unproven.run();
        return error(
                id,
                Response.SERVER_ERROR,
                Statements.HTTP_ANSWER + "200 with " + body.readableBytes()
                        + " bytes that are not the answer to this call");
    }

    private static Response refused(long id, String refused) {
        String reason = refused.substring(refused.indexOf(';') + 1).trim();
        if (reason.startsWith(Statements.REPEATED) || reason.startsWith(Statements.REPLAYED)) {
            return error(
                    id,
                    Response.SERVER_ERROR,
                    Statements.HTTP_ANSWER + "200, " + reason + ": a gateway has sent the call more than once");
        }
        AppResponse response = new AppResponse(new RpcException(RpcException.FORBIDDEN_EXCEPTION, reason));
        response.setAttachment(Statements.REFUSED, refused);
        Response answer = new Response(id);
        answer.setResult(response);
        return answer;
    }

    private static Response error(long id, byte status, String text) {
        Response answer = new Response(id);
        answer.setStatus(status);
        answer.setErrorMessage(text);
        return answer;
    }
}

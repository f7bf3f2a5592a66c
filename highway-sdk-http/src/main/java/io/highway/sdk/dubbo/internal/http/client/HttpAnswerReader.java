// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.http.client;

import io.highway.sdk.dubbo.internal.evidence.NotSentStatements;
import io.highway.sdk.dubbo.internal.http.HttpWire;
import io.highway.sdk.dubbo.internal.network.compression.GrpcMessageCompression;
import io.highway.sdk.dubbo.internal.network.compression.InflatedMessage;
import io.highway.sdk.dubbo.internal.network.compression.UnreadableAnswerException;
import io.highway.sdk.dubbo.internal.network.frame.FrameCall;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import org.apache.dubbo.remoting.exchange.Response;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.StatusRpcException;
import org.apache.dubbo.rpc.TriRpcStatus;

/** Reads what an answer of HTTP/1.1 says of its call: the frame in it, or a gateway's failure. Thread-safe. */
final class HttpAnswerReader {

    private HttpAnswerReader() {}

    /**
     * Gives an answer to its call.
     *
     * @param counted counts its bytes
     * @param unproven runs before that, on any thread, if the answer does not name the call; one to a call without an
     *     answer cannot name it, and must only be what a provider says to such a call
     */
    static void received(FrameCall call, FullHttpResponse answer, AnswerMemory counted, Runnable unproven) {
        if (!call.request().isTwoWay()) {
            if (!isAcceptance(answer)) {
                unproven.run();
            }
            call.answered(AppResponse::new);
            return;
        }
        HttpHeaders headers = answer.headers();
        HttpResponseStatus status = answer.status();
        if (!isFrame(answer)) {
            unproven.run();
            call.answered(() -> read(call, status, headers));
            return;
        }
        call.learn(headers.get(HttpWire.ACCEPT_ENCODING));
        byte[] body = ByteBufUtil.getBytes(answer.content());
        String encoding = headers.get(HttpWire.ENCODING);
        call.answered(
                () -> encoding == null ? read(call, body, unproven) : read(call, encoding, body, unproven),
                counted.takeMemory());
    }

    private static AppResponse read(FrameCall call, byte[] frame, Runnable unproven) throws Exception {
        if (!call.isAnswer(Unpooled.wrappedBuffer(frame))) {
            unproven.run();
            throw call.error(
                    Response.SERVER_ERROR,
                    NotSentStatements.HTTP_ANSWER + "200 with " + frame.length
                            + " bytes that are not the answer to this call");
        }
        return call.read(frame);
    }

    private static boolean isAcceptance(FullHttpResponse answer) {
        return isOfProvider(answer) && !answer.content().isReadable();
    }

    private static boolean isFrame(FullHttpResponse answer) {
        return isOfProvider(answer) && HttpWire.isFrame(answer.headers().get(HttpHeaderNames.CONTENT_TYPE));
    }

    /** Whether it states nothing in place of a provider's answer. */
    private static boolean isOfProvider(FullHttpResponse answer) {
        return answer.status().equals(HttpResponseStatus.OK)
                && !answer.headers().contains(HttpWire.NOT_FORWARDED)
                && !answer.headers().contains(NotSentStatements.REFUSED);
    }

    private static AppResponse read(FrameCall call, String encoding, byte[] body, Runnable unproven) throws Exception {
        GrpcMessageCompression known =
                GrpcMessageCompression.of(call.url().getParameter(GrpcMessageCompression.KEY), call.url());
        try (InflatedMessage frame = inflated(known, call, encoding, body, unproven)) {
            return read(call, frame.bytes(), unproven);
        }
    }

    private static InflatedMessage inflated(
            GrpcMessageCompression known, FrameCall call, String encoding, byte[] body, Runnable unproven)
            throws UnreadableAnswerException {
        try {
            return known.inflate(encoding, body, call.time().left());
        } catch (UnreadableAnswerException e) {
            if (!isRefusedHere(e)) {
                unproven.run();
            }
            throw e;
        }
    }

    /** Whether a limit of this process was met, which says nothing about the answer. */
    private static boolean isRefusedHere(UnreadableAnswerException problem) {
        return problem.isForMemory()
                || (problem.getCause() instanceof StatusRpcException tooLarge
                        && tooLarge.getStatus().code == TriRpcStatus.Code.RESOURCE_EXHAUSTED);
    }

    /** An answer that is no frame: what a Dubbo server would write in its place. */
    private static AppResponse read(FrameCall call, HttpResponseStatus status, HttpHeaders headers) throws Exception {
        for (String name : List.of(HttpWire.NOT_FORWARDED, NotSentStatements.REFUSED)) {
            if (headers.getAll(name).size() > 1) {
                throw call.error(Response.SERVER_ERROR, NotSentStatements.HTTP_ANSWER + status + " with two " + name);
            }
        }
        String notForwarded = headers.get(HttpWire.NOT_FORWARDED);
        if (notForwarded != null) {
            throw call.error(Response.SERVICE_ERROR, NotSentStatements.NOT_FORWARDED_MESSAGE + " " + notForwarded);
        }
        String refused = headers.get(NotSentStatements.REFUSED);
        if (refused == null || !status.equals(HttpResponseStatus.OK)) {
            throw call.error(
                    Response.SERVER_ERROR,
                    NotSentStatements.HTTP_ANSWER + status + " " + headers.get(HttpHeaderNames.CONTENT_TYPE, ""));
        }
        String reason = refused.substring(refused.indexOf(';') + 1).trim();
        if (reason.startsWith(NotSentStatements.REPEATED) || reason.startsWith(NotSentStatements.REPLAYED)) {
            throw call.error(
                    Response.SERVER_ERROR,
                    NotSentStatements.HTTP_ANSWER + "200, " + reason + ": a gateway has sent the call more than once");
        }
        AppResponse response = new AppResponse(new RpcException(RpcException.FORBIDDEN_EXCEPTION, reason));
        response.setAttachment(NotSentStatements.REFUSED, refused);
        return call.state(response);
    }
}

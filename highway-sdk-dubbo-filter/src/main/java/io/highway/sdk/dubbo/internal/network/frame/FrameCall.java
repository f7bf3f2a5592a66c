// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.frame;

import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.highway.sdk.dubbo.internal.evidence.NotSentStatements;
import io.highway.sdk.dubbo.internal.network.connection.IslandTraffic;
import io.highway.sdk.dubbo.internal.network.connection.PendingCall;
import io.netty.buffer.ByteBuf;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.exchange.Response;
import org.apache.dubbo.rpc.AppResponse;
import org.jspecify.annotations.Nullable;

/** A call as a frame of the Dubbo protocol, over a connection of that or of HTTP/1.1. Thread-safe. */
public final class FrameCall extends PendingCall {

    private final QueuedFrame frame;
    private volatile Carrier carrier;

    /** The queue of a call, then the connection that carries it. */
    public interface Carrier {

        /** Writes a call as soon as possible. */
        void send(FrameCall call);

        /** The caller of this call no longer waits. */
        void abandon(FrameCall call);
    }

    /** Describes a call that begins now, and is to be queued there. */
    FrameCall(QueuedFrame frame, Carrier queue) {
        super(frame.url().getAddress(), frame.executor(), frame.evidence(), frame.timeoutMillis());
        this.frame = frame;
        this.carrier = queue;
    }

    /** The request. */
    public RequestFrame request() {
        return frame.request();
    }

    /** That of its invoker. */
    public URL url() {
        return frame.url();
    }

    /** What is written. */
    public EncodedFrame body() {
        return frame.body();
    }

    @Override
    protected void send() {
        carrier.send(this);
    }

    /** Called right before it is written to a connection; false if it has ended: it must not be written then. */
    public boolean begin(Carrier connection) {
        carrier = connection;
        boolean begins = begin();
        IslandTraffic.Bytes traffic = frame.traffic();
        if (begins && traffic != null) {
            traffic.addSent(frame.body().frameBytes());
        }
        return begins;
    }

    /** Whether a whole frame is its answer. */
    public boolean isAnswer(ByteBuf answer) {
        return frame.request().isAnswer(answer);
    }

    /** Reads its answer, a whole frame. */
    public AppResponse read(byte[] answer) throws Exception {
        IslandTraffic.Bytes traffic = frame.traffic();
        if (traffic != null) {
            traffic.addReceived(answer.length);
        }
        return AnswerFrameDecoder.read(answer, frame.request().call(), frame.url(), evidence());
    }

    /** The exception of an answer that is an error, of a Dubbo {@link Response}'s status. */
    public Exception error(byte status, String text) {
        return AnswerFrameDecoder.error(status, text, evidence());
    }

    /** Reads what an answer states about this call. */
    public AppResponse state(AppResponse answer) {
        AttemptEvidence known = evidence();
        if (known != null) {
            NotSentStatements.read(answer, known);
        }
        return answer;
    }

    /** A provider has answered, and reads these encodings. */
    public void learn(@Nullable String acceptedEncodings) {
        AttemptEvidence known = evidence();
        if (known != null) {
            known.answered(acceptedEncodings);
        }
    }

    @Override
    protected void release() {
        frame.body().bytes().release();
        carrier.abandon(this);
    }

    @Override
    protected void leave() {
        carrier.abandon(this);
    }
}

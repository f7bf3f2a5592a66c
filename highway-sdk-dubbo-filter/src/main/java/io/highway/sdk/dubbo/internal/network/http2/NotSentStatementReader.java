// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.http2;

import io.highway.sdk.dubbo.internal.evidence.AttemptEvidence;
import io.highway.sdk.dubbo.internal.evidence.NotSentStatements;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.util.List;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * Reads what an answer states about its call. A statement counts only in the form of docs/reference/wire-contract.md, "Proofs
 * that a call was not sent".
 */
final class NotSentStatementReader {

    private static final AsciiString ACCEPTED_ENCODINGS = AsciiString.cached("grpc-accept-encoding");
    private static final String NOT_FORWARDED = "highway-not-forwarded";
    private static final String OK = "0";
    private static final String UNAVAILABLE = "14";

    private NotSentStatementReader() {}

    /** Reads the first headers of an answer, which are no informational ones; no others count. */
    static void read(Http2Headers headers, boolean isEnd, AttemptEvidence evidence) {
        boolean isGrpc = AnswerHeaderReader.isGrpc(headers);
        if (!isGrpc) {
            if (is(headers.status(), "404")) {
                evidence.state(AttemptEvidence.Kind.NO_SUCH_SERVICE, "HTTP status 404");
            }
        } else if (isEnd && is(headers.status(), "200")) {
            readWhole(headers, evidence);
        }
        CharSequence accepted = headers.get(ACCEPTED_ENCODINGS);
        if (accepted != null || (isGrpc && !isGateways(headers, isEnd))) {
            evidence.answered(accepted);
        }
    }

    /** Whether a gateway may have written it itself, since it cannot reach the destination. */
    private static boolean isGateways(Http2Headers headers, boolean isEnd) {
        return isEnd && is(headers.get(AnswerHeaderReader.STATUS), UNAVAILABLE);
    }

    /** A response of one frame, which no service has started. */
    private static void readWhole(Http2Headers headers, AttemptEvidence evidence) {
        CharSequence status = headers.get(AnswerHeaderReader.STATUS);
        if (is(status, UNAVAILABLE)) {
            String reason = NotSentStatements.reasonFor(evidence, only(headers, NOT_FORWARDED));
            if (reason != null) {
                evidence.state(AttemptEvidence.Kind.NOT_FORWARDED, reason);
            }
        }
        String reason = status == null || is(status, OK)
                ? null
                : NotSentStatements.reasonFor(evidence, only(headers, NotSentStatements.REFUSED));
        if (reason != null && evidence.statement() == null) {
            NotSentStatements.refused(evidence, reason);
        }
    }

    /** The value of a field that occurs once: of two values, the origin of each is unknown. */
    private static @Nullable String only(Http2Headers headers, String name) {
        List<CharSequence> values = headers.getAll(name);
        try {
            return values.size() == 1 ? TriRpcStatus.decodeMessage(values.get(0).toString()) : null;
        } catch (IllegalArgumentException e) { // it is not encoded as it must be
            return null;
        }
    }

    private static boolean is(@Nullable CharSequence value, String expected) {
        return value != null && expected.contentEquals(value);
    }
}

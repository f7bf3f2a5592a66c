// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.http2;

import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.utils.ClassUtils;
import org.apache.dubbo.common.utils.JsonUtils;
import org.apache.dubbo.rpc.TriRpcStatus;
import org.jspecify.annotations.Nullable;

/** Reads the headers and trailers of answers as Dubbo's client ({@code AbstractTripleClientStream}) does. */
final class AnswerHeaderReader {

    /** Names of headers that are looked up for each call; their hash is computed once. */
    static final AsciiString CONTENT_TYPE = AsciiString.cached("content-type");

    static final AsciiString STATUS = AsciiString.cached("grpc-status");
    private static final AsciiString MESSAGE = AsciiString.cached("grpc-message");
    private static final AsciiString EXCEPTION = AsciiString.cached("tri-exception-code");
    private static final AsciiString CONVERTED = AsciiString.cached("tri-header-convert");
    private static final AsciiString DETAILS = AsciiString.cached("grpc-status-details-bin");
    private static final String BINARY = "-bin";

    /** Those of Triple itself, and what its servers never send as attachments. */
    private static final Set<String> NO_ATTACHMENTS = Set.of(
            ":status",
            "application",
            "content-type",
            "group",
            "grpc-accept-encoding",
            "grpc-encoding",
            "grpc-message",
            "grpc-status",
            "grpc-status-details-bin",
            "grpc-timeout",
            "http-status",
            "interface",
            "path",
            "remote.application",
            "serialization",
            "te",
            "tri-consumer-appname",
            "tri-exception-code",
            "tri-header-convert",
            "tri-service-group",
            "tri-service-timeout",
            "tri-service-version");

    private static final boolean HAS_PROTOBUF =
            ClassUtils.isPresent("com.google.protobuf.Message", AnswerHeaderReader.class.getClassLoader());

    /** {@code UNAUTHENTICATED}. */
    private static final int LAST_CODE = 16;

    private AnswerHeaderReader() {}

    /** Whether the answer itself follows (RFC 9110, section 15.2). */
    static boolean isInformational(Http2Headers headers) {
        CharSequence status = headers.status();
        return status != null && HttpStatusClass.valueOf(status) == HttpStatusClass.INFORMATIONAL;
    }

    /** Whether it has gRPC messages, or trailers. */
    static boolean isGrpc(Http2Headers headers) {
        CharSequence type = headers.get(CONTENT_TYPE);
        return type != null && type.toString().startsWith(HeaderDisposition.GRPC);
    }

    /** Whether its message is an exception of the service. */
    static boolean isException(@Nullable Http2Headers head) {
        CharSequence code = head == null ? null : head.get(EXCEPTION);
        return code != null
                && !String.valueOf(CommonConstants.TRI_EXCEPTION_CODE_NOT_EXISTS)
                        .contentEquals(code);
    }

    /**
     * How an answer has ended.
     *
     * @param head null if it has none but the trailers
     * @param trailers null if it has none
     */
    static TriRpcStatus status(@Nullable Http2Headers head, @Nullable Http2Headers trailers) {
        Http2Headers first = head != null ? head : trailers;
        if (first == null || !isGrpc(first)) {
            return noGrpc(first);
        }
        CharSequence code = trailers == null ? null : trailers.get(STATUS);
        if (trailers == null || code == null) {
            return TriRpcStatus.UNKNOWN.withDescription("missing GRPC status in response");
        }
        int known = number(code);
        TriRpcStatus status =
                TriRpcStatus.fromCode(known >= 0 && known <= LAST_CODE ? known : TriRpcStatus.Code.UNKNOWN.code);
        CharSequence message = trailers.get(MESSAGE);
        TriRpcStatus described = message == null ? status : status.withDescription(decoded(message));
        CharSequence details = trailers.get(DETAILS);
        try {
            return details == null || !HAS_PROTOBUF ? described : StatusDetails.describe(described, details);
        } catch (LinkageError e) { // of another version of protobuf
            return described;
        }
    }

    /** A text that is not encoded as it should be is taken as it is. */
    private static String decoded(CharSequence message) {
        try {
            return TriRpcStatus.decodeMessage(message.toString());
        } catch (IllegalArgumentException e) {
            return message.toString();
        }
    }

    private static TriRpcStatus noGrpc(@Nullable Http2Headers headers) {
        CharSequence http = headers == null ? null : headers.status();
        if (headers == null || http == null) {
            return TriRpcStatus.INTERNAL.withDescription("Missing HTTP status code");
        }
        return TriRpcStatus.fromCode(TriRpcStatus.httpStatusToGrpcCode(number(http)))
                .withDescription("HTTP status: " + http + ", invalid content-type: " + headers.get(CONTENT_TYPE));
    }

    /** One that is none is unknown to the caller, too. */
    private static int number(CharSequence text) {
        try {
            return Integer.parseInt(text.toString());
        } catch (NumberFormatException e) {
            return TriRpcStatus.Code.UNKNOWN.code;
        }
    }

    /** The attachments that trailers carry. */
    static Map<String, Object> attachments(@Nullable Http2Headers trailers) {
        if (trailers == null || trailers.size() <= 1) {
            return new HashMap<>(0);
        }
        Map<String, Object> all = new HashMap<>();
        for (Map.Entry<CharSequence, CharSequence> header : trailers) {
            String name = header.getKey().toString();
            if (NO_ATTACHMENTS.contains(name)) {
                continue;
            }
            String value = header.getValue().toString();
            byte[] bytes = name.endsWith(BINARY) && name.length() > BINARY.length() ? bytes(value) : null;
            if (bytes == null) {
                all.put(name, value);
            } else {
                all.put(name.substring(0, name.length() - BINARY.length()), bytes);
            }
        }
        rename(all, trailers.get(CONVERTED));
        return all;
    }

    private static byte @Nullable [] bytes(String value) {
        try {
            return Base64.getDecoder().decode(value);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Names with capitals, by those in lower case; a peer's text that is none changes nothing. */
    private static void rename(Map<String, Object> attachments, @Nullable CharSequence converted) {
        if (converted == null) {
            return;
        }
        Map<?, ?> names;
        try {
            names = JsonUtils.toJavaObject(TriRpcStatus.decodeMessage(converted.toString()), Map.class);
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            return;
        }
        if (names == null) {
            return;
        }
        names.forEach((lower, name) -> {
            Object value = attachments.remove(String.valueOf(lower));
            if (value != null) {
                attachments.put(String.valueOf(name), value);
            }
        });
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.http2;

import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.evidence.NotWrittenException;
import io.highway.sdk.dubbo.internal.limits.LogLimit;
import io.highway.sdk.internal.Texts;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what HTTP/2 cannot carry, see {@link HeaderDisposition}, out of the headers that Dubbo writes for calls to other islands
 * and for answers to them. One per process. Thread-safe.
 */
public final class HeaderSanitizer {

    /**
     * The limit of Dubbo's Triple servers, {@code max-header-list-size}, is 32768; the difference is for headers that
     * gateways add. A request with more closes the connection and ends all calls on it.
     */
    private static final int MOST_BYTES = 31 * 1024;

    /** RFC 9113, section 10.5.1. */
    private static final int OVERHEAD = 32;

    /** The names that are logged, each once. */
    private static final int MOST_NAMES = 16;

    private static final int SECONDS_BETWEEN_COUNTS = 60;
    private static final String OK = "200";
    private static final Logger log = LoggerFactory.getLogger(HeaderSanitizer.class);

    private final Set<String> names = ConcurrentHashMap.newKeySet();
    private final LogLimit others = new LogLimit(SECONDS_BETWEEN_COUNTS);

    /** Those of a framework. */
    public static HeaderSanitizer of(FrameworkModel framework) {
        return framework.getBeanFactory().getOrRegisterBean(HeaderSanitizer.class, type -> new HeaderSanitizer());
    }

    /** Leaves out of a request what a proxy would; returns why the rest cannot be sent, or null. */
    @Nullable
    NotWrittenException checkRequest(Http2Headers headers) {
        int bytes = 0;
        boolean isCarried = true;
        for (Map.Entry<CharSequence, CharSequence> each : headers) {
            CharSequence name = each.getKey();
            bytes += name.length() + each.getValue().length() + OVERHEAD;
            switch (HeaderDisposition.of(name, each.getValue())) {
                case CARRIED -> {}
                case LEFT_OUT -> isCarried = false;
                case ODD_VALUE -> {
                    return refused(
                            "the attachment " + shown(name) + " has a control character, and Triple carries it as"
                                    + " a header; encode its value, or send it as an argument");
                }
                case ODD_NAME -> {
                    return refused(
                            "the attachment " + shown(name) + " has a name that no header can have, as which Triple"
                                    + " carries it; rename it, or send it as an argument");
                }
            }
        }
        if (bytes > MOST_BYTES) {
            return new NotWrittenException(
                    Reason.TOO_LARGE,
                    "the request has headers of " + bytes + " bytes, with its attachments, and Triple carries "
                            + MOST_BYTES + "; send them as an argument");
        }
        if (!isCarried) {
            leaveOut(headers, "calls to other islands");
            headers.set(HeaderDisposition.TE, HeaderDisposition.TRAILERS);
            headers.set(HeaderDisposition.TYPE, HeaderDisposition.GRPC_PROTO);
        }
        return null;
    }

    private static NotWrittenException refused(String what) {
        return new NotWrittenException(Reason.NOT_TUNNELLABLE, what);
    }

    /** Leaves out of the headers or trailers of a gRPC answer what cannot be carried. */
    public void checkAnswer(Http2Headers headers) {
        CharSequence status = headers.status();
        boolean isPage = status != null && !OK.contentEquals(status);
        if (isPage || isCarried(headers)) {
            return;
        }
        leaveOut(headers, "answers to other islands");
        if (status != null) {
            headers.set(HeaderDisposition.TYPE, HeaderDisposition.GRPC_PROTO);
        }
    }

    private static boolean isCarried(Http2Headers headers) {
        for (Map.Entry<CharSequence, CharSequence> each : headers) {
            if (HeaderDisposition.of(each.getKey(), each.getValue()) != HeaderDisposition.CARRIED) {
                return false;
            }
        }
        return true;
    }

    private void leaveOut(Http2Headers headers, String where) {
        for (CharSequence name : List.copyOf(headers.names())) {
            boolean isCarried = headers.getAll(name).stream()
                    .allMatch(value -> HeaderDisposition.of(name, value) == HeaderDisposition.CARRIED);
            if (!isCarried) {
                headers.remove(name);
                warn(shown(name), where);
            }
        }
    }

    private void warn(String name, String where) {
        if (names.contains(name)) {
            return;
        }
        boolean isNamed = names.size() < MOST_NAMES && names.add(name);
        String line = "highway: an attachment is left out over Triple, since HTTP/2 cannot carry it, of " + where;
        if (isNamed) {
            log.warn(line + ": " + name + " (logged once)");
        } else {
            others.warn(log, line);
        }
    }

    private static String shown(CharSequence name) {
        return '"' + Texts.printable(name.toString()) + '"';
    }
}

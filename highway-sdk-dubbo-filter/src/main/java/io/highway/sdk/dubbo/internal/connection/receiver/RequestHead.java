// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.receiver;

import io.highway.sdk.dubbo.internal.connection.http.HttpWire;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The request line and the headers of a request, read without any leniency of RFC 9112: where two readers could disagree
 * about a request, one behind the other would execute what the first took for a body.
 *
 * @param headers by their names in lower case
 */
record RequestHead(String method, String target, boolean isHttp10, Map<String, List<String>> headers) {

    private static final String HEALTH = HttpWire.PREFIX.substring(0, HttpWire.PREFIX.length() - 1);

    private static final int LONGEST_METHOD = 16;
    private static final int MOST_HEADERS = 128;

    /** The request line, and the two that are empty behind the headers. */
    private static final int OTHER_LINES = 3;

    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
    private static final Pattern REQUEST_LINE = Pattern.compile("(" + TOKEN + ") ([!-~]+) HTTP/1\\.([01])");
    private static final Pattern NAME = Pattern.compile(TOKEN);
    private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");

    /** Whom a request is for. */
    enum Kind {
        /** The path is below {@code /highway}, or the request line begins with no method of Dubbo's: it is refused. */
        OURS,
        DUBBOS,
        UNKNOWN_YET
    }

    /** By the first bytes of a request. */
    static Kind kind(ByteBuf request) {
        int start = request.readerIndex();
        int first = request.readableBytes();
        int space = request.bytesBefore(Math.min(first, LONGEST_METHOD), (byte) ' ');
        if (space < 0) {
            return first >= LONGEST_METHOD || request.bytesBefore((byte) '\n') >= 0 ? Kind.OURS : Kind.UNKNOWN_YET;
        }
        for (int i = 0; i <= HEALTH.length(); i++) {
            int at = start + space + 1 + i;
            if (at >= request.writerIndex()) {
                return Kind.UNKNOWN_YET;
            }
            byte next = request.getByte(at);
            if (i < HEALTH.length() ? next != HEALTH.charAt(i) : "/? \t\r\n".indexOf(next) < 0) {
                return Kind.DUBBOS;
            }
        }
        return Kind.OURS;
    }

    /** Reads a head, whose lines end with CR and LF. */
    static RequestHead parse(ByteBuf bytes, int length) throws MalformedRequestException {
        String[] lines = bytes.toString(bytes.readerIndex(), length, StandardCharsets.ISO_8859_1)
                .split("\r\n", MOST_HEADERS + OTHER_LINES + 1);
        Matcher first = REQUEST_LINE.matcher(lines[0]);
        if (!first.matches()) {
            throw new MalformedRequestException("its request line is malformed");
        }
        if (lines.length > MOST_HEADERS + OTHER_LINES) {
            throw new MalformedRequestException("it has more than " + MOST_HEADERS + " headers");
        }
        Map<String, List<String>> headers = new HashMap<>();
        for (int i = 1; i < lines.length - 2; i++) {
            int colon = lines[i].indexOf(':');
            if (colon < 0 || !NAME.matcher(lines[i].substring(0, colon)).matches()) {
                throw new MalformedRequestException("a header line has no name of a header");
            }
            String value = lines[i].substring(colon + 1);
            if (value.chars().anyMatch(c -> (c < ' ' && c != '\t') || c == 0x7f)) {
                throw new MalformedRequestException("a header has a control character");
            }
            headers.computeIfAbsent(lines[i].substring(0, colon).toLowerCase(Locale.ROOT), any -> new ArrayList<>(1))
                    .add(value.strip());
        }
        return new RequestHead(first.group(1), first.group(2), first.group(3).equals("0"), headers);
    }

    /** The value of a header, or null if it is absent. */
    @Nullable
    String header(String name) throws MalformedRequestException {
        List<String> values = headers.get(name);
        if (values == null) {
            return null;
        }
        if (values.size() > 1) {
            throw new MalformedRequestException("it has " + name + " twice");
        }
        return values.get(0);
    }

    /** Whether a list of tokens has one, in lower case. */
    boolean has(String name, String token) {
        for (String value : headers.getOrDefault(name, List.of())) {
            for (String each : value.split(",", -1)) {
                if (each.strip().toLowerCase(Locale.ROOT).equals(token)) {
                    return true;
                }
            }
        }
        return false;
    }

    boolean isHealthCheck() {
        return (method.equals("GET") || method.equals("HEAD")) && target.equals(HEALTH);
    }

    /** Whether the peer waits for an interim answer before it sends the body. */
    boolean expectsContinue() throws MalformedRequestException {
        String expected = header("expect");
        if (expected != null && !expected.equalsIgnoreCase("100-continue")) {
            throw new MalformedRequestException("it expects something else than 100-continue");
        }
        return expected != null && !isHttp10;
    }

    boolean isPersistent() {
        return isHttp10 ? has("connection", "keep-alive") : !has("connection", "close");
    }

    /** How its body is delimited. */
    BodyFraming framing() throws MalformedRequestException {
        String length = header("content-length");
        String encoding = header("transfer-encoding");
        if (encoding != null) {
            if (length != null) {
                throw new MalformedRequestException("it has content-length and transfer-encoding");
            }
            if (isHttp10 || !encoding.equalsIgnoreCase("chunked")) {
                throw new MalformedRequestException("its transfer-encoding is not chunked, of HTTP/1.1");
            }
            return BodyFraming.chunked();
        }
        if (length != null && !LENGTH.matcher(length).matches()) {
            throw new MalformedRequestException("its content-length is malformed");
        }
        return BodyFraming.of(length == null ? 0 : Long.parseLong(length));
    }
}

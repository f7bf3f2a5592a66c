// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.channel;

import io.highway.sdk.dubbo.TunnelKind;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Detects the protocol of a gateway from its first bytes on a new connection. One thread writes to it. */
final class FirstBytes {

    static final int NEEDED = 4;

    /** A two-way event without data, as Dubbo's heartbeat is: every Dubbo server answers it. */
    static final byte[] DUBBO_HELLO = HexFormat.of().parseHex("dabbe200" + "0000000000000001" + "00000001" + "4e");

    /** Any answer to it proves that the gateway speaks HTTP. */
    static final String HTTP_HELLO = "/highway";

    private static final AttributeKey<FirstBytes> KEY = AttributeKey.valueOf("highway.first-bytes");
    private static final int DUBBO_0 = 0xda;
    private static final int DUBBO_1 = 0xbb;
    private static final int TLS_ALERT = 0x15;
    private static final int TLS_HANDSHAKE = 0x16;
    private static final int TLS_MAJOR = 0x03;
    private static final int HTTP2_SETTINGS = 4;
    private static final int HTTP2_TYPE = 3;
    private static final String TLS_KEYS = "; set highway.gateways.tls.trust-certificates, or name a port without TLS";

    /** The minimum wait for an answer, even if connecting and the handshake have used up the time. */
    private static final int LEAST_MILLIS = 200;

    private final TunnelKind kind;
    private final long begunNanos = System.nanoTime();
    private final byte[] bytes = new byte[NEEDED];
    private int count;
    private boolean right;

    /** Completes with the problem, or with "" if there is none. */
    private final CompletableFuture<String> verdict = new CompletableFuture<>();

    FirstBytes(TunnelKind kind) {
        this.kind = kind;
    }

    /** Those of a new connection. */
    static FirstBytes of(Channel connection, TunnelKind kind) {
        FirstBytes first = new FirstBytes(kind);
        connection.attr(KEY).set(first);
        return first;
    }

    /** Those of a connection, or null if the SDK has not opened it. */
    static @Nullable FirstBytes of(Channel connection) {
        return connection.attr(KEY).get();
    }

    /** Inspects received bytes without consuming them. */
    void read(Object message) {
        if (count < NEEDED && message instanceof ByteBuf buffer) {
            int more = Math.min(NEEDED - count, buffer.readableBytes());
            buffer.getBytes(buffer.readerIndex(), bytes, count, more);
            count += more;
            if (count == NEEDED) {
                String problem = problem();
                right = problem.isEmpty();
                boolean unused = verdict.complete(problem);
            }
        }
    }

    /** The connection is closed. */
    void closed() {
        boolean unused = verdict.complete("the gateway closed the connection without an answer: it expects TLS"
                + " (highway.gateways.tls.*), or nothing is behind it");
    }

    /** Whether the peer has answered in the right protocol. */
    boolean isRightProtocol() {
        return right;
    }

    /** Whether the peer has answered in another protocol. */
    boolean isOtherProtocol() {
        return count == NEEDED && !right;
    }

    /**
     * Waits for the first answer.
     *
     * @param connectMillis time limit, counted from the start of connecting
     * @return the problem, or null if there is none
     */
    @Nullable
    String await(int connectMillis) {
        long gone = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos);
        long millis = Math.max(LEAST_MILLIS, connectMillis - gone);
        try {
            String known = verdict.get(millis, TimeUnit.MILLISECONDS);
            return known.isEmpty() ? null : known;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted while connecting";
        } catch (ExecutionException | TimeoutException e) {
            return "the gateway accepted the connection and has not answered " + answerOf(kind) + " within "
                    + connectMillis + " ms";
        }
    }

    private static String answerOf(TunnelKind kind) {
        return switch (kind) {
            case DUBBO -> "a Dubbo heartbeat";
            case TRIPLE -> "with HTTP/2 settings";
            case HTTP -> "a GET of /highway";
        };
    }

    private int unsigned(int index) {
        return bytes[index] & 0xff;
    }

    private boolean isDubbo() {
        return unsigned(0) == DUBBO_0 && unsigned(1) == DUBBO_1;
    }

    private boolean isHttp2() {
        return unsigned(0) == 0 && unsigned(HTTP2_TYPE) == HTTP2_SETTINGS;
    }

    private boolean isHttp1() {
        return new String(bytes, StandardCharsets.US_ASCII).equals("HTTP");
    }

    /** The protocol that the gateway must speak, in words. */
    String wanted() {
        return switch (kind) {
            case DUBBO -> "the Dubbo protocol";
            case TRIPLE -> "HTTP/2";
            case HTTP -> "HTTP/1.1";
        };
    }

    private boolean isRight() {
        return switch (kind) {
            case DUBBO -> isDubbo();
            case TRIPLE -> isHttp2();
            case HTTP -> isHttp1();
        };
    }

    private String problem() {
        if (isRight()) {
            return "";
        }
        String wanted = wanted();
        if ((unsigned(0) == TLS_ALERT || unsigned(0) == TLS_HANDSHAKE) && unsigned(1) == TLS_MAJOR) {
            return "the gateway expects TLS" + TLS_KEYS;
        }
        if (isDubbo()) {
            return "the gateway speaks the Dubbo protocol there, not " + wanted + "; look at highway.gateways.triple";
        }
        if (isHttp2()) {
            return "the gateway speaks HTTP/2 there, not " + wanted + "; look at highway.gateways.dubbo";
        }
        if (isHttp1()) {
            return "the gateway answers in HTTP/1, not in " + wanted + "; or it expects TLS" + TLS_KEYS;
        }
        return "the gateway does not speak " + wanted + ": its answer begins with "
                + HexFormat.ofDelimiter(" ").formatHex(bytes);
    }
}

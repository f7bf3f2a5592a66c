// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.connection;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Detects the protocol of a gateway from its first bytes on a new connection. One thread writes to it. */
final class GatewayProtocolDetector {

    private static final int TLS_ALERT = 0x15;
    private static final int TLS_HANDSHAKE = 0x16;
    private static final int TLS_MAJOR = 0x03;
    private static final String TLS_KEYS = "; set highway.gateways.tls.trust-certificates, or name a port without TLS";

    /** The minimum wait for an answer, even if connecting and the handshake have used up the time. */
    private static final int LEAST_MILLIS = 200;

    private final ConnectionPreface greeting;
    private final long begunNanos = System.nanoTime();
    private final byte[] bytes = new byte[ConnectionPreface.NEEDED];
    private int count;
    private boolean right;

    /** Completes with the problem, or with "" if there is none. */
    private final CompletableFuture<String> verdict = new CompletableFuture<>();

    GatewayProtocolDetector(ConnectionPreface greeting) {
        this.greeting = greeting;
    }

    /** Inspects received bytes without consuming them. */
    void read(Object message) {
        if (count < ConnectionPreface.NEEDED && message instanceof ByteBuf buffer) {
            int more = Math.min(ConnectionPreface.NEEDED - count, buffer.readableBytes());
            buffer.getBytes(buffer.readerIndex(), bytes, count, more);
            count += more;
            if (count == ConnectionPreface.NEEDED) {
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
        return count == ConnectionPreface.NEEDED && !right;
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
            return "the gateway accepted the connection and has not answered " + greeting.wanted() + " within "
                    + connectMillis + " ms";
        }
    }

    private int unsigned(int index) {
        return bytes[index] & 0xff;
    }

    private String problem() {
        if (greeting.isAnswer(bytes)) {
            return "";
        }
        String wanted = greeting.protocol();
        if ((unsigned(0) == TLS_ALERT || unsigned(0) == TLS_HANDSHAKE) && unsigned(1) == TLS_MAJOR) {
            return "the gateway expects TLS" + TLS_KEYS;
        }
        if (ConnectionPreface.HTTP1.isAnswer(bytes)) {
            return "the gateway answers in HTTP/1, not in " + wanted + "; or it expects TLS" + TLS_KEYS;
        }
        for (ConnectionPreface other : ConnectionPreface.values()) {
            if (other.isAnswer(bytes)) {
                return "the gateway speaks " + other.protocol() + " there, not " + wanted + "; look at "
                        + greeting.key();
            }
        }
        return "the gateway does not speak " + wanted + ": its answer begins with " + shown();
    }

    private String shown() {
        String text = new String(bytes, StandardCharsets.US_ASCII);
        return text.chars().allMatch(c -> c >= ' ' && c <= '~')
                ? '"' + text + '"'
                : HexFormat.ofDelimiter(" ").formatHex(bytes);
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.signature;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/**
 * The requests over HTTP/1.1 that this process has accepted in the last two minutes: gateways and clients may send one
 * again. A signed request is identified by its nonce, which the guard verifies afterwards, and another one by its call id.
 * Thread-safe.
 */
public final class SeenRequests {

    private static final Logger log = LoggerFactory.getLogger(SeenRequests.class);

    private static final int MOST = 1_000_000;
    private static final int MOST_PEERS = 1_000;
    private static final long LOG_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final Pattern CALL_ID = Pattern.compile("[0-9a-f]{32}");
    private static final int DIGITS_OF_A_LONG = 16;

    private final NonceCache seen = new NonceCache(MOST, System::nanoTime);

    /** When the last line about a peer was logged. */
    private final Map<String, Long> logged = new ConcurrentHashMap<>();

    /** Called by Dubbo's bean factory. */
    public SeenRequests() {}

    /** Those of a process. */
    public static SeenRequests of(FrameworkModel framework) {
        return framework.getBeanFactory().getOrRegisterBean(SeenRequests.class);
    }

    /**
     * Records a request, or says why it is refused. When there is no room, none is forgotten.
     *
     * @param sign its signature, or null
     * @param callId its call id, or null
     * @param peer who sent it, for the log
     */
    public @Nullable String refusal(@Nullable String sign, @Nullable String callId, String peer) {
        Long number = sign != null ? ofSignature(sign) : ofCallId(callId);
        if (number == null) {
            return "unidentified; it has neither a well-formed highway-sign nor a highway-call-id of 32 digits";
        }
        return switch (seen.add(number)) {
            case NEW -> null;
            case FULL -> "busy; more than " + MOST + " requests came in two minutes";
            case KNOWN -> {
                log(peer);
                yield sign != null ? "replayed" : "repeated";
            }
        };
    }

    private static @Nullable Long ofSignature(String sign) {
        SignatureText text = SignatureText.parse(sign);
        return text == null
                ? null
                : (Long) ByteBuffer.wrap(Base64.getUrlDecoder().decode(text.nonce()))
                        .getLong();
    }

    private static @Nullable Long ofCallId(@Nullable String id) {
        return id == null || !CALL_ID.matcher(id).matches()
                ? null
                : (Long) Long.parseUnsignedLong(id, 0, DIGITS_OF_A_LONG, 16);
    }

    private void log(String peer) {
        long now = System.nanoTime();
        if (logged.size() >= MOST_PEERS) {
            logged.values().removeIf(at -> now - at >= LOG_NANOS);
        }
        Long last = logged.get(peer);
        boolean isDue = last == null ? logged.size() < MOST_PEERS : now - last >= LOG_NANOS;
        if (isDue && (last == null ? logged.putIfAbsent(peer, now) == null : logged.replace(peer, last, now))) {
            log.warn("highway: " + peer + " sends HTTP/1.1 requests again, which are refused, since the first may have"
                    + " run; switch off its retries of POST");
        }
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.signature;

import io.highway.sdk.dubbo.internal.evidence.NotSentStatements;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;

/**
 * The requests over HTTP/1.1 that have run in this process in the last two minutes, or were refused as not run: gateways and
 * clients may send one again. A signed request is identified by its nonce, and another one by its call id. Thread-safe.
 */
public final class DuplicateRequestFilter {

    /** 8,000 in a second; processes of over 1 GB take more, one for each KiB of their heap. Each takes up to 32 bytes with heaps up to 32 GB. */
    private static final int MOST =
            (int) Math.min(Math.max(1_000_000, Runtime.getRuntime().maxMemory() / 1024), Integer.MAX_VALUE);

    private static final int SHARES = 8;
    private static final long KEY = new SecureRandom().nextLong();

    private static final Pattern CALL_ID = Pattern.compile("[0-9a-f]{32}");
    private static final int DIGITS_OF_A_LONG = 16;

    private final int most;
    private final ReplayCache seen;

    /** Called by Dubbo's bean factory. */
    public DuplicateRequestFilter() {
        this(MOST, System::nanoTime);
    }

    DuplicateRequestFilter(int most, LongSupplier nanos) {
        this.most = most;
        this.seen = new ReplayCache(most, nanos);
    }

    /** Those of a process. */
    public static DuplicateRequestFilter of(FrameworkModel framework) {
        return framework.getBeanFactory().getOrRegisterBean(DuplicateRequestFilter.class);
    }

    /**
     * What identifies a request.
     *
     * @param sign its signature, or null
     * @param callId its call id, or null
     * @return null if it has neither in its form
     */
    public static @Nullable Long id(@Nullable String sign, @Nullable String callId) {
        return sign != null ? ofSignature(sign) : ofCallId(callId);
    }

    /**
     * Records a request that is about to run, or returns why it is refused. When the store is full, none is removed; a copy may
     * find a free place and run. Once half of the places are taken, a peer has at most an eighth of them for unsigned
     * requests.
     *
     * @param stranger the peer, if no signature was verified
     */
    public @Nullable Verification refusal(long id, boolean isSigned, @Nullable InetAddress stranger) {
        if (stranger != null && seen.size() >= most / 2 && seen.size(stranger) >= most / SHARES) {
            return seen.contains(id) ? known(isSigned) : busy("of " + stranger.getHostAddress());
        }
        return switch (seen.addUntimed(id, stranger)) {
            case NEW -> null;
            case FULL -> busy("of all peers");
            case KNOWN -> known(isSigned);
        };
    }

    /** Why a copy of a request that was recorded is refused, or null; records nothing. */
    public @Nullable Verification refusalOfCopy(long id, boolean isSigned) {
        return seen.contains(id) ? known(isSigned) : null;
    }

    private static Verification busy(String whose) {
        return new Verification(
                NotSentStatements.BUSY,
                "too many HTTP/1.1 requests " + whose + " came in two minutes to tell copies from others",
                true,
                null);
    }

    private static Verification known(boolean isSigned) {
        return new Verification(
                word(isSigned),
                "the peer sends HTTP/1.1 requests again, and the first may have run; switch off its retries of POST",
                true,
                null);
    }

    private static String word(boolean isSigned) {
        return isSigned ? NotSentStatements.REPLAYED : NotSentStatements.REPEATED;
    }

    /** Of a request that the guard has not seen: the word if a copy of it may have run, else null. */
    public @Nullable String copy(@Nullable Long id, boolean isSigned) {
        return id != null && seen.contains(id) ? word(isSigned) : null;
    }

    /** As {@link #copy}, of a request that is refused: no copy of it runs from now on. */
    public @Nullable String refused(@Nullable Long id, boolean isSigned) {
        return id != null && seen.addUntimed(id, null) != ReplayCache.Answer.NEW ? word(isSigned) : null;
    }

    private static @Nullable Long ofSignature(String sign) {
        SignatureText text = SignatureText.parse(sign);
        return text == null
                ? null
                : (Long) mixed(ByteBuffer.wrap(Base64.getUrlDecoder().decode(text.nonce()))
                        .getLong());
    }

    private static @Nullable Long ofCallId(@Nullable String id) {
        return id == null || !CALL_ID.matcher(id).matches()
                ? null
                : (Long) mixed(Long.parseUnsignedLong(id, 0, DIGITS_OF_A_LONG, 16));
    }

    /** Another number for each: a peer that chooses ids cannot choose where the table looks for them. By SplitMix64. */
    private static long mixed(long id) {
        long mixed = id ^ KEY;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}

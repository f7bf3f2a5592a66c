// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.compression;

import io.highway.sdk.dubbo.internal.policy.IslandPolicy;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy.Compression;
import io.highway.sdk.dubbo.internal.policy.ZstdDictionary;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the encoding of requests to one island, by its policy and by what its answers have shown. An encoding is a value
 * of {@link GrpcMessageCompression#KEY}; null means messages as they are, and answers that are not compressed. Thread-safe.
 */
public final class EncodingSelector {

    private static final String ZSTD = Compression.ZSTD.toString();

    private static final Logger log = LoggerFactory.getLogger(EncodingSelector.class);

    private final IslandPolicy policy;
    private final PeerEncodings shown;
    private final @Nullable ZstdDictionary dictionary;

    /** Requests without a dictionary, whose answers may have it. */
    private final String byZstd;

    private final String plain;

    /** @param shown what the answers of the island have shown, under any policy */
    public EncodingSelector(IslandPolicy policy, PeerEncodings shown) {
        this.policy = policy;
        this.shown = shown;
        this.dictionary = ZstdLibrary.isPresent() ? policy.wire().dictionary() : null;
        String inAnswers = dictionary == null ? "" : "," + dictionary.encoding();
        this.byZstd = ZSTD + inAnswers;
        this.plain = GrpcMessageCompression.IDENTITY + inAnswers;
    }

    /**
     * The encoding of the next attempt of a call.
     *
     * @param service the interface, whose last answer must have advertised what the policy does not state, and which must
     *     not have refused in the last minute what it states
     * @param streaming a refused stream is not sent again, so it has no dictionary
     * @param refused whether a provider has refused the call for its encoding
     */
    public @Nullable String choose(String service, boolean streaming, boolean refused) {
        if (refused) {
            return afterRefusal();
        }
        ZstdDictionary known = streaming ? null : dictionary;
        if (known != null && shown.isRead(known.encoding(), service)) {
            return known.encoding();
        }
        return switch (policy.wire().compression()) {
            case NONE -> null;
            case GZIP -> Compression.GZIP.toString();
            case ZSTD -> shown.isRefused(service) ? plain : byZstd;
            case AUTO -> !ZstdLibrary.isPresent() ? null : shown.isRead(ZSTD, service) ? byZstd : plain;
        };
    }

    /** The encoding of a call that a provider has refused for it; null if the policy has no other. */
    public @Nullable String afterRefusal() {
        if (policy.wire().compression() == Compression.AUTO) {
            return plain;
        }
        return dictionary == null ? null : byZstd;
    }

    /** What learns from the answers, or null if the policy does not depend on them. */
    public @Nullable PeerEncodings learning() {
        return switch (policy.wire().compression()) {
            case NONE, GZIP -> null;
            case ZSTD, AUTO -> shown;
        };
    }

    /** Logs once that requests are compressed as answers advertise it, and once that they no longer are. For one thread. */
    public void logChange(String island) {
        String unadvertised = GrpcMessageCompression.requestEncoding(afterRefusal());
        String now = dictionary != null && shown.isRead(dictionary.encoding())
                ? dictionary.encoding()
                : policy.wire().compression() == Compression.AUTO && shown.isRead(ZSTD) ? ZSTD : unadvertised;
        if (now == null || unadvertised == null) {
            return;
        }
        String before = shown.logged == null ? unadvertised : shown.logged;
        if (!now.equals(before)) {
            shown.logged = now;
            String compressed = now.equals(GrpcMessageCompression.IDENTITY)
                    ? "sent as they are now"
                    : "compressed by " + now + " now";
            log.info("highway: island " + island + ": requests by triple are " + compressed
                    + (now.equals(unadvertised)
                            ? ", no longer compressed by " + before
                            : ": all answers of the last minute advertise it"));
        }
    }
}

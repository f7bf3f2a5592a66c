// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy.source;

import io.highway.sdk.dubbo.HighwayReport.Policy.State;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of the dynamic policy at one moment. Immutable.
 *
 * @param version the version of the active policy
 * @param hash the hash of the active rule, or null for the static configuration
 * @param isRefused whether the rule that is published now was refused
 * @param source where the active policy comes from: {@code static}, {@code config-center},
 *     {@code config-center:<key of the application>}, {@code file:<path>}, {@code disk}
 * @param nanos since when it is active, as {@code System.nanoTime}
 * @param refusal the last refusal, or null
 * @param problem why the source is not followed at present, or null
 */
public record PolicyState(
        String version,
        @Nullable String hash,
        boolean isRefused,
        String source,
        long nanos,
        @Nullable Refusal refusal,
        @Nullable String problem) {

    /**
     * A rule that was refused.
     *
     * @param version its label, or the first characters of its hash
     * @param hash its hash
     * @param key the key that is wrong
     * @param origin where that key is written, such as {@code highway.policy, line 12}, or null
     * @param reason what is wrong and what to do
     * @param nanos when, as {@code System.nanoTime}
     */
    public record Refusal(String version, String hash, String key, @Nullable String origin, String reason, long nanos) {

        /** When, for display. */
        public Instant at() {
            return instant(nanos);
        }
    }

    static PolicyState ofStatic() {
        return new PolicyState("static", null, false, "static", System.nanoTime(), null, null);
    }

    PolicyState active(String newVersion, String newHash, String newSource) {
        return new PolicyState(newVersion, newHash, false, newSource, System.nanoTime(), refusal, null);
    }

    PolicyState refused(Refusal last) {
        return new PolicyState(version, hash, true, source, nanos, last, null);
    }

    PolicyState notFollowed(@Nullable String why) {
        return new PolicyState(version, hash, isRefused, source, nanos, refusal, why);
    }

    /** The same policy is published again. */
    PolicyState confirmed(String newSource) {
        return new PolicyState(version, hash, false, newSource, nanos, refusal, null);
    }

    /** The source has no rule that could be activated. */
    PolicyState withoutRule(@Nullable String why) {
        return confirmed(source).notFollowed(why);
    }

    /** What has become of the rule that is published. */
    public State status() {
        return isRefused ? State.REFUSED : hash == null ? State.STATIC : State.ACCEPTED;
    }

    /** The first characters of the hash, or {@code none}. */
    public String shortHash() {
        return hash == null ? "none" : PolicyRule.shortHash(hash);
    }

    /** Since when it is active, for display. */
    public Instant since() {
        return instant(nanos);
    }

    private static Instant instant(long nanos) {
        return Instant.now().minusNanos(System.nanoTime() - nanos);
    }
}

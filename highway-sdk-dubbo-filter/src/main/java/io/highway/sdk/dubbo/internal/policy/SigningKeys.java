// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The keys that sign calls and verify signatures.
 *
 * @param own the key that signs calls to islands for which no other key is set, or null if these calls are not signed
 * @param ownTo the keys that sign calls to one island, by its id
 * @param accepted the keys that this process accepts, by id; empty accepts unsigned calls
 * @param maxNonces how many signatures the process remembers, against replays
 * @param isShadow whether a missing or wrong signature is only reported, and the call is served
 */
public record SigningKeys(
        @Nullable Own own, Map<String, Own> ownTo, Map<String, Accepted> accepted, int maxNonces, boolean isShadow) {

    static final String ACCEPT = "sign.accept.";
    static final String ACCEPT_FROM = "sign.accept-from.";

    /** The key that signs. */
    public record Own(String id, SecretSource secret) {}

    /**
     * A key that is accepted.
     *
     * @param from the callers that may use it, or null for any
     */
    public record Accepted(SecretSource secret, @Nullable List<CallerPattern> from) {

        public Accepted {
            from = from == null ? null : List.copyOf(from);
        }
    }

    public SigningKeys {
        ownTo = Map.copyOf(ownTo);
        accepted = Map.copyOf(accepted);
    }

    /** Whether a call with route headers needs a valid signature. */
    public boolean isDemanded() {
        return !accepted.isEmpty() && !isShadow;
    }

    /** Sentences for the log at start-up, without a full stop. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        if (isShadow) {
            warnings.add(HighwayKeys.SIGN_SHADOW.fullKey()
                    + " is shadow: calls without a valid signature are served, whatever highway.guard.mode is; write"
                    + " enforce once no caller is reported any more");
        }
        accepted.entrySet().stream()
                .filter(entry -> entry.getValue().from() == null)
                .map(Map.Entry::getKey)
                .sorted()
                .map(id -> HighwayKeys.PREFIX + ACCEPT + id + ": whoever has this secret can sign for any island;"
                        + " write " + HighwayKeys.PREFIX + ACCEPT_FROM + id + " with its callers, such as zhejiang/*")
                .forEach(warnings::add);
        return warnings;
    }

    /** The id of the key that this process signs with, or null if it does not sign. */
    public @Nullable String ownId() {
        return own == null ? null : own.id();
    }
}

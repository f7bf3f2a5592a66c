// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import io.highway.sdk.Caller;
import io.highway.sdk.IslandId;
import io.highway.sdk.dubbo.internal.policy.CallerPattern;
import io.highway.sdk.dubbo.internal.policy.GuardRule;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.SigningKeys;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the rules of this process decide about the calls of another island's application, by the code that decides about
 * a call. Counts for no rate. Immutable; serialisers read the record. For the QoS command {@code highwayExplain}.
 *
 * @param policyVersion the version of the active policy
 * @param decision {@code serve}, {@code refuse} or {@code shadow}, as in audit lines
 * @param reason why the call is refused, or null if it is not
 * @param rules all rules, by name
 */
public record GuardExplanation(
        String policyVersion, String decision, @Nullable String reason, @Nullable String owner, List<Rule> rules) {

    /**
     * A rule.
     *
     * @param name its name
     * @param action what it does with the calls that it matches
     * @param matches whether it matches this call
     * @param rate the calls per second that it allows each caller, or null
     */
    public record Rule(String name, String action, boolean matches, @Nullable Integer rate) {}

    /**
     * Explains a call with a valid signature, by the key that proves most of its caller, if signatures are demanded, and
     * without one otherwise.
     *
     * @param from the caller, as {@code island/application}
     * @throws IllegalArgumentException if that is not a caller
     */
    public static GuardExplanation of(Policy policy, String interfaceName, String methodName, String from) {
        boolean demandsSignature = policy.signing().isDemanded();
        Caller caller = caller(from, policy.signing());
        if (demandsSignature && caller.keyId() == null) {
            return new GuardExplanation(policy.version(), "refuse", "wrong-key", policy.ownerOf(caller), List.of());
        }
        List<GuardRule> rules = policy.guard().rules();
        Authorization.Verdict verdict = Authorization.decide(
                        rules, demandsSignature, caller, interfaceName, methodName, methodName)
                .verdict();
        String owner = policy.ownerOf(caller);
        boolean unknown = owner == null && policy.guard().callers().refusesUnknown();
        boolean allowed = !unknown && verdict == Authorization.Verdict.ALLOWED;
        return new GuardExplanation(
                policy.version(),
                allowed ? "serve" : policy.guard().isShadow() ? "shadow" : "refuse",
                allowed
                        ? null
                        : unknown
                                ? "unknown-caller"
                                : verdict == Authorization.Verdict.DENIED ? "denied" : "not-allowed",
                owner,
                rules.stream()
                        .map(rule -> new Rule(
                                rule.name(),
                                rule.action().toString(),
                                rule.matches(caller, demandsSignature, interfaceName, methodName),
                                rule.rate() == 0 ? null : Integer.valueOf(rule.rate())))
                        .toList());
    }

    /** Without a key if none may sign for it. */
    private static Caller caller(String from, SigningKeys keys) {
        int slash = from.indexOf('/');
        String island = from.substring(0, Math.max(0, slash));
        String application = from.substring(slash + 1);
        if (!IslandId.isValid(island) || application.isEmpty()) {
            throw new IllegalArgumentException(
                    "from=\"" + from + "\" is not a caller; write <island>/<application>, such as zhejiang/orders");
        }
        Caller claimed = Caller.of(island, application);
        if (!keys.isDemanded()) {
            return claimed;
        }
        Caller best = claimed;
        Caller.Proof most = null;
        for (Map.Entry<String, SigningKeys.Accepted> key : keys.accepted().entrySet()) {
            Caller.Proof proof = CallerPattern.proof(key.getValue().from(), claimed);
            if (proof != null && (most == null || proof.compareTo(most) > 0)) {
                most = proof;
                best = Caller.signed(island, application, key.getKey(), proof);
            }
        }
        return best;
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.signature;

import io.highway.sdk.Caller;
import io.highway.sdk.dubbo.internal.call.CanonicalMethod;
import io.highway.sdk.dubbo.internal.policy.CallerPattern;
import io.highway.sdk.internal.Texts;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Verifies signatures of calls. The first problem found is the answer:
 *
 * <ol>
 *   <li>{@code unsigned}, {@code unreadable-signature}, also of a version that is not accepted, {@code unknown-key}
 *   <li>{@code expired-signature}: the clocks differ by more than 60 s
 *   <li>{@code wrong-signature}
 *   <li>{@code wrong-key}: the key may not be used by the caller
 *   <li>{@code replayed}, or {@code busy} if that is not known: the nonce is recorded here and, if there is one, in the
 *       replay store. Each key has the same share of the nonces, so that no caller fills the place of others; keys of the
 *       same callers, such as an old and a new one, have one share together
 * </ol>
 *
 * A refusal states that the call has not run only if no copy of it can run later: not if another process may accept a copy,
 * since the replay store does not answer, and not if the signature's time is in the future. An exception is a request that
 * is refused since it waits for memory: its signature may not be recorded, and a copy of it can run later. Thread-safe.
 */
public final class CallVerifier {

    private static final int MAX_CLOCK_SKEW_SECONDS = 60;

    private static final String ACCEPT = "highway.sign.accept.";
    private static final String ACCEPT_FROM = "highway.sign.accept-from.";

    private final String home;
    private final Map<String, AcceptedKey> accepted;
    private final Map<String, ReplayCache> nonces = new HashMap<>();
    private final int share;
    private final @Nullable TimeLimitedReplayStore shared;
    private final LongSupplier seconds;

    /**
     * A key that is accepted.
     *
     * @param from the callers that may use it, or null for any
     */
    record AcceptedKey(KeySecrets secrets, @Nullable List<CallerPattern> from) {}

    CallVerifier(
            String home,
            Map<String, AcceptedKey> accepted,
            int maxNonces,
            @Nullable TimeLimitedReplayStore shared,
            LongSupplier seconds,
            LongSupplier nanos) {
        this.home = home;
        this.accepted = Map.copyOf(accepted);
        long owners = accepted.entrySet().stream()
                .map(key -> owner(key.getKey(), key.getValue()))
                .distinct()
                .count();
        this.share = Math.max(1, (int) (maxNonces / Math.max(1, owners)));
        Map<Object, ReplayCache> shares = new HashMap<>();
        accepted.forEach((id, key) ->
                nonces.put(id, shares.computeIfAbsent(owner(id, key), any -> new ReplayCache(share, nanos))));
        this.shared = shared;
        this.seconds = seconds;
    }

    /** Whose share a key takes: that of its callers, or its own if anybody may use it. */
    private static Object owner(String id, AcceptedKey key) {
        return key.from() == null ? id : Set.copyOf(key.from());
    }

    /**
     * Verifies the signature of a call, and records it, so that it is valid once. Waits for the replay store, if there
     * is one.
     *
     * @param island the destination in the call's headers
     * @param from the value of {@code highway-from}, or null
     * @param sign the value of {@code highway-sign}, or null
     * @param claimed the caller that {@code from} names, or null if it names none
     * @param service {@code [group/]interface[:version]} of the service that would run
     */
    public Verification verify(
            String island,
            @Nullable String from,
            @Nullable String sign,
            @Nullable Caller claimed,
            String service,
            CanonicalMethod method) {
        SignatureText text = sign == null ? null : SignatureText.parse(sign);
        Verification refusal = refusalOf(sign, text);
        AcceptedKey key = text == null ? null : accepted.get(text.keyId());
        if (refusal != null || text == null || key == null) {
            return Objects.requireNonNull(refusal);
        }
        byte[] signed = CanonicalForm.of(text.keyId(), text.seconds(), text.nonce(), island, from, service, method);
        if (!isSignedBy(key.secrets(), signed, text.signature())) {
            return Verification.refused(
                    "wrong-signature",
                    "the secrets of the key " + text.keyId() + " differ between the caller and " + home
                            + ", or the call was signed for another island, sender, service or method than the one"
                            + " that arrived: " + service + "#" + Texts.printable(method.name())
                            + "; see " + ACCEPT + text.keyId() + " in " + home);
        }
        return permitted(text, key.from(), claimed, Long.parseLong(text.seconds()));
    }

    /**
     * Why a call is refused whatever was signed: it has no signature, or one of an unknown form, an unknown key or another
     * time; otherwise null. Nothing is recorded.
     */
    public @Nullable Verification refusalOf(@Nullable String sign) {
        return refusalOf(sign, sign == null ? null : SignatureText.parse(sign));
    }

    private @Nullable Verification refusalOf(@Nullable String sign, @Nullable SignatureText text) {
        if (sign == null) {
            return Verification.refused(
                    "unsigned",
                    home + " accepts signed calls only; set highway.sign.key-id and highway.sign.secret in the caller,"
                            + " see " + ACCEPT + "* in " + home);
        }
        if (text == null || !text.version().equals(CanonicalForm.VERSION)) {
            return unreadable(text);
        }
        if (!accepted.containsKey(text.keyId())) {
            return Verification.refused(
                    "unknown-key",
                    home + " does not accept the key " + text.keyId() + "; set " + ACCEPT + text.keyId() + " in " + home
                            + ", or another highway.sign.key-id in the caller");
        }
        long signedAt = Long.parseLong(text.seconds());
        long now = seconds.getAsLong();
        long skew = Math.abs(now - signedAt);
        if (skew > MAX_CLOCK_SKEW_SECONDS) {
            return new Verification(
                    "expired-signature",
                    "the clocks differ by " + skew + " s, allowed are " + MAX_CLOCK_SKEW_SECONDS
                            + "; synchronise the clocks of the caller and of " + home
                            + ", unless the call was delayed or recorded",
                    true, // a copy may have run before, or may run later
                    null);
        }
        return null;
    }

    private Verification unreadable(@Nullable SignatureText text) {
        return Verification.refused(
                "unreadable-signature",
                text == null
                        ? "it is not v2;kid=..;ts=..;n=..;sig=..; another version of the SDK wrote it, or a gateway or a"
                                + " filter changed highway-sign"
                        : "it has version " + text.version() + ", and " + home + " accepts "
                                + CanonicalForm.VERSION
                                + "; both need releases of the SDK with the same version");
    }

    /** Takes the same time wherever the signatures differ. */
    private static boolean isSignedBy(KeySecrets secrets, byte[] signed, String signature) {
        byte[] written = signature.getBytes(StandardCharsets.US_ASCII);
        boolean isSigned = false;
        for (KeyedMac secret : secrets.all()) {
            isSigned |= MessageDigest.isEqual(secret.sign(signed), written);
        }
        return isSigned;
    }

    private Verification permitted(
            SignatureText text, @Nullable List<CallerPattern> from, @Nullable Caller claimed, long signedAt) {
        Caller.Proof proof = CallerPattern.proof(from, claimed);
        if (proof == null) {
            return Verification.refused(
                    "wrong-key",
                    "the key " + text.keyId() + " may not sign for "
                            + (claimed == null ? "an unknown caller" : claimed.toString()) + "; see " + ACCEPT_FROM
                            + text.keyId() + " in " + home);
        }
        Caller caller =
                claimed == null ? null : Caller.signed(claimed.island(), claimed.application(), text.keyId(), proof);
        return unused(text, caller, signedAt);
    }

    private Verification unused(SignatureText text, @Nullable Caller caller, long signedAt) {
        ReplayCache.Answer answer =
                Objects.requireNonNull(nonces.get(text.keyId())).add(signedAt, text.signature());
        if (answer == ReplayCache.Answer.FULL) {
            return Verification.refused(
                    "busy",
                    "the process remembers as many signatures of the key " + text.keyId()
                            + " as its share of highway.sign.max-nonces allows, " + share + "; raise it in " + home
                            + " or add processes");
        }
        Boolean isNew = answer == ReplayCache.Answer.KNOWN ? Boolean.FALSE : Boolean.TRUE;
        if (isNew && shared != null) {
            isNew = shared.addIfAbsent(home + "/" + text.keyId() + "/" + text.nonce());
        }
        if (isNew == null) {
            return new Verification(
                    "busy",
                    "the replay store of " + home + " does not answer, so a replay could not be refused",
                    true,
                    null);
        }
        return isNew
                ? Verification.valid(caller)
                : new Verification(
                        "replayed",
                        "this signature was used before, so the call may have run; a gateway or a proxy sends"
                                + " requests twice, or somebody has recorded them",
                        true,
                        null);
    }
}

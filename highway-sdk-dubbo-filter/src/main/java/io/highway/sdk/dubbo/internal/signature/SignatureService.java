// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.signature;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.ReplayStore;
import io.highway.sdk.dubbo.internal.background.BackgroundTasks;
import io.highway.sdk.dubbo.internal.background.BackgroundTasks.RepeatedTask;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.SigningKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.apache.dubbo.common.resource.Disposable;
import org.jspecify.annotations.Nullable;

/** Signs and verifies the calls of one application, with secrets that may change in their files. Thread-safe. */
public final class SignatureService implements Disposable {

    private static final long REFRESH_MILLIS = 1000;
    private static final long STORE_TIMEOUT_MILLIS = 1000;

    private final List<KeySecrets> files = new ArrayList<>();
    private final @Nullable CallSigner signer;
    private final Map<String, CallSigner> signersTo = new TreeMap<>();
    private final @Nullable CallVerifier verifier;
    private final @Nullable TimeLimitedReplayStore shared;

    private SignatureService(
            SigningKeys keys, String home, @Nullable ReplayStore store, LongSupplier seconds, LongSupplier nanos) {
        SigningKeys.Own own = keys.own();
        this.signer = own == null ? null : signer(own, seconds);
        keys.ownTo().forEach((island, key) -> signersTo.put(island, signer(key, seconds)));
        Map<String, CallVerifier.AcceptedKey> accepted = new TreeMap<>();
        keys.accepted()
                .forEach((id, key) ->
                        accepted.put(id, new CallVerifier.AcceptedKey(read(new KeySecrets(key.secret())), key.from())));
        this.shared =
                accepted.isEmpty() || store == null ? null : new TimeLimitedReplayStore(store, STORE_TIMEOUT_MILLIS);
        this.verifier =
                accepted.isEmpty() ? null : new CallVerifier(home, accepted, keys.maxNonces(), shared, seconds, nanos);
    }

    /**
     * Reads the secrets of a policy.
     *
     * @param store shares nonces with other processes, or null
     * @throws HighwayConfigurationException if the file of a secret cannot be used
     */
    public static SignatureService of(Policy policy, @Nullable ReplayStore store) {
        return of(policy, store, () -> System.currentTimeMillis() / 1000, System::nanoTime);
    }

    /** With other clocks. */
    static SignatureService of(Policy policy, @Nullable ReplayStore store, LongSupplier seconds, LongSupplier nanos) {
        try {
            return new SignatureService(policy.signing(), policy.home(), store, seconds, nanos);
        } catch (HighwayConfigurationException e) {
            throw policy.settings().located(e);
        }
    }

    private KeySecrets read(KeySecrets secrets) {
        if (secrets.isFile()) {
            files.add(secrets);
        }
        return secrets;
    }

    private CallSigner signer(SigningKeys.Own key, LongSupplier seconds) {
        return new CallSigner(key.id(), read(new KeySecrets(key.secret())), seconds);
    }

    /** Signs calls to an island, or null if calls to it are not signed. */
    public @Nullable CallSigner signerTo(String island) {
        return signersTo.getOrDefault(island, signer);
    }

    /** Verifies signatures, or null if unsigned calls are accepted. */
    public @Nullable CallVerifier verifier() {
        return verifier;
    }

    /** Reads the files of secrets again every second, until the tasks end. */
    public void start(BackgroundTasks tasks) {
        if (!files.isEmpty()) {
            RepeatedTask unused = tasks.every(REFRESH_MILLIS, this::refresh);
        }
    }

    private void refresh() {
        for (KeySecrets secrets : files) {
            try {
                secrets.refresh();
            } catch (RuntimeException | Error e) { // the others shall be read
                secrets.failed(e);
            }
        }
    }

    /** The full keys of secrets whose files cannot be used at present; the last good secrets are active. */
    public List<String> unusableSecrets() {
        boolean hangs = files.stream().anyMatch(KeySecrets::isSlow); // then those after it are not read either
        return files.stream()
                .filter(one -> hangs || one.isUnusable())
                .map(KeySecrets::key)
                .distinct()
                .sorted()
                .toList();
    }

    @Override
    public void destroy() {
        if (shared != null) {
            shared.close();
        }
    }
}

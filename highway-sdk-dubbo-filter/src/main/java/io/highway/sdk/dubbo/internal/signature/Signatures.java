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
public final class Signatures implements Disposable {

    private static final long REFRESH_MILLIS = 1000;
    private static final long STORE_TIMEOUT_MILLIS = 1000;

    private final List<Secrets> files = new ArrayList<>();
    private final @Nullable CallSigner signer;
    private final Map<String, CallSigner> signersTo = new TreeMap<>();
    private final @Nullable CallVerifier verifier;
    private final @Nullable SharedReplays shared;

    private Signatures(
            SigningKeys keys, String home, @Nullable ReplayStore store, LongSupplier seconds, LongSupplier nanos) {
        SigningKeys.Own own = keys.own();
        this.signer = own == null ? null : signer(own, seconds);
        keys.ownTo().forEach((island, key) -> signersTo.put(island, signer(key, seconds)));
        Map<String, CallVerifier.AcceptedKey> accepted = new TreeMap<>();
        keys.accepted()
                .forEach((id, key) ->
                        accepted.put(id, new CallVerifier.AcceptedKey(read(new Secrets(key.secret())), key.from())));
        this.shared = accepted.isEmpty() || store == null ? null : new SharedReplays(store, STORE_TIMEOUT_MILLIS);
        this.verifier =
                accepted.isEmpty() ? null : new CallVerifier(home, accepted, keys.maxNonces(), shared, seconds, nanos);
    }

    /**
     * Reads the secrets of a policy.
     *
     * @param store shares nonces with other processes, or null
     * @throws HighwayConfigurationException if the file of a secret cannot be used
     */
    public static Signatures of(Policy policy, @Nullable ReplayStore store) {
        return of(policy, store, () -> System.currentTimeMillis() / 1000, System::nanoTime);
    }

    /** With other clocks. */
    static Signatures of(Policy policy, @Nullable ReplayStore store, LongSupplier seconds, LongSupplier nanos) {
        try {
            return new Signatures(policy.signing(), policy.home(), store, seconds, nanos);
        } catch (HighwayConfigurationException e) {
            throw policy.settings().located(e);
        }
    }

    private Secrets read(Secrets secrets) {
        if (secrets.isFile()) {
            files.add(secrets);
        }
        return secrets;
    }

    private CallSigner signer(SigningKeys.Own key, LongSupplier seconds) {
        return new CallSigner(key.id(), read(new Secrets(key.secret())), seconds);
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
        for (Secrets secrets : files) {
            try {
                secrets.refresh();
            } catch (RuntimeException | Error e) { // the others shall be read
                secrets.failed(e);
            }
        }
    }

    /** The full keys of secrets whose files cannot be used at present; the last good secrets are active. */
    public List<String> unusableSecrets() {
        boolean hangs = files.stream().anyMatch(Secrets::isSlow); // then those after it are not read either
        return files.stream()
                .filter(one -> hangs || one.isUnusable())
                .map(Secrets::key)
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

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The caller of a request from another island, as the provider sees it. Immutable, with equality by value.
 *
 * <p>The names are what the caller states. A valid signature proves them as far as {@code highway.sign.accept-from}
 * binds its key to them: {@link #isIslandVerified} for the island, {@link #isApplicationVerified} for the application, too.
 */
public final class Caller {

    /** What a valid signature proves of a caller. */
    public enum Proof {
        /** Possession of the key, which may sign for several islands. */
        KEY,
        /** The island: the key belongs to it. */
        ISLAND,
        /** The island and the application: the key belongs to that application of it. */
        APPLICATION
    }

    private final String island;
    private final String application;
    private final @Nullable String keyId;
    private final @Nullable Proof proof;

    private Caller(String island, String application, @Nullable String keyId, @Nullable Proof proof) {
        this.island = Objects.requireNonNull(island, "island");
        this.application = Objects.requireNonNull(application, "application");
        this.keyId = keyId;
        this.proof = proof;
    }

    /**
     * {@return a caller that is not verified, for {@link HighwayContext#servedFor} and for tests}
     *
     * @param island the island in which the call started
     * @param application the Dubbo application name of the consumer there
     */
    public static Caller of(String island, String application) {
        return new Caller(island, application, null, null);
    }

    /**
     * {@return a caller whose request had a valid signature, for {@link HighwayContext#servedFor} and for tests}
     *
     * @param island the island in which the call started
     * @param application the Dubbo application name of the consumer there
     * @param keyId the id of the key of the signature
     * @param proof what the signature proves
     */
    public static Caller signed(String island, String application, String keyId, Proof proof) {
        return new Caller(
                island, application, Objects.requireNonNull(keyId, "keyId"), Objects.requireNonNull(proof, "proof"));
    }

    /** {@return the island in which the call started} */
    public String island() {
        return island;
    }

    /** {@return the Dubbo application name of the consumer there} */
    public String application() {
        return application;
    }

    /**
     * {@return whether a signature proves the island: it is valid, and {@code highway.sign.accept-from} names this
     * island literally for its key}
     */
    public boolean isIslandVerified() {
        return proof == Proof.ISLAND || proof == Proof.APPLICATION;
    }

    /**
     * {@return whether a signature proves the application, too: {@code highway.sign.accept-from} names island and
     * application literally for its key}
     */
    public boolean isApplicationVerified() {
        return proof == Proof.APPLICATION;
    }

    /** {@return the id of the key whose signature was valid, or null if no signature was checked} */
    public @Nullable String keyId() {
        return keyId;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Caller caller
                && island.equals(caller.island)
                && application.equals(caller.application)
                && Objects.equals(keyId, caller.keyId)
                && proof == caller.proof;
    }

    @Override
    public int hashCode() {
        return Objects.hash(island, application, keyId);
    }

    /** {@return the island and the application, such as {@code zhejiang/shop}, whether they are verified or not} */
    @Override
    public String toString() {
        return island + "/" + application;
    }
}

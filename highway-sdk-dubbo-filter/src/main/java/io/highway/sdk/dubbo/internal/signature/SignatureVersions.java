// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.signature;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.internal.call.CalledMethod;
import io.highway.sdk.dubbo.internal.policy.HighwayKeys;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The versions of the signature that a process knows, in their order.
 *
 * <p>A new version is a further element. A receiver accepts several, and a sender writes one: see {@code
 * sign.accept-versions} and {@code sign.version}. The text of each begins with its name, and its bytes contain it, so that
 * no signature of one version is good for another.
 */
record SignatureVersions(List<Version> known) {

    static final SignatureVersions BUILT_IN =
            new SignatureVersions(List.of(new Version(CanonicalForm.VERSION, CanonicalForm::of)));

    /** A version: its name, {@code v} and a number, and what it covers. */
    record Version(String name, Form form) {}

    /** The bytes that a signature covers. */
    @FunctionalInterface
    interface Form {

        byte[] of(
                String keyId,
                String seconds,
                String nonce,
                String island,
                @Nullable String from,
                String service,
                CalledMethod method);
    }

    /** The version that {@code sign.version} names; the newest if it is not set. */
    Version written(@Nullable String name) {
        return name == null ? known.get(known.size() - 1) : require("sign.version", name);
    }

    /** The versions that {@code sign.accept-versions} lists; the newest if it is empty. */
    List<Version> accepted(List<String> names) {
        return names.isEmpty()
                ? List.of(written(null))
                : names.stream()
                        .map(name -> require("sign.accept-versions", name))
                        .toList();
    }

    private Version require(String key, String name) {
        return known.stream()
                .filter(version -> version.name.equals(name))
                .findFirst()
                .orElseThrow(() -> HighwayConfigurationException.notAllowed(
                        HighwayKeys.PREFIX + key,
                        name,
                        String.join(", ", known.stream().map(Version::name).toList()),
                        "Write a version that this release knows, or remove the key for the newest"));
    }
}

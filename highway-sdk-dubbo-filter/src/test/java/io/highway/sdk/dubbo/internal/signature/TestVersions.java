// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.signature;

import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.apache.dubbo.rpc.model.ApplicationModel;

/** A release that knows a version more than this one. */
public final class TestVersions {

    /** The new version covers the bytes of the old one behind its own name. */
    static final SignatureVersions V2_AND_V3 = new SignatureVersions(Stream.concat(
                    SignatureVersions.BUILT_IN.known().stream(),
                    Stream.of(new SignatureVersions.Version(
                            "v3", (keyId, seconds, nonce, island, from, service, method) -> ("v3"
                                            + new String(
                                                    CanonicalForm.of(
                                                            keyId, seconds, nonce, island, from, service, method),
                                                    StandardCharsets.ISO_8859_1))
                                    .getBytes(StandardCharsets.UTF_8))))
            .toList());

    private TestVersions() {}

    /** Gives an application that release, before it starts. */
    public static void release(ApplicationModel application) {
        application.getBeanFactory().registerBean(V2_AND_V3);
    }
}

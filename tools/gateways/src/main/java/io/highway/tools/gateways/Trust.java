// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import io.highway.tools.fixtures.certificates.Authority;
import io.highway.tools.fixtures.certificates.Identity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The certificates of one run: one authority for the gateways of all islands and the applications at home. */
final class Trust {

    private final Path folder;
    private final Authority authority;

    Trust(Path folder) {
        this.folder = folder;
        this.authority = new Authority("highway", folder);
    }

    /** The authority's certificate. */
    Path authority() {
        return authority.certificate();
    }

    /** The certificate of this gateway for both sides. */
    Identity gateway(String place) {
        return authority.identity("gateway." + place + ".test", "gateway." + place + ".test");
    }

    /** The placeholders of its certificate, of its key and of the authority's certificate, and their files. */
    Map<String, String> paths(Identity identity) {
        return Map.of(
                "/etc/highway/tls/ca.crt", authority().toString(),
                "/etc/highway/tls/gateway.crt", identity.certificate().toString(),
                "/etc/highway/tls/gateway.key", identity.privateKey().toString());
    }

    /** A file with certificate and key, which HAProxy wants. */
    Path joined(Identity identity) throws IOException {
        String name = identity.certificate().getFileName().toString().replace(".crt", ".pem");
        return Files.writeString(
                folder.resolve(name),
                Files.readString(identity.certificate()) + Files.readString(identity.privateKey()));
    }

    /** For clients. */
    Certificates certificates() {
        return new Certificates(
                authority.certificate(),
                authority.identity("application"),
                new Authority("somebody", folder.resolve("somebody")).identity("stranger"));
    }
}

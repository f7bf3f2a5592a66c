// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import io.highway.tools.fixtures.certificates.Identity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A server that sees connections only where Dubbo frames go, and whose first process starts the ones that work. */
abstract class ConnectionServer {

    final Program program;

    ConnectionServer(GatewayKind kind) {
        this.program = Program.of(kind);
    }

    /** Name and version. */
    String version() throws IOException {
        return program.version();
    }

    /**
     * The placeholders in its configurations for the paths of a run.
     *
     * @param prefix of the files it writes
     */
    abstract Map<String, String> paths(Trust trust, Identity identity, String prefix) throws IOException;

    /** The statement of a remote gateway about providers without the SDK, and its replacement. */
    abstract Map<String, String> unguarded();

    /** The placeholder of the address where it takes HTTP/1.1 without TLS; empty if it does where it takes Triple. */
    Optional<String> http() {
        return Optional.empty();
    }

    /** Fails if it would not start with it. */
    abstract void check(Path configuration) throws IOException;

    /** Runs it in the foreground. */
    abstract List<String> command(Path configuration) throws IOException;

    /** The drain time in its configurations, and what replaces it. */
    abstract Map<String, String> drainTime(int seconds);

    /** What makes it end connections after some calls; empty if it never does. */
    Map<String, String> limits() {
        return Map.of();
    }

    /** The signal after which it takes no calls and ends as soon as its own are over. */
    abstract String stop();

    /** The signal after which new processes take over and the old ones end as soon as their calls are over. */
    abstract String reload();
}

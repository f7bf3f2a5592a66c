// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A star whose gateways use TLS, and whose home may have several of them. */
abstract class TlsStar implements GatewayStar {

    final Processes processes;
    final Path folder;
    final String host;
    final int drainSeconds;
    final Trust trust;
    private final Certificates certificates;
    private final String version;
    private int homes = 1;

    TlsStar(Processes processes, Path folder, String home, int drainSeconds, String version) throws IOException {
        this.processes = processes;
        this.folder = Files.createDirectories(folder.toAbsolutePath());
        this.host = "gateway." + home + ".test:";
        this.drainSeconds = drainSeconds;
        this.trust = new Trust(this.folder.resolve("certificates"));
        this.certificates = trust.certificates();
        this.version = version;
    }

    /** The process of the gateway of an island, or of another place. */
    static String name(String place) {
        return place + "-gateway";
    }

    /** The place of the next gateway of home. */
    String nextHome() {
        homes++;
        return "zhejiang-" + homes;
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public Optional<Certificates> certificates() {
        return Optional.of(certificates);
    }
}

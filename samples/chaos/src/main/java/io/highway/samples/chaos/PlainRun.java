// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.chaos;

import io.highway.samples.chaos.star.PlainDubbo;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** Plain Dubbo's own restart of a gateway, in the background from the beginning. */
final class PlainRun {

    private final PlainDubbo plain;
    private final boolean wanted;
    private final CompletableFuture<Void> done = new CompletableFuture<>();

    PlainRun(PlainDubbo plain, boolean wanted) {
        this.plain = plain;
        this.wanted = wanted;
        if (wanted) {
            Thread thread = new Thread(this::run, "plain-dubbo");
            thread.setDaemon(true);
            thread.start();
        } else {
            done.complete(null);
        }
    }

    private void run() {
        try {
            plain.restartGateway();
            plain.awaitRecovery();
            done.complete(null);
        } catch (IOException | InterruptedException | RuntimeException e) {
            done.completeExceptionally(e);
        }
    }

    void await() {
        done.join();
    }

    /** Empty if it was not wanted; inside, milliseconds, or empty if it was not back in time. */
    Optional<OptionalLong> recoveryMillis(String protocol) throws IOException {
        return wanted ? Optional.of(plain.recoveryMillis(protocol)) : Optional.empty();
    }
}

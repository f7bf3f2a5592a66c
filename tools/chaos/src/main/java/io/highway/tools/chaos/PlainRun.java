// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos;

import io.highway.tools.chaos.star.PlainDubbo;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** Plain Dubbo's own restart of a gateway, in the background from the beginning. */
final class PlainRun {

    private final PlainDubbo plain;
    private final CompletableFuture<Void> done = new CompletableFuture<>();

    PlainRun(PlainDubbo plain) {
        this.plain = plain;
        Thread thread = new Thread(this::run, "plain-dubbo");
        thread.setDaemon(true);
        thread.start();
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

    /** Empty if it was not back in time. */
    OptionalLong recoveryMillis(String protocol) throws IOException {
        return plain.recoveryMillis(protocol);
    }
}

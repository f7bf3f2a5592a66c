// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.star;

import io.highway.tools.processes.Node;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The baseline of plain Dubbo at a gateway restart, in the same run as the highway: a caller without the SDK, and a
 * separate gateway in front of home's provider, which no fault affects.
 */
public final class PlainDubbo {

    /** The maximum wait. */
    public static final long GIVE_UP_MILLIS = 75_000;

    private static final long DOWN_MILLIS = 4_000;
    private static final long STEP_MILLIS = 50;
    private static final List<String> PROTOCOLS = List.of("dubbo", "tri");

    private final Processes processes;
    private final Node gateway;
    private final String address;
    private final Path notes;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private long listens;

    PlainDubbo(Processes processes, Node gateway, String address, Path notes) {
        this.processes = processes;
        this.gateway = gateway;
        this.address = address;
        this.notes = notes;
    }

    /** In the background: kills the gateway once calls pass over both protocols, and starts it again a little later. */
    public void startRun() {
        Thread thread = new Thread(
                () -> {
                    try {
                        restartGateway();
                        awaitPassed(listens, listens + GIVE_UP_MILLIS);
                        done.complete(null);
                    } catch (IOException | InterruptedException | RuntimeException e) {
                        done.completeExceptionally(e);
                    }
                },
                "plain-dubbo");
        thread.setDaemon(true);
        thread.start();
    }

    private void restartGateway() throws IOException, InterruptedException {
        gateway.awaitReady();
        processes.start("plain-caller", List.of(), PlainCallerProcess.class, address, notes);
        awaitPassed(0, System.currentTimeMillis() + GIVE_UP_MILLIS);
        gateway.kill();
        Thread.sleep(DOWN_MILLIS);
        gateway.start();
        gateway.awaitReady();
        listens = System.currentTimeMillis();
    }

    /** Waits until calls pass again over both protocols, or it is time to give up. */
    public void awaitRecovery() {
        done.join();
    }

    /** Milliseconds from the gateway's listening to the first call that passed; empty if none has. */
    public OptionalLong recoveryMillis(String protocol) throws IOException {
        OptionalLong passed = passed(protocol, listens);
        return passed.isPresent() ? OptionalLong.of(passed.getAsLong() - listens) : passed;
    }

    private void awaitPassed(long since, long until) throws IOException, InterruptedException {
        for (String protocol : PROTOCOLS) {
            while (passed(protocol, since).isEmpty() && System.currentTimeMillis() < until) {
                TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
            }
        }
    }

    private OptionalLong passed(String protocol, long since) throws IOException {
        List<String> lines = Files.exists(notes) ? Files.readAllLines(notes) : List.of();
        return lines.stream()
                .filter(line -> line.startsWith(protocol + " passed "))
                .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
                .filter(moment -> moment >= since)
                .findFirst();
    }
}

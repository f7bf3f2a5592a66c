// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.memory;

import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A provider that requires signatures, nginx in front of it, and the attacker's connections to both. */
final class Target implements AutoCloseable {

    static final int PATIENCE_SECONDS = 5;

    private static final String LOCAL = "127.0.0.1";

    private final Cell cell;
    private final EventLoopGroup loop;
    private final Provider provider;
    private final int front;
    private final List<RawPeer> straight = new ArrayList<>();
    private final List<RawPeer> throughNginx = new ArrayList<>();

    Target(Path folder, Cell cell, EventLoopGroup loop, List<String> keys) throws IOException {
        this.cell = cell;
        this.loop = loop;
        List<String> options = new ArrayList<>(List.of(
                "-Dhighway.guard.rules.keep.action=deny", "-Dhighway.guard.rules.keep.to=" + Body.SERVICE + "#keep"));
        keys.forEach(key -> options.add("-Dhighway." + key));
        this.provider = new Provider(folder, cell.word(), cell, true, true, options);
        this.front = provider.startFront(cell);
    }

    Provider provider() {
        return provider;
    }

    /** An open connection of the attacker, one of so many. */
    RawPeer peer(boolean throughFront, int number) {
        List<RawPeer> open = throughFront ? throughNginx : straight;
        if (number == open.size()) {
            open.add(connect(throughFront));
        } else if (!open.get(number).isOpen()) {
            open.set(number, connect(throughFront));
        }
        return open.get(number);
    }

    private RawPeer connect(boolean throughFront) {
        return throughFront
                ? RawPeer.connect(cell, loop, LOCAL, front, true)
                : RawPeer.connect(cell, loop, Provider.GATEWAY, provider.port(), true);
    }

    /** Sends the requests of an attempt at the same time, each over another connection. */
    Answers attack(Attempt attempt) throws InterruptedException {
        List<CompletableFuture<String>> answers = new ArrayList<>();
        RawPeer.Request request = attempt.request(cell);
        for (int i = 0; i < attempt.requests(); i++) {
            if (i > 0 && attempt.payload().isUnique()) {
                request = attempt.request(cell);
            }
            answers.add(peer(attempt.front(), i).send(request));
        }
        return Answers.of(answers, PATIENCE_SECONDS);
    }

    /** Ends the attacker's connections. */
    void disconnect() {
        straight.forEach(RawPeer::close);
        throughNginx.forEach(RawPeer::close);
    }

    @Override
    public void close() {
        disconnect();
        provider.close();
    }
}

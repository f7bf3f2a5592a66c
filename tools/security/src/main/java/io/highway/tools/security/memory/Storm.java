// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.memory;

import io.highway.tools.security.memory.RawPeer.Request;
import io.highway.tools.security.memory.RawPeer.Request.Answer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Many requests at a time.
 *
 * @param guarded whether the provider requires signatures of the peers, which have none; otherwise they are at home
 * @param connections over how many connections the requests go
 * @param interleaved whether the bodies go at the same time over a connection, or one after another
 * @param size of a body in bytes, inflated
 */
record Storm(String name, boolean guarded, Kind kind, int requests, int connections, boolean interleaved, int size) {

    /** What a request is. */
    enum Kind {
        ZSTD,
        GZIP,

        /** A Dubbo frame that announces a large body and has the bytes of a compressed one. */
        ANNOUNCED,

        PLAIN,

        /** Dubbo calls that want no answer, and calls that all have the same id. */
        ONE_WAY,
        SAME_ID,

        /** Of a body most comes, and then nothing. */
        STALLED,

        /** A whole message comes, and not the end of the request; compressed, and as it is. */
        UNENDED_ZSTD,
        UNENDED
    }

    private static final int KB = 1 << 10;
    private static final int MB = 1 << 20;

    /** Just under Dubbo's default payload. */
    private static final int MOST = 8_387_409;

    private static final int BOMB = 913;
    private static final int HOSTS = 250;

    /** Those of a cell. */
    static List<Storm> of(Cell cell, boolean quick) {
        List<Storm> storms = new ArrayList<>();
        for (boolean guarded : List.of(false, true)) {
            String suffix = guarded ? "-unsigned" : "";
            if (cell.isTriple()) {
                storms.add(new Storm("zstd-40" + suffix, guarded, Kind.ZSTD, 40, 1, true, MOST));
                storms.add(new Storm("zstd-300" + suffix, guarded, Kind.ZSTD, 300, 1, true, MOST));
                storms.add(new Storm("gzip-300" + suffix, guarded, Kind.GZIP, 300, 1, true, MOST));
            } else {
                storms.add(new Storm("announced-300" + suffix, guarded, Kind.ANNOUNCED, 300, 300, true, MOST));
                storms.add(new Storm("one-way-300" + suffix, guarded, Kind.ONE_WAY, 300, 300, true, MOST));
                storms.add(new Storm("same-id-300" + suffix, guarded, Kind.SAME_ID, 300, 10, true, MOST));
            }
        }
        for (int megabytes : List.of(1, 4, 8)) {
            int size = Math.min(megabytes * MB, MOST);
            String name = "plain-" + megabytes + "mb";
            storms.add(new Storm(name, false, Kind.PLAIN, 300, 1, false, size));
            storms.add(new Storm(name + "-10-connections", false, Kind.PLAIN, 300, 10, false, size));
            storms.add(new Storm(name + "-300-connections", false, Kind.PLAIN, 300, 300, false, size));
            if (cell.isTriple()) {
                storms.add(new Storm(name + "-interleaved", false, Kind.PLAIN, 300, 1, true, size));
            }
        }
        storms.add(new Storm("stalled-300-peers", false, Kind.STALLED, 300, 300, true, 4 * MB));
        if (cell.isTriple()) {
            storms.add(new Storm("stalled-one-peer", false, Kind.STALLED, 300, 1, true, 4 * MB));
            storms.add(new Storm("unended-50000", false, Kind.UNENDED, 50_000, 1, true, 15 * KB));
            storms.add(new Storm("unended-zstd-50000", false, Kind.UNENDED_ZSTD, 50_000, 1, true, 15 * KB));
        } else { // over Triple it ends the process: docs/operate/security.md, known limits
            storms.add(new Storm("stalled-10000-peers", false, Kind.STALLED, 10_000, 10_000, true, 60 * KB));
        }
        return quick ? storms.stream().filter(Storm::isInQuick).toList() : storms;
    }

    private boolean isInQuick() {
        return isHostile() ? requests >= 300 : name.matches("plain-(1mb|8mb|8mb-300-connections|1mb-interleaved)");
    }

    /** Whether they contain no calls. */
    boolean isHostile() {
        return kind != Kind.PLAIN;
    }

    /** The addresses of the connections: the gateway's where the provider requires signatures, else one each at home. */
    List<String> peers() {
        return guarded
                ? Collections.nCopies(connections, Provider.GATEWAY)
                : IntStream.range(0, connections)
                        .mapToObj(peer -> "127.0." + (1 + peer / HOSTS) + "." + (1 + peer % HOSTS))
                        .toList();
    }

    Request request(Cell cell) {
        byte[] body = Body.store(cell, size);
        return switch (kind) {
            case ZSTD, UNENDED_ZSTD -> compressed("zstd", body).ended(kind == Kind.ZSTD);
            case GZIP -> compressed("gzip", body);
            case UNENDED -> plain(cell, body).ended(false);
            case ANNOUNCED -> plain(cell, body).stalledAfter(BOMB);
            case PLAIN -> plain(cell, body);
            case ONE_WAY -> plain(cell, body).with(Answer.NONE);
            case SAME_ID -> plain(cell, body).with(Answer.OF_MANY);
            case STALLED -> plain(cell, body).stalledAfter(size / 16 * 15);
        };
    }

    private static Request compressed(String encoding, byte[] body) {
        byte[] message = Body.message(true, Body.compress(encoding, body));
        return Request.of(Body.SERVICE, Body.STORE, Map.of("grpc-encoding", encoding), message);
    }

    private static Request plain(Cell cell, byte[] body) {
        return Request.of(Body.SERVICE, Body.STORE, Map.of(), Body.framed(cell, body));
    }
}

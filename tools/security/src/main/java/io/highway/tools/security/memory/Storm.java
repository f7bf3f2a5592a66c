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
import org.jspecify.annotations.Nullable;

/**
 * Many requests, or answers, at a time.
 *
 * @param requests how many; of answers, how many calls
 * @param connections over how many connections the requests go
 * @param interleaved whether the bodies go at the same time over a connection, or one after another
 * @param size of a body in bytes, inflated
 */
record Storm(String name, Source source, Kind kind, int requests, int connections, boolean interleaved, int size) {

    /** What sends it. */
    enum Source {
        HOME,

        /** A gateway, to a provider that requires signatures; the requests have none. */
        GATEWAY,

        /** The destination of a caller, which answers so. */
        DESTINATION
    }

    /** What a request or an answer is. */
    enum Kind {
        ZSTD,
        GZIP,

        /** A Dubbo frame, or a POST, that announces a large body and has the bytes of a compressed one. */
        ANNOUNCED,

        PLAIN,

        /** The same over a {@link ThinLink}. */
        SLOW,

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
        int many = cell.isTriple() ? 1 : 300; // connections: one over HTTP carries a request at a time
        for (Source source : List.of(Source.HOME, Source.GATEWAY)) {
            String suffix = source == Source.GATEWAY ? "-unsigned" : "";
            if (cell.isTriple()) {
                storms.add(new Storm("zstd-40" + suffix, source, Kind.ZSTD, 40, 1, true, MOST));
            }
            if (!cell.isDubbo()) {
                storms.add(new Storm("zstd-300" + suffix, source, Kind.ZSTD, 300, many, true, MOST));
                storms.add(new Storm("gzip-300" + suffix, source, Kind.GZIP, 300, many, true, MOST));
            }
            if (!cell.isTriple()) {
                storms.add(new Storm("announced-300" + suffix, source, Kind.ANNOUNCED, 300, 300, true, MOST));
            }
            if (cell.isDubbo()) {
                storms.add(new Storm("one-way-300" + suffix, source, Kind.ONE_WAY, 300, 300, true, MOST));
                storms.add(new Storm("same-id-300" + suffix, source, Kind.SAME_ID, 300, 10, true, MOST));
            }
        }
        for (int megabytes : List.of(1, 4, 8)) {
            int size = Math.min(megabytes * MB, MOST);
            String name = "plain-" + megabytes + "mb";
            storms.add(new Storm(name, Source.HOME, Kind.PLAIN, 300, 1, false, size));
            storms.add(new Storm(name + "-10-connections", Source.HOME, Kind.PLAIN, 300, 10, false, size));
            storms.add(new Storm(name + "-300-connections", Source.HOME, Kind.PLAIN, 300, 300, false, size));
            if (cell.isTriple()) {
                storms.add(new Storm(name + "-interleaved", Source.HOME, Kind.PLAIN, 300, 1, true, size));
            }
        }
        storms.add(new Storm("slow-1mb-10-connections", Source.HOME, Kind.SLOW, 300, 10, true, MB));
        storms.add(new Storm("stalled-300-peers", Source.HOME, Kind.STALLED, 300, 300, true, 4 * MB));
        if (cell.isTriple()) {
            storms.add(new Storm("slow-1mb", Source.HOME, Kind.SLOW, 300, 1, true, MB));
            storms.add(new Storm("stalled-one-peer", Source.HOME, Kind.STALLED, 300, 1, true, 4 * MB));
            storms.add(new Storm("unended-50000", Source.HOME, Kind.UNENDED, 50_000, 1, true, 15 * KB));
            storms.add(new Storm("unended-zstd-50000", Source.HOME, Kind.UNENDED_ZSTD, 50_000, 1, true, 15 * KB));
        } else { // over Triple it ends the process: docs/operate/security.md, known limits
            storms.add(new Storm("stalled-10000-peers", Source.HOME, Kind.STALLED, 10_000, 10_000, true, 60 * KB));
        }
        if (!cell.isDubbo()) {
            storms.add(new Storm("answers-zstd-300", Source.DESTINATION, Kind.ZSTD, 300, 1, true, MOST));
            storms.add(new Storm("answers-gzip-300", Source.DESTINATION, Kind.GZIP, 300, 1, true, MOST));
        }
        storms.add(new Storm("answers-plain-8mb", Source.DESTINATION, Kind.PLAIN, 300, 1, true, MOST));
        storms.add(new Storm("answers-stalled-300", Source.DESTINATION, Kind.STALLED, 300, 1, true, 4 * MB));
        return quick ? storms.stream().filter(Storm::isInQuick).toList() : storms;
    }

    private boolean isInQuick() {
        return mustBeServed() ? name.matches("plain-(1mb|8mb|8mb-300-connections|1mb-interleaved)") : requests >= 300;
    }

    /** Whether they are calls of home, which a provider must serve. */
    boolean mustBeServed() {
        return source == Source.HOME && (kind == Kind.PLAIN || kind == Kind.SLOW);
    }

    /** Whether others must be served meanwhile: not where plain Dubbo does not either. */
    boolean leavesRoom() {
        return kind != Kind.PLAIN || source != Source.HOME;
    }

    /** Whether they are sent to plain Dubbo, too. */
    boolean isCompared(Cell cell) {
        return source == Source.HOME && kind != Kind.SLOW && !cell.isHttp();
    }

    /** The addresses of the connections: the gateway's where the provider requires signatures, else one each at home. */
    List<String> peers() {
        return source == Source.GATEWAY
                ? Collections.nCopies(connections, Provider.GATEWAY)
                : IntStream.range(0, connections)
                        .mapToObj(peer -> "127.0." + (1 + peer / HOSTS) + "." + (1 + peer % HOSTS))
                        .toList();
    }

    Request request(Cell cell) {
        Request request = Body.store(cell, size).request(cell, cell.headersOfHome(), Map.of(), encoding());
        return switch (kind) {
            case ZSTD, GZIP, PLAIN, SLOW -> request;
            case UNENDED, UNENDED_ZSTD -> request.ended(false);
            case ANNOUNCED -> request.stalledAfter(BOMB);
            case ONE_WAY -> request.with(Answer.NONE);
            case SAME_ID -> request.with(Answer.OF_MANY);
            case STALLED -> request.stalledAfter(size / 16 * 15);
        };
    }

    /** What the destination answers to each call. */
    Destination.Answer answer(Cell cell) {
        return Destination.Answer.of(cell, encoding(), size, kind != Kind.STALLED);
    }

    private @Nullable String encoding() {
        return switch (kind) {
            case ZSTD, UNENDED_ZSTD -> "zstd";
            case GZIP -> "gzip";
            default -> null;
        };
    }
}

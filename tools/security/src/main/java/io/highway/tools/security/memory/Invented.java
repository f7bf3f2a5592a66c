// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.memory;

import io.highway.tools.security.attacker.Signer;
import io.highway.tools.security.memory.RawPeer.Request;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** Requests with a name that no other has. */
enum Invented {
    SERVICE,
    METHOD,
    CLASS,
    ISLAND,
    APPLICATION,
    KEY,
    ATTACHMENT,
    GROUP;

    private static final int NAME_LENGTH = 40;

    /** Another one is invented in each; call ids and random numbers of signatures are invented in all. */
    static Request request(Cell cell, int number) {
        return values()[number % values().length].request(cell);
    }

    private Request request(Cell cell) {
        String name = "x" + Long.toHexString(ThreadLocalRandom.current().nextLong()) + "x".repeat(NAME_LENGTH);
        String service = this == SERVICE ? "com.foo." + name : Body.SERVICE;
        String method = this == METHOD ? name : Body.PING;
        List<String> types = List.of(this == CLASS ? "com.foo." + name : "java.lang.String");
        String island = this == ISLAND ? name : "shanghai";
        String from = "zhejiang/" + (this == APPLICATION ? name : "orders") + "/1";
        Signer signer = new Signer(this == KEY ? name : Provider.KEY, "another secret");
        Map<String, String> headers = signer.headers(island, from, service, method, types, 0);
        Map<String, String> more =
                switch (this) {
                    case ATTACHMENT -> Map.of(name, name);
                    case GROUP -> Map.of(cell.group(), name);
                    default -> Map.of();
                };
        return new Body(service, method, types, List.of(out -> out.writeString("tea")), Map.of())
                .request(cell, headers, more, null);
    }
}

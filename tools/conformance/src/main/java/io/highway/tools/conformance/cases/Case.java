// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.cases;

import io.highway.tools.conformance.bench.Bench;
import io.highway.tools.gateways.Protocol;
import java.util.EnumSet;
import java.util.Set;

/**
 * One requirement of the wire contract.
 *
 * @param name as the README explains it
 * @param protocols the protocols that it applies to
 * @param when it runs
 * @param check the check
 */
public record Case(String name, Set<Protocol> protocols, When when, Check check) {

    /** When a case runs. */
    public enum When {
        /** In order. */
        IN_TURN,
        /** In parallel to the others, since it waits for 90 s; a quick run omits it. */
        BESIDE,
        /** Alone, since it disturbs others. */
        ALONE,
        /** Alone, and for longer than 10 s; a quick run omits it. */
        ALONE_LONG
    }

    /** A check; returns what was observed, and throws {@link Unmet} if something else was expected. */
    @FunctionalInterface
    public interface Check {
        /** Runs the check. */
        String run(Bench bench, Protocol protocol) throws Exception;
    }

    static Case all(String name, Check check) {
        return new Case(name, EnumSet.allOf(Protocol.class), When.IN_TURN, check);
    }

    /** Not by the HTTP tunnel, which has one call at a time on a connection, and no receiver at providers without the SDK. */
    static Case both(String name, Check check) {
        return new Case(name, EnumSet.of(Protocol.DUBBO, Protocol.TRIPLE), When.IN_TURN, check);
    }

    static Case triple(String name, Check check) {
        return new Case(name, EnumSet.of(Protocol.TRIPLE), When.IN_TURN, check);
    }

    static Case http(String name, Check check) {
        return new Case(name, EnumSet.of(Protocol.HTTP), When.IN_TURN, check);
    }

    /** Over one protocol, or none if it does not apply. */
    public Case over(Protocol protocol) {
        return new Case(name, protocols.contains(protocol) ? Set.of(protocol) : Set.of(), when, check);
    }

    Case when(When other) {
        return new Case(name, protocols, other, check);
    }
}

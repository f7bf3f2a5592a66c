// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Why a call was certainly not forwarded, in the words of the answer. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private Refusal(String reason) {
        super(reason, null, false, false);
    }

    String reason() {
        return String.valueOf(getMessage());
    }

    /**
     * The statement that proves to callers that this call has not run: it names the island of the call, so that a
     * statement about another call, which a service relays, does not match. A call that names no island gets no
     * statement.
     */
    String statement(@Nullable String island) {
        return island == null || island.isEmpty() ? reason() : island + ";" + reason();
    }

    static Refusal noIsland() {
        return new Refusal("no-island");
    }

    static Refusal unknownIsland(String island) {
        return new Refusal("unknown-island " + island);
    }

    static Refusal noProvider(ServiceName service) {
        return new Refusal("no-provider " + service);
    }

    static Refusal unreachable(String addresses) {
        return new Refusal("upstream-unreachable " + addresses);
    }

    static Refusal draining() {
        return new Refusal("draining");
    }

    static Refusal unreadable(String why) {
        return new Refusal("unreadable " + why);
    }

    static Refusal of(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof Refusal refusal ? refusal : unreadable(String.valueOf(cause));
    }
}

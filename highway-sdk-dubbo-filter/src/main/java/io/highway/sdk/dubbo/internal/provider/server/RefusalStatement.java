// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.server;

import io.highway.sdk.dubbo.internal.call.CallAttributes;
import io.highway.sdk.dubbo.internal.evidence.NotSentStatements;
import org.apache.dubbo.rpc.Invocation;
import org.jspecify.annotations.Nullable;

/**
 * At the provider: the guard has refused this call before any code of the service ran. Kept in the call's attributes,
 * which no peer can write, so that the answer can state it.
 *
 * @param statement {@code <island>;<reason>; about <interface>#<method>}, ASCII
 */
public record RefusalStatement(String statement) {

    /**
     * The statement about a call.
     *
     * @param island the destination in the call's header
     * @param call as {@link NotSentStatements#call} names it
     */
    public static String statementOf(String island, String reason, String call) {
        return NotSentStatements.ascii(island + ";" + reason) + NotSentStatements.ABOUT + call;
    }

    /** Marks a call as refused. */
    public static void mark(Invocation invocation, String statement) {
        CallAttributes.put(invocation, RefusalStatement.class, new RefusalStatement(statement));
    }

    /** The refusal of this call, or null if it was not refused. */
    public static @Nullable RefusalStatement of(Invocation invocation) {
        return CallAttributes.get(invocation, RefusalStatement.class);
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.call;

import org.apache.dubbo.rpc.Invocation;
import org.jspecify.annotations.Nullable;

/**
 * What the SDK keeps with an invocation, in its attributes, which are never sent. One value of each type:
 *
 * <table>
 * <tr><th>type</th><th>what it is</th></tr>
 * <tr><td>{@code OutboundCall}</td><td>at the caller: its state from decision to outcome</td></tr>
 * <tr><td>{@code RouteDecision.Home}</td><td>at the caller: that it stays home</td></tr>
 * <tr><td>{@code OutboundRouteHeaders}</td><td>at the caller: the route headers, until an attempt writes them</td></tr>
 * <tr><td>{@code AttemptEvidence}</td><td>at the caller: what is known about the latest attempt</td></tr>
 * <tr><td>{@code HighwayContext}</td><td>at the destination: the caller and the hops</td></tr>
 * <tr><td>{@code InboundCallAudit}</td><td>at the destination: its line in the audit trail</td></tr>
 * <tr><td>{@code GuardEchoReply}</td><td>at the destination: what the answer states about the guard</td></tr>
 * <tr><td>{@code RefusalStatement}</td><td>at the destination: why its request could not be read</td></tr>
 * <tr><td>{@code MemoryBudget.Body}</td><td>at the destination: the memory that its request takes</td></tr>
 * <tr><td>{@code DubboRequestFacts}, {@code GenericMethod}</td><td>at the destination: what it says, before it is decoded</td></tr>
 * <tr><td>{@code AdmittedRequest}</td><td>at the destination: that the guard has admitted it</td></tr>
 * <tr><td>{@code InboundHttpTunnelCall}</td><td>at the destination: how it came over HTTP</td></tr>
 * </table>
 */
public final class CallAttributes {

    private static final ThreadLocal<@Nullable Invocation> SENT = new ThreadLocal<>();

    private CallAttributes() {}

    /**
     * An invocation is passed to filters, on this thread: one of them may replace it.
     *
     * @return to be given to {@link #passed} when they have returned
     */
    public static @Nullable Invocation passing(Invocation invocation) {
        Invocation outer = SENT.get();
        SENT.set(invocation);
        return outer;
    }

    /** Filters have returned, on the thread that has called {@link #passing}. */
    public static void passed(@Nullable Invocation outer) {
        SENT.set(outer);
    }

    /** Keeps with an invocation what was kept with the one that a filter has replaced by it. */
    public static void adopt(Invocation invocation) {
        Invocation sent = SENT.get();
        if (sent != null && sent != invocation) {
            sent.getAttributes().forEach((type, value) -> {
                if (type instanceof Class<?>) {
                    invocation.put(type, value);
                }
            });
        }
    }

    /** Keeps a value, in place of another one of this type. */
    public static <T> void put(Invocation invocation, Class<T> type, T value) {
        invocation.put(type, value);
    }

    /** The value of this type, or null. */
    public static <T> @Nullable T get(Invocation invocation, Class<T> type) {
        return type.cast(invocation.get(type));
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.channel;

import org.apache.dubbo.remoting.RemotingException;

/**
 * The client of one gateway address and class of calls, whose connection has generations: new calls use the newest that is ready, and
 * older ones stay open until their calls have ended. Invokers of references keep their client. Thread-safe.
 */
public interface GatewayClient {

    /** Whether it is closed for good. */
    boolean isClosed();

    /** Whether the gateway has asked for no new calls and still answers those in flight. */
    boolean isDraining();

    /** Whether the connection is lost, unresponsive, outdated, or drains, and a new one should be made. */
    boolean needsRenewal();

    /**
     * Opens a new connection on this thread if it is needed.
     *
     * @throws RemotingException if the new connection cannot be used
     */
    void renew() throws RemotingException;

    /** Closes connections that do not close themselves: idle ones, or silent ones that drain. */
    void closeDrained();

    /** Whether a call is in flight, on a replaced connection too. */
    boolean hasCallsInFlight();

    /** Fails the calls in flight as maybe executed. */
    void endCalls();

    /** Closes it for good. */
    void close();
}

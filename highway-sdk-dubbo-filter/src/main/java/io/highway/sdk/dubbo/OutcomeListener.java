// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

import org.apache.dubbo.rpc.Invocation;

/**
 * Receives the outcome of each island-bound call once. Calls that stay home are not reported.
 *
 * <p>The caller of an asynchronous call may get its answer before listeners receive the outcome.
 *
 * <p>Called by many threads at once, on the thread that completes the call: it must not block. Exceptions are logged and
 * have no other effect.
 */
@FunctionalInterface
public interface OutcomeListener {

    /**
     * A call has ended. The invocation tells which request the outcome belongs to: it has the arguments, the attachments
     * that the caller set, and the attributes that filters of the application put there ({@link Invocation#get(Object)}).
     *
     * @param outcome how it ended; it may be kept
     * @param invocation the call; it must not be changed, and not be kept beyond this method
     */
    void onOutcome(CallOutcome outcome, Invocation invocation);
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

/**
 * Is told once how each call ended that was meant for an island; calls that stay home are not its business.
 *
 * <p>The caller of an asynchronous call may have its answer a moment before listeners hear of it.
 *
 * <p>Called by many threads at once, on the thread that ends the call, so it must not block. What it throws is logged and
 * changes nothing.
 */
@FunctionalInterface
public interface OutcomeListener {

    /** A call has ended. */
    void onOutcome(CallOutcome outcome);
}

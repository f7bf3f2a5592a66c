// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo;

/**
 * Receives the outcome of each island-bound call once. Calls that stay home are not reported.
 *
 * <p>The caller of an asynchronous call may get its answer before listeners receive the outcome.
 *
 * <p>Called by many threads at once, on the thread that completes the call: it must not block. Exceptions are logged and have
 * no other effect.
 */
@FunctionalInterface
public interface OutcomeListener {

    /** A call has ended. */
    void onOutcome(CallOutcome outcome);
}

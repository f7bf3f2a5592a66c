// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk;

/**
 * An open scope: every call started on this thread goes where its {@link HighwayRoute} says, until it is closed.
 *
 * <p>Scopes nest; the innermost open one counts. {@link #close()} may be called more than once, in any order and on any
 * thread.
 */
public interface HighwayScope extends AutoCloseable {

    /** Ends the scope and restores what held before it. Throws nothing. */
    @Override
    void close();
}

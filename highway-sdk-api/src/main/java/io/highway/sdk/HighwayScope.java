// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk;

/**
 * An open scope: until it is closed, every call started on this thread takes its {@link HighwayRoute}.
 *
 * <p>Scopes nest; the innermost open one counts. {@link #close()} may be called more than once, in any order and on any
 * thread.
 */
public interface HighwayScope extends AutoCloseable {

    /** Ends the scope and restores the previous one. Throws nothing. */
    @Override
    void close();
}

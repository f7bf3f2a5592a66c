// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.bench;

import java.util.concurrent.Callable;

/** The gateway under test lacks a feature that a case needs. */
public final class NotOffered extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** With the missing feature. */
    public NotOffered(String what) {
        super(what);
    }

    /** Makes a step that a gateway may not be able to make. */
    public static <T> T ifUnsupported(Callable<T> step) throws Exception {
        try {
            return step.call();
        } catch (UnsupportedOperationException e) {
            throw new NotOffered(String.valueOf(e.getMessage()));
        }
    }
}

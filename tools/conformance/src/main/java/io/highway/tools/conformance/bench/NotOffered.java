// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.bench;

/** The gateway under test lacks a feature that a case needs. */
public final class NotOffered extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** With the missing feature. */
    public NotOffered(String what) {
        super(what);
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.service;

/** A business exception; its message is the answer without the note. */
public final class DeclinedException extends Exception {

    private static final long serialVersionUID = 1L;

    /** With the answer. */
    public DeclinedException(String answer) {
        super(answer);
    }
}

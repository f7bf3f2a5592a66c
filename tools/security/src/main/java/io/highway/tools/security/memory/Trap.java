// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.memory;

import java.io.Serializable;

/** A class of the provider that no call needs; it records that something initialised it or read one. */
final class Trap implements Serializable {

    private static final long serialVersionUID = 1L;

    static {
        Marks.add(Marks.DECODED);
    }

    /** Called for each that is read. */
    private Object readResolve() {
        Marks.add(Marks.DECODED);
        return this;
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.service;

/** A business exception that the interface declares. */
public final class DeclinedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final int code;
    private final Parcel parcel;

    /** With a reason and fields. */
    public DeclinedException(String message, int code, Parcel parcel) {
        super(message);
        this.code = code;
        this.parcel = parcel;
    }

    /** A field of a simple type. */
    public int code() {
        return code;
    }

    /** A field with structure. */
    public Parcel parcel() {
        return parcel;
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.service;

/** An exception that the interface does not declare. */
public final class BrokenException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int code;
    private final Parcel parcel;

    /** With a reason and fields. */
    public BrokenException(String message, int code, Parcel parcel) {
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

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.upload;

import java.io.Serializable;

/** A part of a file. Not a record: hessian-lite reads classes of any age. */
public final class FilePart implements Serializable {

    private static final long serialVersionUID = 1L;

    private final String sha256;
    private final long offset;
    private final byte[] content;

    /**
     * Creates a part.
     *
     * @param sha256 of the whole file
     * @param offset where the part begins
     */
    public FilePart(String sha256, long offset, byte[] content) {
        this.sha256 = sha256;
        this.offset = offset;
        this.content = content;
    }

    public String sha256() {
        return sha256;
    }

    public long offset() {
        return offset;
    }

    public byte[] content() {
        return content;
    }
}

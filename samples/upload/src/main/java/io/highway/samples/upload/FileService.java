// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.upload;

import org.apache.dubbo.common.stream.StreamObserver;

/** Receives files in parts. A file is named by its SHA-256, so that any process can continue its upload. */
public interface FileService {

    /** How many bytes of a file are stored: where to continue. */
    long stored(String sha256);

    /**
     * Appends parts to a file, in order.
     *
     * @param stored receives how many bytes are stored, after each part
     */
    StreamObserver<FilePart> upload(StreamObserver<Long> stored);

    /**
     * Ends an upload: compares the checksum of what is stored with the name of the file.
     *
     * @return whether they are equal; if not, what is stored is deleted
     */
    boolean finish(String sha256);
}

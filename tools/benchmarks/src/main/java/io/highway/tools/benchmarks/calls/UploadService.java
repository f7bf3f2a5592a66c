// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.calls;

/** Accepts a body and returns a small answer. */
public interface UploadService {

    /** Returns the length of the body. */
    int upload(byte[] body);

    /** Returns the island that the call came from; empty if it came directly. */
    String from();
}

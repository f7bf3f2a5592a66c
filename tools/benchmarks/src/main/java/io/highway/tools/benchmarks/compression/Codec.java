// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.compression;

import java.io.IOException;

/** Compresses and inflates whole messages. Used by one thread. */
interface Codec {

    /** For tables and files. */
    String title();

    byte[] compress(byte[] message) throws IOException;

    byte[] inflate(byte[] compressed) throws IOException;
}

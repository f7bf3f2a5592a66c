// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.test;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What is logged while it is open; it is still printed. */
final class CapturedLog implements AutoCloseable {

    private final PrintStream before = System.err;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    CapturedLog() {
        System.setErr(new PrintStream(new Both(), true, StandardCharsets.UTF_8));
    }

    private final class Both extends OutputStream {

        @Override
        public void write(int one) {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] content, int offset, int length) {
            synchronized (bytes) {
                bytes.write(content, offset, length);
            }
            before.write(content, offset, length);
        }
    }

    /** The lines with this text. */
    List<String> lines(String text) {
        synchronized (bytes) {
            return bytes.toString(StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.contains(text))
                    .toList();
        }
    }

    @Override
    public void close() {
        System.setErr(before);
    }
}

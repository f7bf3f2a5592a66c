// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The SDK's log lines while it is open, which still appear on the error output. */
final class LogLines implements AutoCloseable {

    private final PrintStream before = System.err;
    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();

    LogLines() {
        System.setErr(new PrintStream(
                new OutputStream() {
                    @Override
                    public void write(int b) {
                        before.write(b);
                        lines.write(b);
                    }

                    @Override
                    public void write(byte[] bytes, int offset, int length) {
                        before.write(bytes, offset, length);
                        lines.write(bytes, offset, length);
                    }
                },
                true,
                StandardCharsets.UTF_8));
    }

    /** The lines that contain all of these texts. */
    List<String> with(String... texts) {
        return lines.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line ->
                        line.contains("highway: ") && List.of(texts).stream().allMatch(line::contains))
                .toList();
    }

    @Override
    public void close() {
        System.setErr(before);
    }
}

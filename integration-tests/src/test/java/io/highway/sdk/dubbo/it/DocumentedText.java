// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Messages that pages show: those of a run, but for ports and the width of lines. */
final class DocumentedText {

    private DocumentedText() {}

    /** Fails if a page below {@code docs} does not show the message of a failure. */
    static void assertIsIn(String page, Throwable failure) {
        try {
            assertThat(stable(Files.readString(Path.of("../docs").resolve(page))))
                    .contains(stable(String.valueOf(failure.getMessage())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String stable(String text) {
        return text.replaceAll("test:\\d+", "test:..").replaceAll("\\s+", " ");
    }
}

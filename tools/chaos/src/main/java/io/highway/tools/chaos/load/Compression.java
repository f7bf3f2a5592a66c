// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.load;

import java.util.Locale;

/** The compression in the policy of the consumers. */
public enum Compression {
    NONE,
    GZIP,
    ZSTD,
    AUTO;

    /** One call of so many has a note. */
    private static final int NOTED = 4;

    /** The note has about 1 KB: requests are compressed from 65 bytes on, answers from 512. */
    private static final int LINES = 32;

    /** The value in the policy. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The text that a call carries in both directions; without compression and for most calls it is empty. */
    public String note(int id) {
        return this == NONE || id % NOTED != 0 ? "" : ("{\"order\":" + id + ",\"item\":\"tea\"},").repeat(LINES);
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import java.util.Locale;

/** What can be measured apart. */
enum Part {
    /** Plain Dubbo and both tunnels. */
    TUNNELS,

    /** Compressed requests. */
    ZSTD,

    /** Compressed requests of families whose dictionary is trained with other content. */
    FAMILIES,

    /** Compressed answers. */
    DOWNLOADS,

    /** Small calls beside large ones. */
    CLASSES,

    /** Round trips that take long. */
    LONG;

    /** As the command line has it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.cases;

import java.util.List;
import java.util.stream.Stream;

/** All of them, in the order in which they run. */
public final class Cases {

    private Cases() {}

    /** Those that disturb others come last. */
    public static List<Case> all() {
        return Stream.of(
                        Routing.cases(),
                        WithoutSdk.cases(),
                        Applications.cases(),
                        Modes.cases(),
                        Values.cases(),
                        Bodies.cases(),
                        Attachments.cases(),
                        OddAttachments.cases(),
                        Streaming.cases(),
                        Compression.cases(),
                        Time.cases(),
                        Crowd.cases(),
                        Interop.cases(),
                        Words.cases(),
                        Tls.cases(),
                        Malformed.cases(),
                        Reloads.cases(),
                        Resends.cases(),
                        Outages.cases())
                .flatMap(List::stream)
                .toList();
    }
}

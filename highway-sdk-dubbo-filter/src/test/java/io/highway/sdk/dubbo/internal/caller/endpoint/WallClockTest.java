// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.caller.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The time of day may jump; only signatures and answers to probes carry it, and reports and audit lines show it. */
class WallClockTest {

    private static final Pattern READS = Pattern.compile(
            "currentTimeMillis\\(|(Instant|LocalDateTime|ZonedDateTime)\\.now\\(|\\bClock\\.|new Date\\(\\)");

    @Test
    void isReadForSignaturesAndReportsOnly() throws IOException {
        try (Stream<Path> files = Stream.concat(
                Files.walk(Path.of("src/main/java")),
                Files.walk(Path.of("../highway-sdk-spring-starter/src/main/java")))) {
            List<String> readers = files.filter(file -> file.toString().endsWith(".java"))
                    .filter(WallClockTest::reads)
                    .map(file -> file.getFileName().toString())
                    .toList();

            assertThat(readers)
                    .isSubsetOf(
                            "SignatureService.java", // signs and verifies
                            "OutboundCallAudit.java", // audit lines
                            "InboundCallAudit.java",
                            "GuardEchoReply.java", // compares the clocks of two islands for a probe
                            "ConnectivityCheck.java", // shows when a certificate expires
                            "PolledMeters.java", // shows how long certificates are valid
                            "IslandActivity.java", // shows
                            "PolicyState.java");
        }
    }

    private static boolean reads(Path file) {
        try {
            return READS.matcher(Files.readString(file)).find();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.measure;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.dubbo.common.Version;

/**
 * Where and when numbers were measured, without which they mean nothing.
 *
 * @param cpu the model of its processors, "unknown" where the system does not name it
 * @param cores processors
 * @param jdk vendor and version
 * @param system operating system
 * @param dubbo version
 * @param date in UTC
 * @param loadBefore processes that wanted to run in the minute before; near 0 on a machine with nothing else to do
 */
public record Machine(String cpu, int cores, String jdk, String system, String dubbo, String date, double loadBefore) {

    private static final Path CPUS = Path.of("/proc/cpuinfo");
    private static final String UNKNOWN = "unknown";

    /** This one, now. */
    public static Machine here() {
        return new Machine(
                cpuModel(CPUS),
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("java.vendor") + " JDK " + System.getProperty("java.version"),
                System.getProperty("os.name") + " " + System.getProperty("os.arch"),
                Version.getVersion(),
                LocalDate.now(ZoneOffset.UTC).toString(),
                Math.max(0, ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()));
    }

    /** The processor's name in a file such as Linux's {@code /proc/cpuinfo}. */
    static String cpuModel(Path cpus) {
        try (Stream<String> lines = Files.lines(cpus)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(UNKNOWN);
        } catch (IOException e) {
            return UNKNOWN;
        }
    }

    /** Whether more than half of the cores were in use before, so that the numbers are not for publication. */
    public boolean isBusy() {
        return loadBefore > cores / 2.0;
    }

    /** One line. */
    public String inWords() {
        return String.format(
                Locale.ROOT,
                "%s, %s, %d cores, %s, %s, Dubbo %s; load of the machine before: %.1f%s",
                date,
                cpu,
                cores,
                system,
                jdk,
                dubbo,
                loadBefore,
                isBusy() ? " (busy: above half of its cores, not for publication)" : "");
    }
}

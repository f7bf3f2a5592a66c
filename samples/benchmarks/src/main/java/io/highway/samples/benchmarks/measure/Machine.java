// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.benchmarks.measure;

import java.lang.management.ManagementFactory;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import org.apache.dubbo.common.Version;

/**
 * Where and when numbers were measured, without which they mean nothing.
 *
 * @param cores processors
 * @param jdk vendor and version
 * @param system operating system
 * @param dubbo version
 * @param date in UTC
 * @param loadBefore processes that wanted to run in the minute before; near 0 on a machine with nothing else to do
 */
public record Machine(int cores, String jdk, String system, String dubbo, String date, double loadBefore) {

    /** This one, now. */
    public static Machine here() {
        return new Machine(
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("java.vendor") + " JDK " + System.getProperty("java.version"),
                System.getProperty("os.name") + " " + System.getProperty("os.arch"),
                Version.getVersion(),
                LocalDate.now(ZoneOffset.UTC).toString(),
                Math.max(0, ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()));
    }

    /** One line. */
    public String inWords() {
        return String.format(
                Locale.ROOT,
                "%s, %d cores, %s, %s, Dubbo %s; load of the machine before: %.1f",
                date,
                cores,
                system,
                jdk,
                dubbo,
                loadBefore);
    }
}

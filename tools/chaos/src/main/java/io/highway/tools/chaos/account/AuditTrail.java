// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.account;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The audit trail of an island's providers, in their logs. Each call has its id as trace id, so that its lines can be
 * compared with the ledger. A provider that ends, and the more one that is killed, does not write the lines of the calls that it was serving.
 *
 * @param logs the logs of the providers
 * @param ends when a provider ended
 */
public record AuditTrail(List<Path> logs, List<End> ends) {

    /** More than a provider serves at a time, and has not written. */
    private static final int LOST_BY_AN_END = 1000;

    private static final String LINE = "highway.audit - {";
    private static final Pattern TRACE = Pattern.compile("\"trace\":\"0{24}([0-9a-f]{8})\"");

    /**
     * The end of a provider.
     *
     * @param before how many calls the ledger had before it
     * @param after how many it had when the provider was gone, with those of other providers
     */
    public record End(int before, int after) {}

    public AuditTrail {
        logs = List.copyOf(logs);
        ends = List.copyOf(ends);
    }

    /** The {@code traceparent} of a call. */
    public static String traceparent(int id) {
        return String.format(Locale.ROOT, "00-%032x-%016x-01", id, id + 1);
    }

    /** How often the trail says that each call ran. */
    Ledger read(int calls) throws IOException {
        Ledger audited = Ledger.empty(calls);
        for (Path log : logs) {
            try (Stream<String> lines = Files.lines(log)) {
                lines.filter(line -> line.contains(LINE)
                                && line.contains("\"event\":\"end\"")
                                && line.contains("\"direction\":\"in\"")
                                && line.contains("\"sent\":true"))
                        .map(TRACE::matcher)
                        .filter(Matcher::find)
                        .forEach(trace -> audited.add(Integer.parseInt(trace.group(1), 16)));
            }
        }
        return audited;
    }

    /** Whether the end of a provider explains that the line of this entry of the ledger is missing. */
    boolean isLostByAnEnd(int entry) {
        return ends.stream().anyMatch(end -> entry < end.after && entry >= end.before - LOST_BY_AN_END);
    }
}

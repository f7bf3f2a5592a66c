// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance;

import io.highway.tools.gateways.Protocol;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** The known limits of a gateway, with their source: {@code limits/<gateway>.txt}. */
record KnownLimits(List<Limit> limits) {

    private static final int COLUMNS = 4;

    /** Instead of a case: all cases of a protocol. */
    private static final String ANY = "*";

    private record Limit(String name, String protocol, String reason, String source) {

        static Limit of(String line) {
            String[] columns = line.split("\\|", -1);
            if (columns.length != COLUMNS) {
                throw new IllegalStateException("not \"case | protocol | reason | source\": " + line);
            }
            return new Limit(columns[0].trim(), columns[1].trim(), columns[2].trim(), columns[3].trim());
        }
    }

    /** Those of a gateway, as it is written on the command line; none if there is no such file. */
    static KnownLimits of(String gateway) throws IOException {
        InputStream file = KnownLimits.class.getResourceAsStream("/limits/" + gateway + ".txt");
        if (file == null) {
            return new KnownLimits(List.of());
        }
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
            return new KnownLimits(lines.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(Limit::of)
                    .toList());
        }
    }

    /** The cases that are excused. */
    List<String> names() {
        return limits.stream()
                .map(Limit::name)
                .filter(name -> !name.equals(ANY))
                .toList();
    }

    /** Why a case is not supported, and the source of that. */
    Optional<String> on(String name, Protocol protocol) {
        return limits.stream()
                .filter(limit ->
                        (limit.name.equals(ANY) || limit.name.equals(name)) && limit.protocol.equals(protocol.word()))
                .map(limit -> limit.reason + " (" + limit.source + ")")
                .findFirst();
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.kit;

import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** This release against older ones, each as caller and as provider, in processes with separate class paths. */
public final class Skew implements AutoCloseable {

    private static final String SECRET = "0123456789abcdef0123456789abcdef";

    /** A column of the table. */
    private enum Way {
        DUBBO("dubbo", "none"),
        TRIPLE("triple", "none"),
        GZIP("triple", "gzip"),
        ZSTD("triple", "zstd");

        private final String tunnel;
        private final String compression;

        Way(String tunnel, String compression) {
            this.tunnel = tunnel;
            this.compression = compression;
        }

        String word() {
            return compression.equals("none") ? tunnel : tunnel + ", " + compression;
        }
    }

    private final Processes processes;
    private final List<String> errors = new ArrayList<>();
    private final List<String> table = new ArrayList<>();
    private int cells;
    private int passed;
    private int notPossible;

    private Skew(Path folder) throws IOException {
        this.processes = new Processes(folder);
    }

    /** Arguments: {@code --markdown} if wanted, older releases as {@link Release#parse} has them, a folder for logs. */
    public static void main(String[] arguments) throws IOException {
        List<String> words = new ArrayList<>(Arrays.asList(arguments));
        boolean markdown = words.remove("--markdown");
        Path folder = Path.of(words.remove(words.size() - 1));
        int exitCode;
        try (Skew skew = new Skew(folder)) {
            for (String word : words) {
                Release older = Release.parse(word);
                skew.row(older, Release.current(), older);
                skew.row(Release.current(), older, older);
            }
            exitCode = skew.report(markdown);
        }
        System.exit(exitCode);
    }

    /** Makes the calls of a line of the table. */
    private void row(Release caller, Release provider, Release older) throws IOException {
        StringBuilder row = new StringBuilder("| " + caller.name() + " | " + provider.name() + " |");
        for (Way way : Way.values()) {
            boolean known = older.lacks().contains(way.compression);
            String unsigned = cell(caller, provider, way, false, known);
            String signed =
                    cell(caller, provider, way, true, known || older.lacks().contains("signed"));
            row.append(column(unsigned, signed));
        }
        table.add(row.toString());
    }

    private String column(String unsigned, String signed) {
        if (!unsigned.equals(SkewCaller.PASSED)) {
            return " no<sup>" + number(unsigned) + "</sup> |";
        }
        return signed.equals(SkewCaller.PASSED) ? " yes |" : " unsigned<sup>" + number(signed) + "</sup> |";
    }

    private int number(String error) {
        if (!errors.contains(error)) {
            errors.add(error);
        }
        return errors.indexOf(error) + 1;
    }

    /**
     * Makes the calls of one way.
     *
     * @param impossible whether they are known to fail
     * @return how they ended
     */
    private String cell(Release caller, Release provider, Way way, boolean signed, boolean impossible)
            throws IOException {
        cells++;
        String outcome = outcome("cell-" + cells, caller, provider, way, signed);
        String what = caller.name() + " calls " + provider.name() + ", " + way.word() + (signed ? ", signed" : "");
        if (outcome.equals(SkewCaller.PASSED) == impossible) {
            System.out.println(
                    "skew: " + what + (impossible ? ": passed, though it was not possible" : ": failed: " + outcome));
        } else if (impossible) {
            notPossible++;
            System.out.println("skew: " + what + ": not possible: " + outcome);
        } else {
            passed++;
            System.out.println("skew: " + what + ": passed");
        }
        return outcome;
    }

    private String outcome(String cell, Release caller, Release provider, Way way, boolean signed) throws IOException {
        int dubbo = FreePorts.next();
        int triple = FreePorts.next();
        List<String> accepts = signed ? List.of("-Dhighway.sign.accept.zhejiang=" + SECRET) : List.of();
        start(cell + "-provider", "shanghai", accepts, provider, SkewProvider.class, dubbo, triple);
        processes.ready(cell + "-provider");
        Gateway gateway = Gateway.start(GatewayConfig.builder()
                .island("shanghai")
                .listen("gateway.shanghai.test", 0)
                .providers("shanghai", "*", List.of("shanghai.test:" + dubbo), List.of("shanghai.test:" + triple))
                .build());
        try {
            List<String> keys = new ArrayList<>(List.of(
                    "-Dhighway.gateways." + way.tunnel + "=gateway.shanghai.test:" + gateway.port(),
                    "-Dhighway.islands.shanghai.tunnel=" + way.tunnel,
                    "-Dhighway.islands.shanghai.compression=" + way.compression,
                    "-Dhighway.islands.shanghai.timeout=10s"));
            if (signed) {
                keys.addAll(List.of("-Dhighway.sign.key-id=zhejiang", "-Dhighway.sign.secret=" + SECRET));
            }
            start(cell + "-caller", "zhejiang", keys, caller, SkewCaller.class);
            String outcome = processes.ready(cell + "-caller");
            boolean compressed = way.compression.equals("none")
                    || gateway.stats().encodings().containsKey(way.compression);
            return compressed || !outcome.equals(SkewCaller.PASSED) ? outcome : "nothing was compressed";
        } finally {
            gateway.closeNow();
            processes.get(cell + "-provider").kill();
        }
    }

    private void start(
            String name, String island, List<String> keys, Release release, Class<?> main, Object... arguments) {
        List<String> options = new ArrayList<>(keys);
        options.add("-Dhighway.island=" + island);
        options.add("-Ddubbo.application.qos-enable=false");
        processes.start(name, options, release.classPath(), main.getName(), arguments);
    }

    private int report(boolean markdown) {
        if (markdown) {
            System.out.println("| caller | provider | dubbo | triple | triple, gzip | triple, zstd |");
            System.out.println("|---|---|---|---|---|---|");
            table.forEach(System.out::println);
            System.out.println();
            errors.forEach(error -> System.out.println(number(error) + ". `" + error + "`"));
        }
        System.out.printf("skew: %d cells, %d passed, %d not possible%n", cells, passed, notPossible);
        return passed + notPossible == cells ? 0 : 1;
    }

    @Override
    public void close() {
        processes.close();
    }
}

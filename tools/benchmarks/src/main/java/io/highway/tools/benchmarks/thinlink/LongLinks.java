// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.thinlink;

import io.highway.tools.benchmarks.calls.CallerApplication;
import io.highway.tools.benchmarks.measure.Callers;
import io.highway.tools.benchmarks.measure.Measurement;
import io.highway.tools.benchmarks.measure.Report;
import io.highway.tools.benchmarks.measure.Table;
import io.highway.tools.benchmarks.orders.Family;
import io.highway.tools.gateways.Protocol;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToLongFunction;

/** Calls over a long link: plain Dubbo and both tunnels, large requests and large answers. */
final class LongLinks {

    /** Bodies of 4 MB are sent, as plain Dubbo sends them. */
    private static final Map<String, String> LARGE = Map.of("max-request-size", "8MB");

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double PERCENT = 100;
    private static final String PLAIN = "plain ";
    private static final String TUNNEL = " tunnel";

    private final int width;
    private final Link link;
    private final String dubboProvider;
    private final String tripleProvider;
    private final String entrance;
    private final List<Result> results = new ArrayList<>();

    /**
     * Not measured yet.
     *
     * @param width in Mbit/s
     * @param dubboProvider {@code host:port}
     * @param tripleProvider {@code host:port}
     * @param entrance of home's gateway, {@code host:port}
     */
    LongLinks(int width, Link link, String dubboProvider, String tripleProvider, String entrance) {
        this.width = width;
        this.link = link;
        this.dubboProvider = dubboProvider;
        this.tripleProvider = tripleProvider;
        this.entrance = entrance;
    }

    /** A path with connections that have known one round trip only. */
    private record Way(String name, Protocol protocol, CallerApplication application, OrderExchange far)
            implements AutoCloseable {

        @Override
        public void close() {
            application.close();
        }
    }

    /** While all callers call: neither the beginning, when the link is not full yet, nor the end. */
    private record Result(Cells.Cell cell, Way way, Measurement calls, double goodput, double use) {}

    /**
     * Measures all cells.
     *
     * @param warmUp how long callers call in each before it counts
     * @param slice how long they call in all
     */
    void measure(Cells cells, Callers callers, Duration warmUp, Duration slice)
            throws IOException, InterruptedException {
        link.width(width);
        for (int roundTrip : cells.eachRoundTrip()) {
            link.roundTrip(roundTrip);
            List<Way> ways = new ArrayList<>();
            try {
                ways.add(plain(Protocol.DUBBO, dubboProvider));
                ways.add(plain(Protocol.TRIPLE, tripleProvider));
                ways.add(tunnel(Protocol.DUBBO, entrance));
                ways.add(tunnel(Protocol.TRIPLE, entrance));
                for (Cells.Cell cell : cells.of(roundTrip)) {
                    for (Way way : ways) {
                        results.add(measure(cell, way, callers, warmUp, slice));
                    }
                }
            } finally {
                ways.forEach(Way::close);
            }
        }
    }

    private static Way plain(Protocol protocol, String provider) {
        CallerApplication application = CallerApplication.plain();
        return new Way(
                PLAIN + protocol.title(),
                protocol,
                application,
                application.direct(OrderExchange.class, protocol, provider));
    }

    private static Way tunnel(Protocol protocol, String entrance) {
        CallerApplication application = CallerApplication.tunnelling(protocol, entrance, LARGE);
        return new Way(protocol.word() + TUNNEL, protocol, application, application.routed(OrderExchange.class));
    }

    private Result measure(Cells.Cell cell, Way way, Callers callers, Duration warmUp, Duration slice)
            throws IOException, InterruptedException {
        int bytes = cell.bytes();
        Callable<?> call = call(cell, way.far);
        ToLongFunction<Link.Traffic> loaded = cell.isDownload() ? Link.Traffic::bytesBack : Link.Traffic::bytes;
        Link.Traffic before = Link.traffic();
        CompletableFuture<Measurement> calling = callers.begin(cell.callers(), slice, call);
        Thread.sleep(warmUp.toMillis());
        long begun = System.nanoTime();
        Link.Traffic first = Link.traffic();
        Thread.sleep(slice.minus(warmUp).toMillis());
        double perSecond =
                loaded.applyAsLong(Link.traffic().since(first)) * NANOS_PER_SECOND / (System.nanoTime() - begun);
        Measurement calls = calling.join();
        double bodies = (double) calls.calls()
                * bytes
                / loaded.applyAsLong(Link.traffic().since(before));
        double use = perSecond / Link.BYTES_PER_MEGABIT;
        return new Result(cell, way, calls, use * bodies, use / width);
    }

    /** All callers have the same body: 64 of 4 MB would need more memory than the processes have. */
    private static Callable<?> call(Cells.Cell cell, OrderExchange far) {
        int bytes = cell.bytes();
        byte[] body = (byte[]) Family.RANDOM.message(Family.Half.MEASURED, bytes, 0);
        return () -> {
            int arrived = cell.isDownload() ? far.get(Family.RANDOM.name(), bytes, 0).length : far.put(body);
            if (arrived != bytes) {
                throw new IllegalStateException(arrived + " of " + bytes + " bytes arrived");
            }
            return arrived;
        };
    }

    /** Adds all that was measured. */
    void addTo(Report report) {
        results.stream()
                .map(result -> result.cell.roundTrip())
                .distinct()
                .forEach(roundTrip -> addTable(report, roundTrip));
        for (boolean isDownload : List.of(false, true)) {
            String field = "long_goodput" + (isDownload ? "_download" : "") + "_80k_" + Cells.MIDDLE + "ms";
            report.field(field, least(isDownload, ""));
            for (Protocol protocol : Protocol.OF_DUBBO) {
                report.field(field + "_" + protocol.word(), least(isDownload, protocol.word()));
            }
        }
    }

    /** The goodput of a tunnel with 80 KB and 8 callers over the middle round trip, as a part of the link. */
    private double least(boolean isDownload, String protocol) {
        Cells.Cell cell = new Cells.Cell(Cells.MIDDLE, Group.LARGE, Cells.SOME, isDownload);
        return results.stream()
                .filter(result -> result.cell.equals(cell))
                .filter(result -> result.way.name.endsWith(TUNNEL) && result.way.name.startsWith(protocol))
                .mapToDouble(result -> result.goodput / width)
                .min()
                .orElse(Double.NaN);
    }

    private void addTable(Report report, int roundTrip) {
        Table table = report.table(
                String.format("%d Mbit/s, round trips of %d ms", width, roundTrip),
                "",
                "bodies",
                "callers",
                "goodput Mbit/s",
                "of the link",
                "link",
                "p50 ms",
                "p99 ms");
        for (Result result : results) {
            Cells.Cell cell = result.cell;
            if (cell.roundTrip() != roundTrip) {
                continue;
            }
            String direction = cell.isDownload() ? "download" : "upload";
            table.add()
                    .show("way", "%s", result.way.name)
                    .with("protocol", result.way.protocol.word())
                    .with("rate_mbit", width)
                    .with("round_trip_ms", roundTrip)
                    .with("content", Family.RANDOM.title())
                    .with("direction", direction)
                    .with("body_bytes", cell.bytes())
                    .cells(direction + " of " + cell.bytes() / 1024 + " KB")
                    .show("callers", "%d", cell.callers())
                    .show("goodput_mbit", "%.1f", result.goodput)
                    .with("goodput_to_link", result.goodput / width)
                    .cells(String.format("%.1f %%", PERCENT * result.goodput / width))
                    .with("link_use", result.use)
                    .cells(String.format("%.0f %%", PERCENT * result.use))
                    .show("p50_ms", "%.1f", result.calls.p50Millis())
                    .show("p99_ms", "%.1f", result.calls.p99Millis())
                    .with("failed", result.calls.failed());
            report.failed(result.calls.failed(), result.way.name + ", " + cell, result.calls.firstFailure());
        }
    }
}

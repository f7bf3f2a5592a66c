// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.bench;

import com.alibaba.com.caucho.hessian.io.Hessian2Input;
import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.tools.conformance.provider.ProviderProcess;
import io.highway.tools.conformance.service.Ledger;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.fixtures.faults.FaultyLinks;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.gateways.Island;
import io.highway.tools.gateways.Protocol;
import io.highway.tools.processes.ClassPath;
import io.highway.tools.processes.DubboCaller;
import io.highway.tools.processes.Links;
import io.highway.tools.processes.Ports;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.dubbo.common.Version;

/**
 * The destinations, each with one provider in a separate process:
 *
 * <ol>
 *   <li>{@code shanghai}, {@code beijing}: with the SDK; shanghai has a dictionary for calls from home, and beijing's
 *       provider may be replaced behind its addresses
 *   <li>{@code guangdong}: without it, with the setting that the SDK's documentation advises; behind links that are
 *       metered
 *   <li>{@code sichuan}: without it and without that setting
 *   <li>{@code yunnan}: without it, with the setting, on an older line of Dubbo
 * </ol>
 *
 * <p>{@code hainan} has no Dubbo: a {@link RawPeer} of this process takes Triple, and nothing takes Dubbo frames.
 */
public final class Islands implements AutoCloseable {

    /** All of them. */
    public static final List<String> ALL = List.of("shanghai", "beijing", "guangdong", "sichuan", "yunnan", "hainan");

    /** One that callers have a key of, and no gateway a route. */
    public static final String UNKNOWN = "atlantis";

    /** Those with a Dubbo provider. */
    public static final List<String> PROVIDERS = ALL.subList(0, 5);

    /** The one whose provider answers as scripted. */
    public static final String RAW = "hainan";

    /** The one whose provider is replaced at the same addresses. */
    public static final String REPLACEABLE = "beijing";

    private static final List<String> WITH_SDK = List.of("shanghai", "beijing");
    private static final String KNOWING = "shanghai";
    private static final String BILLING = "billing";
    private static final String METERED = "guangdong";
    private static final String STOCK = "sichuan";
    private static final String OLDER = "yunnan";

    /** Dubbo's server starts with one byte more than HTTP/2 allows; nginx and HAProxy fail on it. */
    private static final String WINDOW = "-Ddubbo.protocol.triple.connection-initial-window-size=65535";

    private final Processes processes;
    private final boolean both;
    private final Map<String, Ports> ports = new LinkedHashMap<>();
    private final Map<String, DubboCaller> controls = new ConcurrentHashMap<>();
    private final Map<String, Ledger> ledgers = new ConcurrentHashMap<>();
    private final Map<String, Integer> starts = new LinkedHashMap<>();
    private final FaultyLinks links = new FaultyLinks();
    private final Map<String, Links> linked = new HashMap<>();
    private final RawPeer raw;
    private final Path dictionary;

    /**
     * Starts all of them and returns when they are ready.
     *
     * @param both whether shanghai stands in for beijing, and gateways find both at beijing's addresses
     */
    public Islands(Processes processes, boolean both) throws IOException {
        this.processes = processes;
        this.both = both;
        this.dictionary = OrderTexts.dictionary();
        ALL.forEach(island -> ports.put(island, Ports.free()));
        for (String island : List.of(METERED, REPLACEABLE)) {
            linked.put(island, Links.to(at(island), port -> links.link(0, port)));
        }
        this.raw = new RawPeer(at(RAW).triple());
        PROVIDERS.forEach(this::launch);
        PROVIDERS.forEach(this::awaitReady);
    }

    private Ports at(String island) {
        return Objects.requireNonNull(ports.get(island));
    }

    private void launch(String island) {
        List<String> options = new ArrayList<>(List.of("-Xmx512m", "-XX:MaxDirectMemorySize=2g"));
        if (!island.equals(STOCK)) {
            options.add(WINDOW);
        }
        String classPath = System.getProperty("java.class.path");
        if (WITH_SDK.contains(island)) {
            options.addAll(List.of(
                    "-Dhighway.island=" + island,
                    "-Dhighway.http.port=" + at(island).http()));
            if (both && island.equals(KNOWING)) {
                options.add("-Dhighway.guard.stands-in-for." + REPLACEABLE + "=*");
            }
            if (island.equals(KNOWING)) {
                String zhejiang = "-Dhighway.islands." + Bench.HOME;
                options.addAll(List.of(
                        "-Dhighway.dictionaries.orders=file:" + dictionary,
                        zhejiang + ".compression=auto",
                        zhejiang + ".dictionary=orders"));
            }
        } else if (island.equals(OLDER)) {
            options.addAll(ClassPath.OPTIONS_OF_DUBBO_32);
            classPath = ClassPath.withDubbo32(
                    ProviderProcess.class,
                    List.of(Highway.class, HighwayException.class, Version.class, Hessian2Input.class));
        } else {
            classPath = ClassPath.without(List.of(Highway.class, HighwayException.class));
        }
        Ports at = at(island);
        starts.merge(island, 1, Integer::sum);
        processes.start(
                processName(island),
                options,
                classPath,
                ProviderProcess.class.getName(),
                island,
                at.dubbo(),
                at.triple());
    }

    private void awaitReady(String island) {
        processes.ready(processName(island));
        connect(island);
    }

    private void connect(String island) {
        DubboCaller control = DubboCaller.withoutSdk("control-" + island);
        DubboCaller before = controls.put(island, control);
        if (before != null) {
            before.close();
        }
        ledgers.put(
                island,
                control.refer(
                        Ledger.class,
                        "dubbo://" + island + ".test:" + at(island).dubbo()));
    }

    /** Each start has a separate log. */
    private String processName(String island) {
        return island + "-provider" + (Objects.equals(starts.get(island), 1) ? "" : "." + starts.get(island));
    }

    /** Where a gateway finds them. */
    public List<Island> all() {
        List<Island> all = new ArrayList<>();
        ports.forEach((id, own) -> {
            Links links = linked.get(id);
            Ports at = links == null ? own : links.ports();
            String other = both && id.equals(REPLACEABLE) ? "," + KNOWING + ".test:" : "";
            Ports there = at(KNOWING);
            boolean hasSdk = WITH_SDK.contains(id);
            Optional<String> http = hasSdk ? Optional.of(id + ".test:" + at.http()) : Optional.empty();
            all.add(new Island(
                    id,
                    id + ".test:" + at.dubbo() + (other.isEmpty() ? "" : other + there.dubbo()),
                    id + ".test:" + at.triple() + (other.isEmpty() ? "" : other + there.triple()),
                    http.map(address -> address + (other.isEmpty() ? "" : other + there.http())),
                    hasSdk));
        });
        return all;
    }

    /** Where a gateway finds this one. */
    public Island island(String id) {
        return all().stream()
                .filter(island -> island.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    /** Starts shanghai's second application and returns when it is ready. */
    public Island startBilling() {
        int dubbo = FreePorts.next();
        int triple = FreePorts.next();
        processes.start(
                KNOWING + "-" + BILLING,
                List.of("-Xmx256m", "-Dhighway.island=" + KNOWING),
                ProviderProcess.class,
                KNOWING,
                dubbo,
                triple,
                BILLING);
        processes.ready(KNOWING + "-" + BILLING);
        return new Island(KNOWING, KNOWING + ".test:" + dubbo, KNOWING + ".test:" + triple);
    }

    /** What an island's provider has seen. */
    public Ledger ledger(String island) {
        return Objects.requireNonNull(ledgers.get(island), island);
    }

    /** Those whose providers take this protocol: a gateway with nothing behind it is down, and is logged as that. */
    static List<String> behind(Protocol protocol) {
        return switch (protocol) {
            case DUBBO -> PROVIDERS;
            case TRIPLE -> ALL;
            case HTTP -> WITH_SDK;
        };
    }

    /** Those of {@code islands} whose providers take this protocol. */
    public static List<String> among(Protocol protocol, String... islands) {
        return Stream.of(islands).filter(behind(protocol)::contains).toList();
    }

    /** How many times an id has been executed, in all islands together. */
    public int executions(String id) {
        return ledgers.values().stream()
                .mapToInt(ledger -> ledger.executions(id))
                .sum();
    }

    /** The file with shanghai's dictionary for home. */
    public Path dictionary() {
        return dictionary;
    }

    /** Hainan's provider. */
    public RawPeer raw() {
        return raw;
    }

    /** The link before guangdong's provider. */
    public FaultyLink metered(Protocol protocol) {
        Links metered = links(METERED);
        return protocol == Protocol.DUBBO ? metered.dubbo() : metered.triple();
    }

    private static void redirect(Links links, Ports provider) {
        links.dubbo().redirect(provider.dubbo());
        links.triple().redirect(provider.triple());
        links.http().redirect(provider.http());
        links.all().forEach(FaultyLink::open);
    }

    private Links links(String island) {
        return Objects.requireNonNull(linked.get(island));
    }

    /** Kills the provider of {@link #REPLACEABLE}, whose addresses refuse connections then. */
    public void kill(String island) {
        links(island).all().forEach(FaultyLink::refuse);
        processes.get(processName(island)).kill();
    }

    /** Starts the provider of {@link #REPLACEABLE} again, with an empty journal, and returns when it is ready. */
    public void restart(String island) {
        startNext(island).run();
    }

    /**
     * Starts another provider of {@link #REPLACEABLE} beside the one there is, with a journal of its own, and returns when it
     * is ready.
     *
     * @return kills the one there is; from then on connections, and {@link #ledger}, lead to the other
     */
    public Runnable startNext(String island) {
        String before = processName(island);
        ports.put(island, Ports.free());
        launch(island);
        processes.ready(processName(island));
        return () -> {
            redirect(links(island), at(island));
            processes.get(before).kill();
            connect(island);
        };
    }

    @Override
    public void close() {
        controls.values().forEach(DubboCaller::close);
        links.close();
        raw.close();
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.star;

import static io.highway.tools.processes.Processes.next;
import static io.highway.tools.processes.Processes.providers;

import io.highway.tools.chaos.account.AuditTrail;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.fixtures.faults.FaultyLinks;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Everything around the consumers; each {@code ~} is a link that can fail, one per protocol where there are two:
 *
 * <pre>
 *   consumers ~~ home gateway 1 ~ far gateway ~~ provider in shanghai
 *             ~~ home gateway 2 ~
 *             -- provider in zhejiang, for calls that stay home
 *   plain caller -- plain gateway -- provider in zhejiang
 * </pre>
 */
public final class Star implements AutoCloseable {

    /** The logs of providers contain the audit trail. */
    private static final Pattern OF_A_RUN =
            Pattern.compile(".*\\.(ledger|notes|yaml)|.*-(provider|gateway|caller)\\b.*\\.log");

    private static final String HOME = "zhejiang";
    private static final String FAR = "shanghai";
    private static final String HOME_GATEWAY_HOST = "gateway.zhejiang.test";
    private static final String FAR_GATEWAY_HOST = "gateway.shanghai.test";
    private static final String PLAIN_GATEWAY_HOST = "gateway.hub.test";
    private static final String FAR_HOST = "shanghai.test";
    private static final String HOME_HOST = "zhejiang.test";

    private final Path folder;
    private final boolean audited;
    private final @Nullable Path dictionary;
    private volatile boolean dictionaryWithheld;
    private final List<AuditTrail.End> ends = new ArrayList<>();
    private final Processes processes;
    private final FaultyLinks links = new FaultyLinks();
    private final Set<Integer> ports = new HashSet<>();
    private final Set<Integer> gatewayPorts = new HashSet<>();

    private final int homeDubbo = port();
    private final int homeTriple = port();
    private final int farDubbo = port();
    private final int farTriple = port();
    private final int farGatewayPort = port();
    private final int farDubboLinkPort = port();
    private final int farTripleLinkPort = port();
    private final int secondDubboLinkPort = port();
    private final int secondTripleLinkPort = port();
    private final int plainGatewayPort = port();

    private final List<FaultyLink> toProvider;
    private final Node provider;
    private final @Nullable Node secondProvider;
    private final Node farGateway;
    private final List<HomeGateway> homeGateways;
    private final StringBuilder dubboAddresses = new StringBuilder();
    private final StringBuilder tripleAddresses = new StringBuilder();
    private final PlainDubbo plainDubbo;
    private final Node plainGateway;

    private Star(Path folder, boolean audited, boolean withDictionary) throws IOException {
        this.folder = folder;
        this.audited = audited;
        this.processes = new Processes(folder);
        this.dictionary = withDictionary ? NoteDictionary.write(folder.resolve("notes.dict")) : null;
        List<FaultyLink> toFirst =
                List.of(links.link(farDubboLinkPort, farDubbo), links.link(farTripleLinkPort, farTriple));
        this.provider =
                new Node(processes, "shanghai-provider", name -> provider(name, FAR, farDubbo, farTriple), toFirst);
        if (withDictionary) {
            int dubbo = port();
            int triple = port();
            List<FaultyLink> toSecond =
                    List.of(links.link(secondDubboLinkPort, dubbo), links.link(secondTripleLinkPort, triple));
            this.secondProvider =
                    new Node(processes, "shanghai-provider-b", name -> provider(name, FAR, dubbo, triple), toSecond);
            this.toProvider = Stream.concat(toFirst.stream(), toSecond.stream()).toList();
        } else {
            this.secondProvider = null;
            this.toProvider = toFirst;
        }
        int onwardPort1 = port();
        int onwardPort2 = port();
        FaultyLink onward1 = links.link(onwardPort1, farGatewayPort);
        FaultyLink onward2 = links.link(onwardPort2, farGatewayPort);
        this.farGateway = new Node(
                processes,
                "shanghai-gateway",
                name -> gateway(name, FAR, FAR_GATEWAY_HOST + ":" + farGatewayPort, farProviders()),
                List.of(onward1, onward2));
        this.homeGateways = List.of(homeGateway(1, onward1, onwardPort1), homeGateway(2, onward2, onwardPort2));
        String plainAddress = PLAIN_GATEWAY_HOST + ":" + plainGatewayPort;
        this.plainGateway = new Node(
                processes,
                "plain-gateway",
                name -> gateway(
                        name, HOME, plainAddress, providers(HOME_HOST + ":" + homeDubbo, HOME_HOST + ":" + homeTriple)),
                List.of());
        this.plainDubbo = new PlainDubbo(processes, plainGateway, plainAddress, folder.resolve("plain-caller.notes"));
    }

    /**
     * Starts everything and returns when all of it is ready; logs, configuration and ledgers are in {@code folder}.
     *
     * @param plain whether with plain Dubbo beside it
     * @param audited whether with an audit trail
     * @param withDictionary whether with a dictionary, and with a second provider in shanghai
     */
    public static Star start(Path folder, boolean plain, boolean audited, boolean withDictionary) throws IOException {
        clear(folder);
        Star star = new Star(folder, audited, withDictionary);
        try {
            star.startAll(plain);
            return star;
        } catch (RuntimeException e) {
            star.close();
            throw e;
        }
    }

    /** Deletes the files of an earlier run, which would be read as this run's. */
    private static void clear(Path folder) throws IOException {
        Files.createDirectories(folder);
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(file ->
                            OF_A_RUN.matcher(file.getFileName().toString()).matches())
                    .toList()) {
                Files.delete(file);
            }
        }
    }

    private void startAll(boolean plain) {
        Node home = new Node(
                processes, "zhejiang-provider", name -> provider(name, HOME, homeDubbo, homeTriple), List.of());
        Stream.Builder<Node> nodes = Stream.builder();
        nodes.add(home).add(provider).add(farGateway);
        if (secondProvider != null) {
            nodes.add(secondProvider);
        }
        homeGateways.forEach(gateway -> nodes.add(gateway.node()));
        if (plain) {
            nodes.add(plainGateway);
        }
        List<Node> all = nodes.build().toList();
        all.forEach(Node::start);
        all.forEach(Node::awaitReady);
    }

    private HomeGateway homeGateway(int number, FaultyLink onward, int onwardPort) {
        int port = port();
        int dubboPort = port();
        int triplePort = port();
        gatewayPorts.addAll(List.of(dubboPort, triplePort));
        FaultyLink dubbo = links.link(dubboPort, port);
        FaultyLink triple = links.link(triplePort, port);
        dubboAddresses
                .append(number == 1 ? "" : ",")
                .append(HOME_GATEWAY_HOST)
                .append(':')
                .append(dubboPort);
        tripleAddresses
                .append(number == 1 ? "" : ",")
                .append(HOME_GATEWAY_HOST)
                .append(':')
                .append(triplePort);
        Node node = new Node(
                processes,
                "zhejiang-gateway-" + number,
                name -> gateway(name, HOME, HOME_GATEWAY_HOST + ":" + port, next(FAR_GATEWAY_HOST + ":" + onwardPort)),
                List.of(dubbo, triple));
        return new HomeGateway(node, dubbo, triple, onward);
    }

    private String farProviders() {
        return secondProvider == null
                ? providers(FAR_HOST + ":" + farDubboLinkPort, FAR_HOST + ":" + farTripleLinkPort)
                : "{providers: {'*': {dubbo: ['%1$s:%2$d', '%1$s:%3$d'], triple: ['%1$s:%4$d', '%1$s:%5$d']}}}"
                        .formatted(
                                FAR_HOST,
                                farDubboLinkPort,
                                secondDubboLinkPort,
                                farTripleLinkPort,
                                secondTripleLinkPort);
    }

    private void provider(String name, String island, int dubbo, int triple) {
        List<String> options = new ArrayList<>(List.of("-Dhighway.island=" + island));
        if (audited) {
            options.addAll(List.of(
                    "-Dhighway.audit.enabled=true",
                    "-Dhighway.audit.overflow=refuse",
                    "-Dorg.slf4j.simpleLogger.log.highway.audit=info"));
        }
        if (dictionary != null && island.equals(FAR)) {
            options.add("-Ddubbo.service.shutdown.wait=2000");
            if (!dictionaryWithheld) {
                options.add("-Dhighway.islands.zhejiang.compression=auto");
                options.add("-Dhighway.dictionaries.notes=file:" + dictionary);
                options.add("-Dhighway.islands.zhejiang.dictionary=notes");
            }
        }
        processes.start(
                name,
                options,
                ProviderProcess.class,
                String.valueOf(dubbo),
                String.valueOf(triple),
                ledger(island).toString());
    }

    /** Calls for other islands go to shanghai; a call of the plain caller names no island and stays. */
    private void gateway(String name, String island, String listen, String route) {
        String routes = name.startsWith("plain")
                ? "  zhejiang: " + route + "\nwithout-island: zhejiang\n"
                : "  shanghai: " + route + "\n";
        try {
            String yaml = "island: " + island + "\nlisten: " + listen + "\ngrace: 2s\nroutes:\n" + routes;
            if (dictionary == null || !island.equals(FAR)) {
                processes.startGateway(name, yaml);
                return;
            }
            Path file = Files.writeString(folder.resolve(name + ".yaml"), yaml);
            processes.start(
                    name,
                    List.of(),
                    CountingGatewayProcess.class,
                    file.toString(),
                    folder.resolve(name + ".encodings.notes").toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int port() {
        int port = FreePorts.next();
        while (!ports.add(port)) {
            port = FreePorts.next();
        }
        return port;
    }

    /** Shanghai's provider. */
    public Node provider() {
        return provider;
    }

    /** Shanghai's second provider, if there is a dictionary. */
    public Optional<Node> secondProvider() {
        return Optional.ofNullable(secondProvider);
    }

    /** Whether providers of shanghai that are started from now on do not have the dictionary. */
    public void withholdDictionary(boolean withheld) {
        dictionaryWithheld = withheld;
    }

    /** Keys of the consumers; none without a dictionary. */
    public Map<String, String> dictionaryKeys() {
        return dictionary == null
                ? Map.of()
                : Map.of(
                        "highway.dictionaries.notes",
                        "file:" + dictionary,
                        "highway.islands.shanghai.dictionary",
                        "notes");
    }

    /** How many requests shanghai's gateway has forwarded that were compressed with the dictionary. */
    public long dictionaryRequests() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return CountingGatewayProcess.requests(
                    files.filter(file -> file.toString().endsWith(".encodings.notes"))
                            .toList(),
                    "zstd-");
        }
    }

    /** Kills shanghai's provider. */
    public void killProvider() {
        end(provider::kill);
    }

    /** Stops a provider of shanghai gracefully, and starts it again. */
    public void restartProvider(Node node) {
        end(node::end);
        node.start();
        node.awaitReady();
    }

    private void end(Runnable end) {
        int before = executedCalls();
        end.run();
        ends.add(new AuditTrail.End(before, executedCalls()));
    }

    private int executedCalls() {
        try (Stream<String> calls = Files.lines(ledger(FAR))) {
            return (int) calls.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The audit trail of shanghai's providers. */
    public AuditTrail auditTrail() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return new AuditTrail(
                    files.filter(file -> file.getFileName().toString().matches("shanghai-provider.*\\.log"))
                            .toList(),
                    ends);
        }
    }

    /** Shanghai's gateway. */
    public Node farGateway() {
        return farGateway;
    }

    /** Home's first gateway, which most faults are about. */
    public HomeGateway first() {
        return homeGateways.get(0);
    }

    /** Home's second gateway. */
    public HomeGateway second() {
        return homeGateways.get(1);
    }

    /** The links between the far gateway and its provider. */
    public List<FaultyLink> toProvider() {
        return toProvider;
    }

    /** Every link. */
    public List<FaultyLink> links() {
        Stream<FaultyLink> home = homeGateways.stream()
                .flatMap(gateway -> Stream.of(gateway.dubbo(), gateway.triple(), gateway.onward()));
        return Stream.concat(home, toProvider.stream()).toList();
    }

    /** What consumers and home's gateways have exchanged over the Dubbo protocol, in both directions. */
    public long dubboBytes() {
        return homeGateways.stream()
                .mapToLong(gateway -> gateway.dubbo().traffic().sum())
                .sum();
    }

    /** The same over Triple. */
    public long tripleBytes() {
        return homeGateways.stream()
                .mapToLong(gateway -> gateway.triple().traffic().sum())
                .sum();
    }

    /** What a consumer writes for {@code highway.gateways.dubbo}. */
    public String dubboAddresses() {
        return dubboAddresses.toString();
    }

    /** What a consumer writes for {@code highway.gateways.triple}. */
    public String tripleAddresses() {
        return tripleAddresses.toString();
    }

    /** The ports of home's gateways, as consumers know them. */
    public Set<Integer> gatewayPorts() {
        return Set.copyOf(gatewayPorts);
    }

    /** A gateway address without a listener. */
    public String deadAddress() {
        return HOME_GATEWAY_HOST + ":" + port();
    }

    /** The URL of home's provider, for calls that stay home. */
    public String homeProvider() {
        return "dubbo://" + HOME_HOST + ":" + homeDubbo;
    }

    /** The calls an island has executed, one id per line. */
    public Path ledger(String island) {
        return folder.resolve(island + ".ledger");
    }

    /** Plain Dubbo beside the highway. */
    public PlainDubbo plainDubbo() {
        return plainDubbo;
    }

    @Override
    public void close() {
        links.close();
        processes.close();
    }
}

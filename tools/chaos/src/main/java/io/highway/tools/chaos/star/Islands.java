// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos.star;

import static io.highway.tools.processes.Processes.next;
import static io.highway.tools.processes.Processes.providers;

import io.highway.tools.chaos.account.AuditTrail;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.processes.Folders;
import io.highway.tools.processes.Links;
import io.highway.tools.processes.Node;
import io.highway.tools.processes.Ports;
import io.highway.tools.processes.Star;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Everything around the consumers; each {@code ~} is a link that can fail, one per protocol where there are several:
 *
 * <pre>
 *   consumers ~~~ home gateway 1 ~ remote gateway ~~ provider in shanghai
 *             ~~~ home gateway 2 ~
 *             --- provider in zhejiang, for calls that stay home
 *   plain caller -- plain gateway -- provider in zhejiang
 * </pre>
 */
public final class Islands implements AutoCloseable {

    /** The logs of providers contain the audit trail. */
    private static final String OF_A_RUN = ".*\\.(ledger|notes|yaml)|.*-(provider|gateway|caller)\\b.*\\.log";

    private static final String HOME = "zhejiang";
    private static final String FAR = "shanghai";
    private static final String HOME_GATEWAY_HOST = "gateway.zhejiang.test";
    private static final String FAR_GATEWAY_HOST = "gateway.shanghai.test";
    private static final String FAR_HOST = "shanghai.test";
    private static final String HOME_HOST = "zhejiang.test";

    private final Path folder;
    private final boolean audited;
    private final @Nullable Path dictionary;
    private volatile boolean dictionaryWithheld;
    private final List<AuditTrail.End> ends = new ArrayList<>();
    private final Star star;
    private final Ports home = Ports.free();
    private final List<FaultyLink> toProvider;
    private final Node provider;
    private final @Nullable Node secondProvider;
    private final Node farGateway;
    private final List<HomeGateway> homeGateways;
    private final @Nullable PlainDubbo plainDubbo;
    private @Nullable ForwardProxy forwardProxy;

    private Islands(Path folder, boolean plain, boolean audited, boolean withDictionary) throws IOException {
        this.folder = folder;
        this.audited = audited;
        this.star = new Star(folder);
        this.dictionary = withDictionary ? NoteDictionary.write(folder.resolve("notes.dict")) : null;
        star.node("zhejiang-provider", name -> provider(name, HOME, home));
        this.toProvider = new ArrayList<>();
        this.provider = farProvider("shanghai-provider");
        this.secondProvider = withDictionary ? farProvider("shanghai-provider-b") : null;
        int farPort = FreePorts.next();
        FaultyLink onward1 = star.link(farPort);
        FaultyLink onward2 = star.link(farPort);
        this.farGateway = star.node(
                "shanghai-gateway",
                name -> gateway(name, FAR, farPort, "", Map.of("shanghai", farProviders())),
                onward1,
                onward2);
        this.homeGateways = List.of(homeGateway(1, onward1), homeGateway(2, onward2));
        this.plainDubbo = plain ? plainDubbo(providers(HOME_HOST, home)) : null;
    }

    /** A call of the plain caller names no island and stays. */
    private PlainDubbo plainDubbo(String toHome) {
        int port = FreePorts.next();
        String more = "without-island: zhejiang";
        Node gateway = star.node("plain-gateway", name -> gateway(name, HOME, port, more, Map.of(HOME, toHome)));
        return new PlainDubbo(
                star.processes(), gateway, HOME_GATEWAY_HOST + ":" + port, folder.resolve("plain-caller.notes"));
    }

    /** A provider of shanghai, and the links that lead to it: for the Dubbo protocol, for Triple and for HTTP. */
    private Node farProvider(String name) {
        Ports ports = Ports.free();
        Links links = Links.to(ports, star::link);
        toProvider.addAll(links.all());
        return star.node(name, process -> provider(process, FAR, ports), links.all());
    }

    /**
     * Starts everything and returns when all of it is ready; logs, configuration and ledgers are in {@code folder}.
     *
     * @param plain whether with plain Dubbo beside it
     * @param audited whether with an audit trail
     * @param withDictionary whether with a dictionary, and with a second provider in shanghai
     * @param proxy the kind of a forward proxy before home's gateways; null for none
     */
    public static Islands start(
            Path folder, boolean plain, boolean audited, boolean withDictionary, ForwardProxy.@Nullable Kind proxy)
            throws IOException {
        // or the files of an earlier run would be read as this run's
        Islands islands = new Islands(Folders.clear(folder, OF_A_RUN), plain, audited, withDictionary);
        try {
            islands.star.start();
            islands.forwardProxy = proxy == null ? null : ForwardProxy.start(islands.star, folder, proxy);
            return islands;
        } catch (RuntimeException e) {
            islands.close();
            throw e;
        }
    }

    private HomeGateway homeGateway(int number, FaultyLink onward) {
        int port = FreePorts.next();
        Links links = Links.to(Ports.same(port), star::link);
        Map<String, String> routes = Map.of(FAR, next(FAR_GATEWAY_HOST + ":" + onward.port()));
        Node node = star.node("zhejiang-gateway-" + number, name -> gateway(name, HOME, port, "", routes), links.all());
        return new HomeGateway(node, links, onward);
    }

    /** The links to providers are three of each: for the Dubbo protocol, for Triple and for HTTP. */
    private String farProviders() {
        List<String> addresses =
                toProvider.stream().map(link -> FAR_HOST + ":" + link.port()).toList();
        return addresses.size() == 3
                ? providers(addresses.get(0), addresses.get(1), addresses.get(2))
                : "{providers: {'*': {dubbo: ['%s', '%4$s'], triple: ['%2$s', '%5$s'], http: ['%3$s', '%6$s']}}}"
                        .formatted(addresses.toArray());
    }

    private void provider(String name, String island, Ports ports) {
        List<String> options = new ArrayList<>(List.of("-Dhighway.http.port=" + ports.http()));
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
        star.startProvider(name, island, options, ProviderProcess.class, ports.dubbo(), ports.triple(), ledger(island));
    }

    private void gateway(String name, String island, int port, String more, Map<String, String> routes) {
        String yaml = Star.gateway(island, port, "grace: 2s\n" + more, routes);
        if (dictionary == null || !island.equals(FAR)) {
            star.processes().startGateway(name, yaml);
        } else {
            star.processes().startGateway(name, yaml, "-Dgateway.notes=" + folder.resolve(name + ".encodings.notes"));
        }
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
        long requests = 0;
        for (Path notes : Folders.files(folder, ".*\\.encodings\\.notes")) {
            for (String line : Files.readAllLines(notes)) {
                requests += line.startsWith("zstd-") ? Long.parseLong(line.substring(line.indexOf(' ') + 1)) : 0;
            }
        }
        return requests;
    }

    /** Kills shanghai's provider. */
    public void killProvider() {
        end(provider::kill);
    }

    /** Stops a provider of shanghai gracefully, and starts it again. */
    public void restartProvider(Node node) {
        end(node::end);
        node.restart();
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
        return new AuditTrail(Folders.files(folder, "shanghai-provider.*\\.log"), ends);
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

    /** The links between the remote gateway and its provider. */
    public List<FaultyLink> toProvider() {
        return toProvider;
    }

    /** The forward proxy before home's gateways; only if it was started with it. */
    public ForwardProxy forwardProxy() {
        return Objects.requireNonNull(forwardProxy, "started without a forward proxy");
    }

    /** Every link. */
    public List<FaultyLink> links() {
        Stream<FaultyLink> home = homeGateways.stream()
                .flatMap(gateway -> Stream.concat(gateway.links().all().stream(), Stream.of(gateway.onward())));
        return Stream.concat(home, toProvider.stream()).toList();
    }

    /** What consumers and home's gateways have exchanged over a protocol, in both directions. */
    public long bytes(Function<Links, FaultyLink> link) {
        return homeGateways.stream()
                .mapToLong(gateway -> link.apply(gateway.links()).traffic().sum())
                .sum();
    }

    /** All keys of the consumers that depend on the star. */
    public Map<String, String> consumerKeys() {
        Map<String, String> keys = new HashMap<>(gatewayKeys());
        if (forwardProxy != null) { // it does not read this process's hosts file
            keys.replaceAll((key, addresses) -> addresses.replaceAll("[^,:]+:", "localhost:"));
            keys.put("highway.gateways.proxy", forwardProxy.url());
        }
        keys.putAll(dictionaryKeys());
        return keys;
    }

    /** The keys {@code highway.gateways.*} of the consumers. */
    public Map<String, String> gatewayKeys() {
        return Map.of(
                "highway.gateways.dubbo",
                addresses(Links::dubbo),
                "highway.gateways.triple",
                addresses(Links::triple),
                "highway.gateways.http",
                addresses(Links::http));
    }

    private String addresses(Function<Links, FaultyLink> link) {
        return homeGateways.stream()
                .map(gateway ->
                        HOME_GATEWAY_HOST + ":" + link.apply(gateway.links()).port())
                .collect(Collectors.joining(","));
    }

    /** The ports of home's gateways, as consumers know them. */
    public Set<Integer> gatewayPorts() {
        return homeGateways.stream()
                .flatMap(gateway -> gateway.links().all().stream())
                .map(FaultyLink::port)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** A gateway address without a listener. */
    public String deadAddress() {
        return HOME_GATEWAY_HOST + ":" + FreePorts.next();
    }

    /** The URL of home's provider, for calls that stay home. */
    public String homeProvider() {
        return "dubbo://" + HOME_HOST + ":" + home.dubbo();
    }

    /** The calls an island has executed, one id per line. */
    public Path ledger(String island) {
        return folder.resolve(island + ".ledger");
    }

    /** Plain Dubbo beside the highway; only if it was started with it. */
    public PlainDubbo plainDubbo() {
        return Objects.requireNonNull(plainDubbo, "started without plain Dubbo");
    }

    @Override
    public void close() {
        star.close();
    }
}

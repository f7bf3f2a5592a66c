// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.bench;

import io.highway.tools.conformance.service.Desk;
import io.highway.tools.conformance.service.billing.Bills;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.fixtures.faults.FaultyLinks;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.gateways.ApplicationsGateway;
import io.highway.tools.gateways.Certificates;
import io.highway.tools.gateways.Entrance;
import io.highway.tools.gateways.GatewayKind;
import io.highway.tools.gateways.GatewayStar;
import io.highway.tools.gateways.Protocol;
import io.highway.tools.processes.DubboCaller;
import io.highway.tools.processes.Processes;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.jspecify.annotations.Nullable;

/** The environment of the cases. */
public final class Bench implements AutoCloseable {

    /** The island that calls. */
    public static final String HOME = "zhejiang";

    private static final String HOME_HOST = "zhejiang.test";

    private final GatewayStar gateways;
    private final Islands islands;
    private final @Nullable GatewayKind kind;
    private final Processes processes;
    private final Path folder;
    private final Map<Protocol, Client> clients = new ConcurrentHashMap<>();
    private final DubboCaller homeDubbo = DubboCaller.withoutSdk("home");
    private final String home;
    private final AtomicInteger ids = new AtomicInteger();
    private final FaultyLinks links = new FaultyLinks();
    private @Nullable ApplicationsGateway applications;

    /**
     * Neither the gateways nor the islands are closed with it.
     *
     * @param kind of gateways that are not part of the star, if a case asks for one; null if the kit has not started the star
     * @param folder of their files
     */
    public Bench(GatewayStar gateways, Islands islands, @Nullable GatewayKind kind, Processes processes, Path folder) {
        this.gateways = gateways;
        this.islands = islands;
        this.kind = kind;
        this.processes = processes;
        this.folder = folder;
        int port = FreePorts.next();
        this.home = "dubbo://" + HOME_HOST + ":" + port;
        ProtocolConfig protocol = new ProtocolConfig("dubbo", port);
        protocol.setHost(HOME_HOST);
        ServiceConfig<Desk> service = new ServiceConfig<>();
        service.setInterface(Desk.class);
        service.setRef(nobodyAtHome());
        homeDubbo.dubbo().protocol(protocol).service(service).start();
    }

    /** Home's provider, which must never be called: every case asks for another island. */
    private static Desk nobodyAtHome() {
        return (Desk) Proxy.newProxyInstance(
                Desk.class.getClassLoader(), new Class<?>[] {Desk.class}, (proxy, method, arguments) -> {
                    throw new IllegalStateException("the call went astray: it came to home's provider");
                });
    }

    /** The destinations and what their providers have seen. */
    public Islands islands() {
        return islands;
    }

    /** Keys for an island to which many calls fail: its breaker never opens. */
    public static Map<String, String> withoutBreaker(String island) {
        return Map.of("highway.islands." + island + ".breaker.failure-rate", "none");
    }

    /** The gateways under test. */
    public GatewayStar gateways() {
        return gateways;
    }

    /** The gateway in front of two applications of shanghai, which is not part of the star. */
    public synchronized ApplicationsGateway applications() throws Exception {
        ApplicationsGateway started = applications;
        if (started == null) {
            GatewayKind ofStar = kind;
            if (ofStar == null) {
                throw new NotOffered("the kit did not start this gateway");
            }
            started = NotOffered.ifUnsupported(() -> ApplicationsGateway.start(
                    ofStar,
                    processes,
                    folder.resolve("applications"),
                    HOME,
                    islands.island("shanghai"),
                    islands.startBilling(),
                    Bills.class.getName()));
            applications = started;
        }
        return started;
    }

    /** What keeps the gateway under test from sending a call again. */
    public String adviceOnRetries() {
        Stream<GatewayKind> kinds = kind == null ? Stream.of(GatewayKind.values()) : Stream.of(kind);
        return kinds.map(any -> any + ": " + any.adviceOnRetries()).collect(Collectors.joining("; "));
    }

    /** The TLS material of clients. */
    public Certificates certificates() {
        return gateways.certificates().orElseThrow(() -> new NotOffered("no entrance with TLS"));
    }

    /** An id for one call that no other has. */
    public String newId(String what) {
        return what + "-" + ids.incrementAndGet();
    }

    /** The shared client of the cases. */
    public Client client(Protocol protocol) {
        return clients.computeIfAbsent(protocol, any -> newClient(protocol, "shared", Map.of()));
    }

    /** A separate client, which is connected. */
    public Client newClient(Protocol protocol, String name, Map<String, String> more) {
        Client client = newClient(protocol, name, island -> entrance(protocol, island), more);
        client.awaitConnected();
        return client;
    }

    /** A separate client with TLS. */
    public Client newTlsClient(Protocol protocol, String name, Map<String, String> more) {
        return newClient(protocol, name, island -> tlsEntrance(protocol, island), more);
    }

    /**
     * A separate client.
     *
     * @param addresses where it goes for an island, {@code host:port}
     * @param more configuration
     */
    public Client newClient(Protocol protocol, String name, UnaryOperator<String> addresses, Map<String, String> more) {
        String key = "gateways." + protocol.word();
        Map<String, String> configuration = new HashMap<>();
        configuration.put("highway.island", HOME);
        configuration.put("highway.islands." + Islands.UNKNOWN + ".tunnel", protocol.word());
        configuration.put("highway.defaults.tunnel", protocol.word());
        configuration.put("highway." + key, addresses.apply(Islands.ALL.get(0)));
        for (String island : Islands.behind(protocol)) {
            configuration.put("highway.islands." + island + ".tunnel", protocol.word());
            configuration.put("highway.islands." + island + "." + key, addresses.apply(island));
        }
        configuration.putAll(more);
        return new Client(name + "-" + protocol.word(), configuration, home);
    }

    /** Where calls to an island enter, {@code host:port}. */
    public String entrance(Protocol protocol, String island) {
        return offered(protocol, island).plain();
    }

    /** Where calls to an island enter with TLS, {@code host:port}. */
    public String tlsEntrance(Protocol protocol, String island) {
        return offered(protocol, island)
                .tls()
                .orElseThrow(() -> new NotOffered("no entrance with TLS over " + protocol.word()));
    }

    /** A link to the entrance of an island, whose traffic a case looks at. */
    public FaultyLink link(Protocol protocol, String island) {
        return links.link(entrance(protocol, island));
    }

    private Entrance offered(Protocol protocol, String island) {
        return gateways.entrance(protocol, island)
                .orElseThrow(() -> new NotOffered("no entrance for " + protocol.word()));
    }

    @Override
    public void close() {
        clients.values().forEach(Client::close);
        homeDubbo.close();
        links.close();
    }
}

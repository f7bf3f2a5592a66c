// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.monitoring.star;

import io.highway.tools.fixtures.certificates.Authority;
import io.highway.tools.fixtures.certificates.Identity;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.fixtures.faults.FaultyLinks;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.monitoring.order.OrderApplication;
import io.highway.tools.monitoring.service.ReportService;
import io.highway.tools.monitoring.service.SmsService;
import io.highway.tools.monitoring.sms.SmsApplication;
import io.highway.tools.processes.Place;
import io.highway.tools.processes.Processes;
import io.highway.tools.processes.center.Center;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Two processes of an application at home, with a gateway for each protocol, and two far islands, each with two
 * providers:
 *
 * <pre>
 *   order 1, order 2 --- dubbo  --- gateway 1 --- hub gateway --- sms, reports in shanghai
 *                    --- triple --- gateway 2 --/             --- sms, reports in beijing
 * </pre>
 */
public final class Star implements AutoCloseable {

    private static final String POLICY = "version: 2026-11-01\nunknown-islands: refuse\n";
    private static final String NEXT_POLICY = "version: 2026-11-02\nunknown-islands: refuse\n";
    private static final String SAME_VERSION = POLICY + "heartbeat: {interval: 1s}\n";
    private static final String WITHOUT_SHANGHAI =
            "version: 2026-11-04\nislands:\n  beijing: {tunnel: triple, fallback: home}\n";
    private static final String WRONG_POLICY = "version: 2026-11-03\nislands:\n  shanghai: {tunnel: dubo}\n";
    private static final Duration DELAY = Duration.ofMillis(400);
    private static final String NO_REGISTRY = "N/A";
    private static final String SECRET = "a secret of the sample, at least 32 bytes";
    private static final int ORDERS = 2;

    /** The number of the rule for the other application. */
    private static final int SMS = 3;

    private static final int START_SECONDS = 180;
    private static final Duration LONG = Duration.ofDays(365);

    /** Of the provider's manifest. */
    private static final String KEY_ID = "zhejiang-shanghai";

    private final HttpClient http = HttpClient.newHttpClient();
    private final Path folder;
    private final Path manifests;
    private final Authority authority;
    private final Processes processes;
    private final FaultyLinks links = new FaultyLinks();
    private final Map<String, Provider> providers = new HashMap<>();
    private final int hub = FreePorts.next();
    private final int gateway1 = FreePorts.next();
    private final int gateway2 = FreePorts.next();
    private final List<String> orders = new ArrayList<>();
    private final List<String> targets = new ArrayList<>();
    private FaultyLink onward1;
    private final Center center;
    private List<FaultyLink> toCenter = List.of();
    private String registry = NO_REGISTRY;
    private String tripleGateway = "zhejiang-gateway-2";
    private int replacements;

    private record Provider(int port, FaultyLink link) {}

    /**
     * Starts everything and returns when all of it is ready.
     *
     * @param folder for logs and configuration
     * @param manifests the folder {@code docs/guides/production}
     * @param kind of the config centre that one application follows
     * @param nacosServer as {@link Center#of} takes it
     */
    public Star(Path folder, Path manifests, Center.Kind kind, Path nacosServer) throws IOException {
        this.folder = folder;
        this.manifests = manifests;
        this.authority = new Authority("authority", folder.resolve("certificates"), LONG);
        this.processes = new Processes(folder);
        try {
            center = Center.of(kind, processes, folder, nacosServer);
            center.start();
            registry = center.registry();
            toCenter = center.links(links);
            for (String name : List.of("shanghai-sms", "shanghai-reports", "beijing-sms", "beijing-reports")) {
                int port = FreePorts.next();
                providers.put(name, new Provider(port, links.link(0, port)));
            }
            publish(SMS, POLICY);
            start(
                    "shanghai-sms",
                    SmsApplication.class,
                    configuration("provider", "sms"),
                    "--dubbo.protocol.port=" + port("shanghai-sms"),
                    "--dubbo.config-center.address="
                            + center.address()
                                    .replaceAll("[0-9]+$", "" + toCenter.get(0).port()),
                    "--highway.sign.accept." + KEY_ID + "=" + SECRET,
                    "--highway.policy.directory=" + folder.resolve("last-good-" + SMS));
            startProvider("shanghai-reports");
            startProvider("beijing-sms");
            startProvider("beijing-reports");
            startProvider("zhejiang", FreePorts.next(), registry, "sms", "reports");
            startHub();
            onward1 = links.link(0, hub);
            startGateway1();
            startGateway2(LONG);
            for (String name : List.of(
                    "shanghai-sms",
                    "shanghai-reports",
                    "beijing-sms",
                    "beijing-reports",
                    "zhejiang",
                    "hub-gateway",
                    "zhejiang-gateway-1",
                    "zhejiang-gateway-2")) {
                String port = processes.ready(name, START_SECONDS);
                if (name.equals("shanghai-sms")) {
                    targets.add("127.0.0.1:" + port);
                }
            }
            startOrders();
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private void startOrders() throws IOException {
        for (int i = 1; i <= ORDERS; i++) {
            publish(i, POLICY);
            writeSecret(i);
            startOrder(i, "0");
        }
        for (int i = 1; i <= ORDERS; i++) {
            String order = "127.0.0.1:" + processes.ready("order-" + i, START_SECONDS);
            orders.add(order);
            targets.add(order);
        }
    }

    private void startOrder(int number, String port) throws IOException {
        startOrder(number, port, Place.HERE);
    }

    private void startOrder(int number, String port, Place where) throws IOException {
        start(
                where,
                "order-" + number,
                OrderApplication.class,
                configuration("caller", "order"),
                "--server.port=" + port,
                "--dubbo.registry.address=" + registry,
                "--highway.gateways.dubbo=gateway.zhejiang.test:" + gateway1,
                "--highway.gateways.triple=gateway.zhejiang.test:" + gateway2,
                "--highway.gateways.tls.trust-certificates=" + authority.certificate(),
                "--highway.islands.shanghai.sign.key-id=" + KEY_ID,
                "--highway.islands.shanghai.sign.secret=file:" + secret(number),
                "--highway.policy.source=file:" + policy(number),
                "--highway.policy.directory=" + folder.resolve("last-good-" + number));
    }

    private void start(String name, Class<?> application, String... arguments) {
        start(Place.HERE, name, application, arguments);
    }

    private void start(Place where, String name, Class<?> application, String... arguments) {
        List<String> all = new ArrayList<>(List.of(application.getName()));
        all.addAll(List.of(arguments));
        processes.start(name, where, List.of(), ApplicationProcess.class, all.toArray(String[]::new));
    }

    /** That of a manifest in docs/guides/production, and what differs here. */
    private String configuration(String manifest, String own) throws IOException {
        Path file = folder.resolve(manifest + ".yml");
        Files.writeString(file, Manifest.application(manifests.resolve(manifest + ".yaml")));
        return "--spring.config.location=file:" + file + ",classpath:/" + own + ".yml";
    }

    private void startProvider(String name) {
        String[] parts = name.split("-", 2);
        startProvider(name, parts[0], port(name), NO_REGISTRY, parts[1]);
    }

    private void startProvider(String island, int port, String registry, String... services) {
        startProvider(island, island, port, registry, services);
    }

    private void startProvider(String name, String island, int port, String registry, String... services) {
        startProvider(name, List.of("-Dhighway.island=" + island), island, port, registry, services);
    }

    private void startProvider(
            String name, List<String> keys, String island, int port, String registry, String... services) {
        List<String> arguments = new ArrayList<>(List.of(island, String.valueOf(port), registry));
        arguments.addAll(List.of(services));
        processes.start(name, keys, ProviderProcess.class, arguments.toArray(String[]::new));
    }

    private int port(String provider) {
        return provider(provider).port;
    }

    private Provider provider(String name) {
        Provider provider = providers.get(name);
        if (provider == null) {
            throw new IllegalArgumentException("no provider " + name);
        }
        return provider;
    }

    /** The route of an island: each service has a provider. */
    private String providers(String island) {
        return "{providers: {" + route(island, "sms", SmsService.class) + ", "
                + route(island, "reports", ReportService.class) + "}}";
    }

    private String route(String island, String service, Class<?> type) {
        String address =
                island + ".test:" + provider(island + "-" + service).link.port();
        return "'%s': {dubbo: ['%s'], triple: ['%2$s']}".formatted(type.getName(), address);
    }

    private void startGateway1() {
        startGateway("zhejiang-gateway-1", gateway1, onward1.port(), LONG);
    }

    /** @param valid how long its certificate is valid */
    private void startGateway2(Duration valid) {
        startGateway(tripleGateway, gateway2, hub, valid);
    }

    private void startGateway(String name, int port, int onward, Duration valid) {
        String next = Processes.next("gateway.hub.test:" + onward);
        Identity identity = authority.identity(valid, name, "gateway.zhejiang.test");
        String replaceable = "reuse-port: true\ntls: {certificate: '%s', private-key: '%s'}"
                .formatted(identity.certificate(), identity.privateKey());
        startGateway(name, "zhejiang", port, replaceable, next, next);
    }

    private void startHub() {
        startGateway("hub-gateway", "hub", hub, "", providers("shanghai"), providers("beijing"));
    }

    private void startGateway(String name, String island, int port, String more, String toShanghai, String toBeijing) {
        String configuration =
                """
                island: %s
                listen: gateway.%1$s.test:%d
                %s
                routes:
                  shanghai: %s
                  beijing: %s
                """
                        .formatted(island, port, more, toShanghai, toBeijing);
        try {
            processes.startGateway(name, configuration);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The processes with meters, each {@code host:port}. */
    public List<String> targets() {
        return List.copyOf(targets);
    }

    /** What runs here beside the star. */
    public Processes processes() {
        return processes;
    }

    /** Kills a provider of one service. */
    public void killProvider(String name) {
        provider(name).link.refuse();
        processes.kill(name);
    }

    /** Starts it again. */
    public void restartProvider(String name) {
        startProvider(name);
        String unused = processes.ready(name);
        provider(name).link.open();
    }

    /** Kills home's gateway for the Dubbo protocol. */
    public void killGateway() {
        processes.kill("zhejiang-gateway-1");
    }

    /** Starts it again. */
    public void restartGateway() {
        startGateway1();
        String unused = processes.ready("zhejiang-gateway-1");
    }

    /** Replaces home's gateway for Triple by one with a certificate that is valid for so long; both share the port. */
    public void replaceCertificate(Duration valid) {
        String before = tripleGateway;
        replacements++;
        tripleGateway = "zhejiang-gateway-2-" + replacements;
        startGateway2(valid);
        String unused = processes.ready(tripleGateway);
        processes.kill(before);
    }

    /** The same with a certificate that is valid for a year. */
    public void replaceCertificate() {
        replaceCertificate(LONG);
    }

    /** Cuts the network between one application and its config centre. */
    public void cutCenter() {
        toCenter.forEach(FaultyLink::refuse);
        toCenter.forEach(FaultyLink::reset);
    }

    /** Repairs it. */
    public void repairCenter() {
        toCenter.forEach(FaultyLink::open);
    }

    /** Replaces a provider in beijing by one without the SDK, which reads no compressed requests. */
    public void removeSdk() {
        String name = "beijing-reports";
        processes.kill(name);
        startProvider(name, List.of("-Dhighway.enabled=false"), "beijing", port(name), NO_REGISTRY, "reports");
        String unused = processes.ready(name);
    }

    /** Replaces it by one with the SDK. */
    public void addSdk() {
        processes.kill("beijing-reports");
        restartProvider("beijing-reports");
    }

    /**
     * Starts one process of the application again, with a clock that is ahead.
     *
     * @param library the path of libfaketime
     */
    public void setClockAhead(String library, int seconds) {
        restartOrder2(new Place(
                List.of(
                        "env",
                        "LD_PRELOAD=" + library,
                        "FAKETIME=+" + seconds + "s",
                        "FAKETIME_DONT_FAKE_MONOTONIC=1",
                        "FAKETIME_DISABLE_SHM=1",
                        "NO_FAKE_STAT=1"),
                List.of()));
    }

    /** Starts it again with the machine's clock. */
    public void correctClock() {
        restartOrder2(Place.HERE);
    }

    /** Suspends home's gateway for the Dubbo protocol. */
    public void freezeGateway() {
        processes.freeze("zhejiang-gateway-1");
    }

    /** Resumes it. */
    public void thawGateway() {
        processes.thaw("zhejiang-gateway-1");
    }

    /** Kills the gateway between home and both islands. */
    public void killHub() {
        onward1.refuse();
        processes.kill("hub-gateway");
    }

    /** Starts it again. */
    public void restartHub() {
        startHub();
        String unused = processes.ready("hub-gateway");
        onward1.open();
    }

    /** Cuts the network between home's gateway for the Dubbo protocol and the hub. */
    public void cutOnward() {
        onward1.refuse();
        onward1.reset();
    }

    /** Repairs it. */
    public void repairOnward() {
        onward1.open();
    }

    /** Makes shanghai's network slow. */
    public void slowDown() {
        shanghai().forEach(link -> link.delay(DELAY));
    }

    /** Makes it fast again. */
    public void speedUp() {
        shanghai().forEach(FaultyLink::heal);
    }

    private List<FaultyLink> shanghai() {
        return List.of(provider("shanghai-sms").link, provider("shanghai-reports").link);
    }

    /** Publishes a rule with a mistake to all processes of the application. */
    public void publishWrongPolicy() {
        publishAll(WRONG_POLICY);
    }

    /** Publishes a new rule, of which one process does not hear. */
    public void publishToOneProcess() {
        publish(1, NEXT_POLICY);
    }

    /** Publishes a rule that leaves out an island to all processes. */
    public void publishWithoutShanghai() {
        publishAll(WITHOUT_SHANGHAI);
        publish(SMS, WITHOUT_SHANGHAI);
    }

    /** Publishes a good rule of this number to all. */
    public void publishNext(int number) {
        String rule = NEXT_POLICY.replace("2026-11-02", "2026-11-02." + number);
        publishAll(rule);
        publish(SMS, rule);
    }

    /** Publishes another rule under the same version to one process. */
    public void publishUnderTheSameVersion() {
        publish(1, SAME_VERSION);
    }

    /** Publishes a new rule to another application only. */
    public void publishToOneApplication() {
        publish(SMS, NEXT_POLICY);
    }

    /** Deletes the rule of the application. */
    public void deletePolicy() {
        for (int i = 1; i <= ORDERS; i++) {
            delete(i);
        }
    }

    /** Starts a process of the application again, with no rule at its source. */
    public void restartWithoutPolicy() {
        delete(2);
        restartOrder2(Place.HERE);
    }

    private void restartOrder2(Place where) {
        processes.kill("order-2");
        try {
            startOrder(2, orders.get(1).replaceAll(".*:", ""), where);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String unused = processes.ready("order-2", START_SECONDS);
    }

    private void delete(int process) {
        delete(policy(process));
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes the secret by which one process signs its calls. */
    public void deleteSecret() {
        delete(secret(1));
    }

    /** Writes it again. */
    public void restoreSecret() {
        writeSecret(1);
    }

    private void writeSecret(int order) {
        try {
            Files.writeString(secret(order), SECRET);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path secret(int order) {
        return folder.resolve("secret-" + order);
    }

    /** Publishes the rule from the beginning to all. */
    public void rollBackPolicy() {
        publishAll(POLICY);
        publish(SMS, POLICY);
    }

    private void publishAll(String rule) {
        for (int i = 1; i <= ORDERS; i++) {
            publish(i, rule);
        }
    }

    private void publish(int order, String rule) {
        if (order == SMS) {
            publishToCenter(rule);
            return;
        }
        try {
            Path written = Files.writeString(folder.resolve("policy-" + order + ".part"), rule);
            Files.move(written, policy(order), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void publishToCenter(String rule) {
        try {
            center.publish(Center.COMMON + ".sms", rule);
        } catch (Exception e) { // declared by the client of ZooKeeper
            throw new IllegalStateException("cannot publish the rule of sms", e);
        }
    }

    private Path policy(int order) {
        return folder.resolve("policy-" + order + ".yaml");
    }

    /** Whether one process of the application makes calls that the guard in shanghai denies. */
    public void makeForbiddenCalls(boolean on) {
        try {
            int status = http.send(
                            HttpRequest.newBuilder(URI.create("http://" + orders.get(0) + "/forbidden"))
                                    .PUT(HttpRequest.BodyPublishers.ofString(String.valueOf(on)))
                                    .header("content-type", "text/plain")
                                    .build(),
                            BodyHandlers.discarding())
                    .statusCode();
            if (status != 200) {
                throw new IllegalStateException("order-1 answers " + status);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        processes.close();
        links.close();
    }
}

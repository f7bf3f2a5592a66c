// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.monitoring.star;

import io.highway.tools.fixtures.certificates.Authority;
import io.highway.tools.fixtures.certificates.Identity;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.monitoring.order.OrderApplication;
import io.highway.tools.monitoring.service.ReportService;
import io.highway.tools.monitoring.service.SmsService;
import io.highway.tools.monitoring.sms.SmsApplication;
import io.highway.tools.processes.Folders;
import io.highway.tools.processes.Node;
import io.highway.tools.processes.Place;
import io.highway.tools.processes.Processes;
import io.highway.tools.processes.Star;
import io.highway.tools.processes.UserProcess;
import io.highway.tools.processes.center.Center;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Two processes of an application at home, with a gateway for each protocol, and two remote islands, each with two
 * providers:
 *
 * <pre>
 *   order 1, order 2 --- dubbo  --- gateway 1 --- hub gateway --- sms, reports in shanghai
 *                    --- triple --- gateway 2 --/             --- sms, reports in beijing
 * </pre>
 */
public final class Islands implements AutoCloseable {

    /** How long certificates are valid. */
    public static final Duration LONG = Duration.ofDays(365);

    private static final String SECRET = "a secret of the sample, at least 32 bytes";
    private static final String CHANGING = "beijing-reports";

    /** Of the provider's manifest. */
    private static final String KEY_ID = "zhejiang-shanghai";

    private final HttpClient http = HttpClient.newHttpClient();
    private final Path folder;
    private final Path manifests;
    private final Authority authority;
    private final Star star;
    private final Center center;
    private final Policies policies;
    private final List<FaultyLink> toCenter;
    private final Map<String, FaultyLink> toProviders = new HashMap<>();
    private final int sms = FreePorts.next();
    private final List<Integer> orders = List.of(FreePorts.next(), FreePorts.next());
    private final int hub = FreePorts.next();
    private final int gateway1 = FreePorts.next();
    private final int gateway2 = FreePorts.next();
    private final FaultyLink onward1;
    private Duration certificateOfGateway2 = LONG;
    private boolean hasSdk = true;
    private boolean isMisrouted;
    private Place placeOfOrder2 = Place.HERE;

    /**
     * Starts everything and returns when all of it is ready.
     *
     * @param folder for logs and configuration
     * @param manifests the folder {@code docs/guides/production}
     * @param kind of the config centre that one application follows
     * @param nacosServer as {@link Center#of} takes it
     */
    public Islands(Path folder, Path manifests, Center.Kind kind, Path nacosServer) throws IOException {
        this.folder = folder;
        this.manifests = manifests;
        this.authority = new Authority("authority", folder.resolve("certificates"), LONG);
        this.star = new Star(folder);
        try {
            center = Center.of(kind, star.processes(), folder, nacosServer);
            center.start();
            policies = new Policies(folder, center);
            toCenter = center.links(star.links());
            onward1 = star.link(hub);
            addProviders();
            star.node("hub-gateway", this::startHub, onward1);
            star.node("zhejiang-gateway-1", name -> startGateway(name, gateway1, onward1.port(), LONG));
            star.node("zhejiang-gateway-2", name -> startGateway(name, gateway2, hub, certificateOfGateway2));
            star.start();
            addOrders();
            star.start();
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private void addProviders() throws IOException {
        policies.publishFirst(Policies.SMS);
        int smsPort = FreePorts.next();
        String[] arguments = {
            configuration("provider", "sms"),
            "--server.port=" + sms,
            "--dubbo.protocol.port=" + smsPort,
            "--dubbo.config-center.address="
                    + center.address()
                            .replaceAll("[0-9]+$", "" + toCenter.get(0).port()),
            "--highway.sign.accept." + KEY_ID + "=" + SECRET,
            "--highway.policy.directory=" + folder.resolve("last-good-" + Policies.SMS)
        };
        FaultyLink toSms = star.link(smsPort);
        toProviders.put("shanghai-sms", toSms);
        star.node("shanghai-sms", name -> start(Place.HERE, name, SmsApplication.class, arguments), toSms);
        addProvider("shanghai", "reports");
        addProvider("beijing", "sms");
        addProvider("beijing", "reports");
        int home = FreePorts.next();
        star.node("zhejiang", name -> startProvider(name, "zhejiang", home, center.registry(), "sms", "reports"));
    }

    private void addProvider(String island, String service) {
        int port = FreePorts.next();
        FaultyLink link = star.link(port);
        toProviders.put(island + "-" + service, link);
        star.node(island + "-" + service, name -> startProvider(name, island, port, Star.NO_REGISTRY, service), link);
    }

    private void startProvider(String name, String island, int port, String registry, String... services) {
        List<String> arguments = new ArrayList<>(List.of(island, String.valueOf(port), registry));
        arguments.addAll(List.of(services));
        List<String> options = hasSdk || !name.startsWith(CHANGING) ? List.of() : List.of("-Dhighway.enabled=false");
        star.startProvider(name, island, options, ProviderProcess.class, arguments.toArray());
    }

    private void addOrders() throws IOException {
        String configuration = configuration("caller", "order");
        for (int i = 1; i <= Policies.ORDERS; i++) {
            int number = i;
            policies.publishFirst(number);
            writeSecret(number);
            star.node("order-" + number, name -> startOrder(name, number, configuration));
        }
    }

    private void startOrder(String name, int number, String configuration) {
        start(
                number == 2 ? placeOfOrder2 : Place.HERE,
                name,
                OrderApplication.class,
                configuration,
                "--server.port=" + orders.get(number - 1),
                "--dubbo.registry.address=" + center.registry(),
                "--highway.gateways.dubbo=gateway.zhejiang.test:" + gateway1,
                "--highway.gateways.triple=gateway.zhejiang.test:" + gateway2,
                "--highway.gateways.tls.trust-certificates=" + authority.certificate(),
                "--highway.islands.shanghai.sign.key-id=" + KEY_ID,
                "--highway.islands.shanghai.sign.secret=file:" + secret(number),
                "--highway.policy.source=file:" + policies.file(number),
                "--highway.policy.directory=" + folder.resolve("last-good-" + number));
    }

    private void start(Place where, String name, Class<?> application, String... arguments) {
        List<String> all = new ArrayList<>(List.of(application.getName()));
        all.addAll(List.of(arguments));
        star.processes().start(name, where, List.of(), UserProcess.class, all.toArray());
    }

    /** That of a manifest in docs/guides/production, and what differs here. */
    private String configuration(String manifest, String own) throws IOException {
        Path file = folder.resolve(manifest + ".yml");
        Files.writeString(file, Manifest.application(manifests.resolve(manifest + ".yaml")));
        return "--spring.config.location=file:" + file + ",classpath:/" + own + ".yml";
    }

    /** The route of an island: each service has a provider. */
    private String providers(String island) {
        return "{providers: {" + route(island, "sms", SmsService.class) + ", "
                + route(island, "reports", ReportService.class) + "}}";
    }

    private String route(String island, String service, Class<?> type) {
        FaultyLink link = Objects.requireNonNull(toProviders.get(island + "-" + service));
        return "'%s': {dubbo: ['%s'], triple: ['%2$s']}".formatted(type.getName(), island + ".test:" + link.port());
    }

    /** @param valid how long its certificate is valid */
    private void startGateway(String name, int port, int onward, Duration valid) {
        String next = Processes.next("gateway.hub.test:" + onward);
        String shanghai = isMisrouted && port == gateway1 ? providers("beijing") : next;
        Identity identity = authority.identity(valid, name, "gateway.zhejiang.test");
        String replaceable = "reuse-port: true\ntls: {certificate: '%s', private-key: '%s'}"
                .formatted(identity.certificate(), identity.privateKey());
        star.processes()
                .startGateway(
                        name,
                        Star.gateway("zhejiang", port, replaceable, Map.of("shanghai", shanghai, "beijing", next)));
    }

    private void startHub(String name) {
        Map<String, String> routes = Map.of("shanghai", providers("shanghai"), "beijing", providers("beijing"));
        star.processes().startGateway(name, Star.gateway("hub", hub, "", routes));
    }

    /** The processes with meters, each {@code host:port}. */
    public List<String> targets() {
        return Stream.concat(Stream.of(sms), orders.stream())
                .map(port -> "127.0.0.1:" + port)
                .toList();
    }

    /** All processes, for others that run beside them. */
    public Processes processes() {
        return star.processes();
    }

    /** A provider of one service such as {@code shanghai-reports}, or a gateway such as {@code zhejiang-gateway-1}. */
    public Node node(String name) {
        return star.node(name);
    }

    /** The rules that the applications follow. */
    public Policies policies() {
        return policies;
    }

    /** Replaces home's gateway for Triple by one with a certificate that is valid for so long; both share the port. */
    public void replaceCertificate(Duration valid) {
        certificateOfGateway2 = valid;
        node("zhejiang-gateway-2").replace();
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

    /** Replaces a provider in beijing by one with the SDK, or without it, which reads no compressed requests. */
    public void replaceProvider(boolean withSdk) {
        hasSdk = withSdk;
        startAgain(CHANGING);
    }

    private void startAgain(String name) {
        node(name).kill();
        node(name).restart();
    }

    /** Whether home's gateway for the Dubbo protocol, which is replaced, leads shanghai's calls to beijing. */
    public void misroute(boolean on) {
        isMisrouted = on;
        node("zhejiang-gateway-1").replace();
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

    /** Cuts the network between home's gateway for the Dubbo protocol and the hub. */
    public void cutOnward() {
        onward1.refuse();
        onward1.reset();
    }

    /** Repairs it. */
    public void repairOnward() {
        onward1.open();
    }

    /** Delays what is sent to an island's providers, and their answers, for so long each. */
    public void slowDown(String island, Duration delay) {
        toProvidersOf(island).forEach(link -> link.delay(delay));
    }

    /** Makes it fast again. */
    public void speedUp(String island) {
        toProvidersOf(island).forEach(FaultyLink::heal);
    }

    private List<FaultyLink> toProvidersOf(String island) {
        return toProviders.entrySet().stream()
                .filter(provider -> provider.getKey().startsWith(island))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** Starts a process of the application again, with no rule at its source. */
    public void restartWithoutPolicy() {
        policies.delete(2);
        restartOrder2(Place.HERE);
    }

    private void restartOrder2(Place where) {
        placeOfOrder2 = where;
        startAgain("order-2");
    }

    /** Deletes the secret by which one process signs its calls. */
    public void deleteSecret() {
        Policies.delete(secret(1));
    }

    /** Writes it again. */
    public void restoreSecret() {
        writeSecret(1);
    }

    private void writeSecret(int order) {
        Folders.replace(secret(order), SECRET);
    }

    private Path secret(int order) {
        return folder.resolve("secret-" + order);
    }

    /** Whether one process of the application makes calls that the guard in shanghai denies. */
    public void makeForbiddenCalls(boolean on) {
        try {
            int status = http.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + orders.get(0) + "/forbidden"))
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
        star.close();
    }
}

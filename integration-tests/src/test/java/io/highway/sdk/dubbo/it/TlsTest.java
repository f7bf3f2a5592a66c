// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.network.connection.ConnectionPool;
import io.highway.sdk.dubbo.internal.network.tls.CertificateRole;
import io.highway.tools.fixtures.certificates.Authority;
import io.highway.tools.fixtures.certificates.Identity;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.fixtures.faults.FaultyLinks;
import io.highway.tools.fixtures.logs.CapturedLog;
import io.highway.tools.gateway.Gateway;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Gateways that demand TLS, and a certificate of their clients. */
@Tag("network")
class TlsTest {

    private static final String HOST = "gateway.zhejiang.test";

    /** The alert that says why may be lost when the gateway closes. */
    private static final String CLOSED = "the gateway closed the connection; look at highway.gateways.tls.certificate";

    private static final String OTHER_NAME_OF_IT = "zhejiang.test";

    private static Star star;

    @TempDir
    private static Path folder;

    private static Authority authority;
    private static Authority stranger;
    private static Identity server;
    private static Identity client;

    private Gateway gateway;

    @BeforeAll
    static void start() {
        star = new Star();
        authority = new Authority("authority", folder);
        stranger = new Authority("stranger", folder);
        server = authority.identity("gateway", HOST);
        client = authority.identity("zhejiang-app");
    }

    @AfterAll
    static void end() {
        star.close();
    }

    @AfterEach
    void closeGateway() {
        if (gateway != null) {
            gateway.closeNow();
        }
        star.shanghai.shop.received.clear();
    }

    private void startGateway(Identity shown) {
        startGateway(shown, 0);
    }

    private void startGateway(Identity shown, int port) {
        gateway = star.anotherGateway(
                port, config -> config.tls(shown.certificate(), shown.privateKey(), authority.certificate()));
    }

    private Shop shop(Tunnel tunnel, String host, String... tls) {
        List<String> keys = new ArrayList<>(
                List.of(key(tunnel), host + ":" + gateway.port(), "highway.heartbeat.interval", "none"));
        for (int i = 0; i < tls.length; i += 2) {
            keys.add("highway.gateways.tls." + tls[i]);
            keys.add(tls[i + 1]);
        }
        return Highway.to("shanghai").bind(Shop.class, star.shop(tunnel, keys.toArray(String[]::new)));
    }

    private static String key(Tunnel tunnel) {
        return "highway.gateways." + tunnel.key();
    }

    private static String[] keys(Identity own, String... more) {
        List<String> keys = new ArrayList<>(List.of(
                "trust-certificates",
                authority.certificate().toString(),
                "certificate",
                own.certificate().toString(),
                "private-key",
                own.privateKey().toString()));
        keys.addAll(List.of(more));
        return keys.toArray(String[]::new);
    }

    /** A handshake may take longer on a busy machine than a connection waits for it. */
    private static void awaitServed(Shop shop) {
        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(shop.sell("tea")).isEqualTo("shanghai:tea"));
    }

    private void assertReachesNothing(Shop shop, String... reasons) {
        // a busy gateway may refuse a certificate after the first call was written
        await().atMost(10, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(catchThrowableOfType(HighwayException.class, () -> shop.sell("tea")))
                        .satisfies(refused -> {
                            assertThat(refused.reason()).isEqualTo(Reason.GATEWAY_DOWN);
                            assertThat(refused.mayHaveRun()).isFalse();
                            assertThat(refused.getMessage()).containsAnyOf(reasons);
                        }));
        assertThat(star.shanghai.shop.received).isEmpty();
        assertThat(gateway.stats().forwarded()).isZero();
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void callsArrive_withTheCertificateThatTheGatewayWants(Tunnel tunnel) {
        startGateway(server);

        Shop shop = shop(tunnel, HOST, keys(client));

        awaitServed(shop);
        assertThat(gateway.stats().forwarded()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void reachesNothing_withoutACertificate(Tunnel tunnel) {
        startGateway(server);

        Shop shop =
                shop(tunnel, HOST, "trust-certificates", authority.certificate().toString());

        assertReachesNothing(shop, "certificate_required", "bad_certificate", CLOSED);
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void reachesNothing_withACertificateOfAnotherAuthority(Tunnel tunnel) {
        startGateway(server);

        Shop shop = shop(tunnel, HOST, keys(stranger.identity("intruder")));

        // a client may keep a certificate to itself that the server's authorities have not signed
        assertReachesNothing(shop, "certificate_required", "bad_certificate", "certificate_unknown", CLOSED);
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void reachesNothing_withoutTls(Tunnel tunnel) {
        startGateway(server);

        Shop shop = shop(tunnel, HOST);

        HighwayException refused = catchThrowableOfType(HighwayException.class, () -> shop.sell("tea"));
        assertThat(refused).isNotNull();
        assertThat(gateway.stats().forwarded()).isZero();
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void refusesAGateway_whoseCertificateNamesAnotherHost(Tunnel tunnel) {
        startGateway(server);

        Shop shop = shop(tunnel, OTHER_NAME_OF_IT, keys(client));

        assertReachesNothing(shop, OTHER_NAME_OF_IT);
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void acceptsAnyHostName_ifConfigured(Tunnel tunnel) {
        startGateway(server);

        Shop shop = shop(tunnel, OTHER_NAME_OF_IT, keys(client, "verify-host", "false"));

        awaitServed(shop);
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void refusesAGateway_ofAnAuthorityThatIsNotTrusted(Tunnel tunnel) {
        startGateway(stranger.identity("false-gateway", HOST));

        Shop shop = shop(tunnel, HOST, keys(client, "verify-host", "false"));

        assertReachesNothing(shop, "unable to find valid certification path", "Path does not chain");
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void readsKeyStores(Tunnel tunnel) throws Exception {
        startGateway(server);
        Path trust = store(
                "trust-" + tunnel + ".p12",
                "salt",
                store -> store.setCertificateEntry("authority", certificate(authority.certificate())));
        Path own = store(
                "own-" + tunnel + ".p12",
                "pepper",
                store -> store.setKeyEntry(
                        "client",
                        KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(pem(client.privateKey()))),
                        "pepper".toCharArray(),
                        new Certificate[] {certificate(client.certificate())}));

        Shop shop = shop(
                tunnel,
                HOST,
                "trust-certificates",
                trust.toString(),
                "trust-password",
                "salt",
                "certificate",
                own.toString(),
                "key-password",
                "pepper");

        awaitServed(shop);
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void theNextConnectionShowsARenewedCertificate(Tunnel tunnel) throws IOException {
        startGateway(server);
        Identity expired = stranger.identity("expired-" + tunnel);
        Shop shop = shop(tunnel, HOST, keys(expired));
        assertReachesNothing(
                shop,
                "certificate_required",
                "bad_certificate",
                "certificate_unknown",
                "the gateway closed the connection; look at highway.gateways.tls.certificate"); // its alert can get
        // lost

        Files.copy(client.certificate(), expired.certificate(), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(client.privateKey(), expired.privateKey(), StandardCopyOption.REPLACE_EXISTING);

        await().ignoreExceptions().until(() -> shop.sell("tea").equals("shanghai:tea"));
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void aRenewedCertificateIsUsed_whileACallIsInFlight(Tunnel tunnel) throws Exception {
        startGateway(server);
        Identity own = authority.identity("own-" + tunnel);
        Identity renewed = authority.identity("renewed-" + tunnel);
        TestApplication consumer = consumer(tunnel, gateway.port(), own);
        Shop shop = shop(consumer);
        awaitServed(shop);
        Object first = consumer.newestConnection("shanghai");
        CompletableFuture<String> inFlight = CompletableFuture.supplyAsync(() -> shop.slow(3000));
        consumer.model().getBeanFactory().getBean(ConnectionPool.class).look(Duration.ofMillis(50));

        renew(own, renewed);

        await().until(() -> consumer.newestConnection("shanghai") != first);
        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        assertThat(inFlight).isNotDone();
        assertThat(inFlight.get(10, TimeUnit.SECONDS)).isEqualTo("shanghai:3000");
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void aRenewedCertificateIsTriedAgain_whenTheGatewayRefusedConnections(Tunnel tunnel) throws Exception {
        startGateway(server);
        Identity own = authority.identity("owner-" + tunnel);
        Identity renewed = authority.identity("renewed-owner-" + tunnel);
        try (FaultyLinks links = new FaultyLinks();
                CapturedLog log = new CapturedLog()) {
            FaultyLink link = links.link(0, gateway.port());
            TestApplication consumer = consumer(tunnel, link.port(), own);
            Shop shop = shop(consumer);
            awaitServed(shop);
            Object first = consumer.newestConnection("shanghai");
            consumer.model().getBeanFactory().getBean(ConnectionPool.class).look(Duration.ofMillis(50));
            link.refuse();

            renew(own, renewed);
            await().until(() -> !log.ofSdk("no new connection can be made (Connection refused")
                    .isEmpty());
            assertThat(consumer.newestConnection("shanghai")).isSameAs(first);
            link.open();

            await().until(() -> consumer.newestConnection("shanghai") != first);
            assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
            assertThat(log.ofSdk("no new connection can be made (")).hasSize(1);
        }
    }

    private static TestApplication consumer(Tunnel tunnel, int port, Identity own) {
        return star.consumer(star.properties(
                tunnel,
                key(tunnel),
                HOST + ":" + port,
                "highway.islands.shanghai.timeout",
                "10s",
                "highway.gateways.tls.trust-certificates",
                authority.certificate().toString(),
                "highway.gateways.tls.certificate",
                own.certificate().toString(),
                "highway.gateways.tls.private-key",
                own.privateKey().toString()));
    }

    private static Shop shop(TestApplication consumer) {
        Shop shop = consumer.reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo))
                .get();
        return Highway.to("shanghai").bind(Shop.class, shop);
    }

    private static void renew(Identity own, Identity renewed) throws IOException {
        Files.copy(renewed.certificate(), own.certificate(), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(renewed.privateKey(), own.privateKey(), StandardCopyOption.REPLACE_EXISTING);
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void comesBack_afterTheGatewayWasRestarted(Tunnel tunnel) {
        startGateway(server);
        Shop shop = shop(tunnel, HOST, keys(client));
        awaitServed(shop);

        int port = gateway.port();
        gateway.closeNow();
        startGateway(server, port);

        await().ignoreExceptions().until(() -> shop.sell("tea").equals("shanghai:tea"));
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void aPlainGatewayStaysPlain_whateverTheApplicationsTls(Tunnel tunnel) {
        Identity other = stranger.identity("other");
        gateway = star.anotherGateway();

        Shop shop = Highway.to("shanghai")
                .bind(
                        Shop.class,
                        star.shop(
                                tunnel,
                                key(tunnel),
                                HOST + ":" + gateway.port(),
                                "dubbo.consumer.check", // of home's provider, which has no TLS either
                                "false",
                                "dubbo.ssl.client-key-cert-chain-path",
                                other.certificate().toString(),
                                "dubbo.ssl.client-private-key-path",
                                other.privateKey().toString(),
                                "dubbo.ssl.client-trust-cert-collection-path",
                                stranger.certificate().toString()));

        awaitServed(shop);
    }

    @ParameterizedTest
    @EnumSource(Tunnel.class)
    void namesTheHost_andHttp2ForTriple_inTheHandshake(Tunnel tunnel) throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        keys.setKeyEntry(
                "server",
                KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(pem(server.privateKey()))),
                new char[0],
                new Certificate[] {certificate(server.certificate())});
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), null, null);
        try (SSLServerSocket listener = (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 1, InetAddress.getByName(HOST))) {
            CompletableFuture<Map.Entry<String, String>> seen = CompletableFuture.supplyAsync(() -> hello(listener));

            star.shop(
                    tunnel,
                    key(tunnel),
                    HOST + ":" + listener.getLocalPort(),
                    "highway.gateways.tls.trust-certificates",
                    authority.certificate().toString());

            assertThat(seen.get(10, TimeUnit.SECONDS)).isEqualTo(Map.entry(HOST, tunnel == Tunnel.TRIPLE ? "h2" : ""));
        }
    }

    /** The server's name and the protocol of the first handshake; the SDK probes the port before it. */
    private static Map.Entry<String, String> hello(SSLServerSocket listener) {
        while (true) {
            try (SSLSocket socket = (SSLSocket) listener.accept()) {
                SSLParameters parameters = socket.getSSLParameters();
                parameters.setApplicationProtocols(new String[] {"h2"});
                socket.setSSLParameters(parameters);
                socket.startHandshake();
                ExtendedSSLSession session = (ExtendedSSLSession) socket.getSession();
                String name = session.getRequestedServerNames().stream()
                        .map(requested -> new SNIHostName(requested.getEncoded()).getAsciiName())
                        .findFirst()
                        .orElse("");
                return Map.entry(name, socket.getApplicationProtocol());
            } catch (IOException e) {
                if (listener.isClosed()) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    /** Of the files that the next connection uses, and of the connection; a file with two authorities ends with the later. */
    @ParameterizedTest
    @EnumSource
    void tellsWhenCertificatesEnd(Tunnel tunnel) throws Exception {
        startGateway(server);
        Path both = Files.writeString(
                folder.resolve("both.crt"),
                Files.readString(stranger.certificate()) + Files.readString(authority.certificate()));
        Path keyAndCertificate = Files.writeString(
                folder.resolve("client.pem"),
                Files.readString(client.privateKey())
                        + Files.readString(client.certificate()).replace(" CERTIFICATE", " X509 CERTIFICATE"));
        Map<String, String> keys = star.properties(
                tunnel,
                key(tunnel),
                HOST + ":" + gateway.port(),
                "highway.gateways.tls.trust-certificates",
                both.toString(),
                "highway.gateways.tls.certificate",
                keyAndCertificate.toString());
        TestApplication consumer = star.consumer(keys);
        Shop shop = consumer.reference(Shop.class, config -> config.setUrl("dubbo://" + star.homeDubbo))
                .get();
        awaitServed(Highway.to("shanghai").bind(Shop.class, shop));

        HighwayRuntime runtime = HighwayRuntime.of(consumer.model());
        assertThat(runtime.policy().gateways())
                .filteredOn(one -> one.address().kind().word().equals(tunnel.key()))
                .singleElement()
                .satisfies(one -> {
                    assertThat(runtime.destinations().connections().certificateEnds(one, CertificateRole.OWN))
                            .isEqualTo(end(client.certificate()));
                    assertThat(runtime.destinations().connections().certificateEnds(one, CertificateRole.AUTHORITY))
                            .isEqualTo(later(end(stranger.certificate()), end(authority.certificate())));
                    assertThat(runtime.destinations().connections().certificateEnds(one, CertificateRole.GATEWAY))
                            .isEqualTo(end(server.certificate()));
                    Files.writeString(keyAndCertificate, "damaged");
                    assertThat(Objects.requireNonNull(one.tls()).ends(CertificateRole.OWN))
                            .isEqualTo(Instant.EPOCH);
                });
    }

    private static Instant end(Path certificate) throws Exception {
        return ((X509Certificate) certificate(certificate)).getNotAfter().toInstant();
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private interface Fill {
        void accept(KeyStore store) throws Exception;
    }

    private static Path store(String name, String password, Fill fill) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        fill.accept(store);
        Path file = folder.resolve(name);
        try (var out = Files.newOutputStream(file)) {
            store.store(out, password.toCharArray());
        }
        return file;
    }

    private static Certificate certificate(Path file) throws Exception {
        try (InputStream in = new FileInputStream(file.toFile())) {
            return CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    private static byte[] pem(Path file) throws IOException {
        String text = Files.readString(file).replaceAll("-----[A-Z ]+-----", "");
        return Base64.getMimeDecoder().decode(text);
    }
}

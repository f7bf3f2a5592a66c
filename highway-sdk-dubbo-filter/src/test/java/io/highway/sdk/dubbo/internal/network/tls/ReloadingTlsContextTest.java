// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.highway.tools.fixtures.certificates.Authority;
import io.highway.tools.fixtures.certificates.Identity;
import io.netty.handler.ssl.SslContext;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReloadingTlsContextTest {

    @TempDir
    Path folder;

    private TlsSettings tls(Authority authority, Identity own) {
        return new TlsSettings(
                authority.certificate().toString(),
                null,
                own.certificate().toString(),
                own.privateKey().toString(),
                null,
                true);
    }

    @ParameterizedTest
    @ValueSource(strings = {"authority.crt", "own.crt", "own.key"})
    void areReadAgain_onlyIfOneHasChanged(String changed) throws Exception {
        Authority authority = new Authority("authority", folder);
        Identity own = authority.identity("own");
        ReloadingTlsContext files = new ReloadingTlsContext(tls(authority, own), true);
        SslContext first = files.context();

        assertThat(files.context()).isSameAs(first);
        Path file = folder.resolve(changed);
        Files.writeString(file, Files.readString(file) + "\n");
        SslContext second = files.context();

        assertThat(second).isNotSameAs(first);
        assertThat(files.context()).isSameAs(second);
    }

    @ParameterizedTest
    @ValueSource(strings = {"own.crt", "own.key"})
    void areReadAgain_onlyIfOneHasChanged_besideTheAuthoritiesOfTheRuntime(String changed) throws Exception {
        Identity own = new Authority("authority", folder).identity("own");
        ReloadingTlsContext files = new ReloadingTlsContext(
                new TlsSettings(
                        null,
                        null,
                        own.certificate().toString(),
                        own.privateKey().toString(),
                        null,
                        true),
                true);
        SslContext first = files.context();

        assertThat(files.context()).isSameAs(first);
        Path file = folder.resolve(changed);
        Files.writeString(file, Files.readString(file) + "\n");
        SslContext second = files.context();

        assertThat(second).isNotSameAs(first);
        assertThat(files.context()).isSameAs(second);
    }

    @Test
    void areReported_whenTheyCannotBeUsed_andUsedAgainLater() throws Exception {
        Authority authority = new Authority("authority", folder);
        Identity own = authority.identity("own");
        ReloadingTlsContext files = new ReloadingTlsContext(tls(authority, own), false);
        SslContext unused = files.context();
        Path away = folder.resolve("away");
        Files.move(own.privateKey(), away);

        assertThatThrownBy(files::context).isInstanceOfSatisfying(UnusableTlsException.class, e -> assertThat(e.key())
                .isEqualTo("private-key"));
        assertThat(files.ends(CertificateRole.OWN)).isEqualTo(Instant.EPOCH);
        assertThat(files.ends(CertificateRole.AUTHORITY)).isAfter(Instant.now());
        Files.move(away, own.privateKey(), StandardCopyOption.REPLACE_EXISTING);

        assertThat(files.context()).isNotNull();
        assertThat(files.ends(CertificateRole.OWN)).isAfter(Instant.now());
    }

    @Test
    @Tag("network")
    void doNotStopTheOneWhoAsksForTheirEnd_whenTheyAreNeverRead() throws Exception {
        Authority authority = new Authority("authority", folder);
        Path never = folder.resolve("never.crt");
        assumeTrue(new ProcessBuilder("mkfifo", never.toString()).start().waitFor() == 0);
        ReloadingTlsContext files = new ReloadingTlsContext(
                new TlsSettings(authority.certificate().toString(), null, never.toString(), null, null, true), true);

        Instant end = assertTimeoutPreemptively(Duration.ofSeconds(10), () -> files.ends(CertificateRole.OWN));

        assertThat(end).isIn(null, Instant.EPOCH); // the read may have ended before
        await().until(() -> Instant.EPOCH.equals(files.ends(CertificateRole.OWN))); // no regular file
    }

    /** What a failed renewal leaves: the next connection fails, the present one goes on. */
    @ParameterizedTest
    @ValueSource(strings = {"no key", "another key", "a key of another kind", "half a certificate", "no certificate"})
    void haveEnded_whenTheNextConnectionCannotUseThem(String left) throws Exception {
        Authority authority = new Authority("authority", folder);
        Identity own = authority.identity("own");
        String certificate = Files.readString(own.certificate());
        switch (left) {
            case "no key" -> Files.delete(own.privateKey());
            case "another key" ->
                Files.copy(
                        authority.identity("other").privateKey(),
                        own.privateKey(),
                        StandardCopyOption.REPLACE_EXISTING);
            case "a key of another kind" -> Files.writeString(own.privateKey(), rsaKey());
            case "half a certificate" -> Files.writeString(own.certificate(), certificate.substring(0, 200));
            default -> Files.copy(own.privateKey(), own.certificate(), StandardCopyOption.REPLACE_EXISTING);
        }
        ReloadingTlsContext files = new ReloadingTlsContext(tls(authority, own), true);

        assertThatThrownBy(files::context).isInstanceOf(UnusableTlsException.class);
        assertThat(files.ends(CertificateRole.OWN)).isEqualTo(Instant.EPOCH);
        assertThat(files.ends(CertificateRole.AUTHORITY)).isAfter(Instant.now());
    }

    private static String rsaKey() throws GeneralSecurityException {
        byte[] key = KeyPairGenerator.getInstance("RSA")
                .generateKeyPair()
                .getPrivate()
                .getEncoded();
        return "-----BEGIN PRIVATE KEY-----\n" + Base64.getMimeEncoder().encodeToString(key)
                + "\n-----END PRIVATE KEY-----\n";
    }

    /** One key store with our key and the authorities, as JDK keytool makes it. */
    @Test
    void tellTheEndOfWhatAHandshakeUses_inAKeyStore() throws Exception {
        Authority issuer = new Authority("issuer", folder, Duration.ofDays(3000));
        Authority trusted = new Authority("trusted", folder, Duration.ofDays(5));
        Authority ended = new Authority("ended", folder, Duration.ofDays(-1));
        Identity own = issuer.identity(Duration.ofDays(90), "own");
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("trusted", certificate(trusted.certificate()));
        store.setCertificateEntry("ended", certificate(ended.certificate()));
        store.setKeyEntry("own", key(own.privateKey()), "secret".toCharArray(), new Certificate[] {
            certificate(own.certificate()), certificate(issuer.certificate())
        });
        Path file = folder.resolve("both.p12");
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, "secret".toCharArray());
        }
        ReloadingTlsContext files = new ReloadingTlsContext(
                new TlsSettings(file.toString(), "secret", file.toString(), null, "secret", true), true);

        SslContext unused = files.context();

        assertThat(files.ends(CertificateRole.OWN)).isEqualTo(end(own.certificate()));
        assertThat(files.ends(CertificateRole.AUTHORITY)).isEqualTo(end(trusted.certificate()));
    }

    /** The handshake does not look at what a gateway sends after an authority that is trusted. */
    @Test
    void tellTheEndOfAChain_upToATrustedAuthority() throws Exception {
        Authority old = new Authority("old", folder, Duration.ofDays(-1));
        Authority authority = new Authority("authority", folder);
        Identity server = authority.identity(Duration.ofDays(30), "server");
        SSLSession session = mock(SSLSession.class);
        when(session.getPeerCertificates()).thenReturn(new Certificate[] {
            certificate(server.certificate()), certificate(authority.certificate()), certificate(old.certificate())
        });

        assertThat(endOf(session, tls(authority, server))).isEqualTo(end(server.certificate()));
        assertThat(endOf(session, tls(new Authority("other", folder), server))).isEqualTo(end(old.certificate()));
    }

    private static Instant endOf(SSLSession session, TlsSettings tls) throws Exception {
        ReloadingTlsContext files = new ReloadingTlsContext(tls, true);
        SslContext unused = files.context();
        return files.endOf(session);
    }

    private static X509Certificate certificate(Path file) throws Exception {
        try (InputStream in = Files.newInputStream(file)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    private static Instant end(Path certificate) throws Exception {
        return certificate(certificate).getNotAfter().toInstant();
    }

    private static PrivateKey key(Path file) throws Exception {
        String text = Files.readString(file).replaceAll("-----[A-Z ]+-----", "");
        return KeyFactory.getInstance("EC")
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(text)));
    }

    @Test
    void tellTheirEnd_beforeTheyAreUsed() throws Exception {
        Authority authority = new Authority("authority", folder);
        Identity own = authority.identity("own");
        ReloadingTlsContext files = new ReloadingTlsContext(tls(authority, own), true);

        await().until(() -> files.ends(CertificateRole.OWN) != null);
    }
}

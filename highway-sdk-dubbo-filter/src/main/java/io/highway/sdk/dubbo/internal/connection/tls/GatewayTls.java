// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.tls;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The TLS settings of a gateway address. A file is PEM or a key store (PKCS#12, JKS), detected by its content.
 *
 * @param trustCertificates the file with the authorities that may sign the gateway's certificate; null for those that
 *     the Java runtime trusts
 * @param trustPassword the password of that file, if it is a key store
 * @param certificate the file with our own certificate and its intermediates; null if we present none. A key store also
 *     contains the private key
 * @param privateKey the file with our private key, PKCS#8
 * @param keyPassword the password of the private key, or of the key store
 * @param verifyHost whether the gateway's certificate must name the host that was called
 */
public record GatewayTls(
        @Nullable String trustCertificates,
        @Nullable String trustPassword,
        @Nullable String certificate,
        @Nullable String privateKey,
        @Nullable String keyPassword,
        boolean verifyHost) {

    private static final String PEM = "-----BEGIN ";
    private static final Pattern PEM_CERTIFICATE =
            Pattern.compile("-----BEGIN (X509 )?CERTIFICATE-----[^-]+-----END (X509 )?CERTIFICATE-----");

    /**
     * Reads the files in their current state.
     *
     * @param http2 whether the protocol is HTTP/2, which gateways expect to be announced in the handshake (ALPN)
     * @throws UnusableTlsException if a file cannot be used, with the name of its key
     */
    public SslContext read(boolean http2) throws UnusableTlsException {
        // the runtime's own provider checks host names and sends ALPN and the server name in every version
        SslContextBuilder builder = SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .sessionTimeout(1); // a resumed session shows no certificate, which may have been replaced
        if (http2) {
            builder.applicationProtocolConfig(new ApplicationProtocolConfig(
                    ApplicationProtocolConfig.Protocol.ALPN,
                    ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                    ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                    ApplicationProtocolNames.HTTP_2));
        }
        if (trustCertificates != null) {
            trust(builder, trustCertificates);
        }
        if (certificate != null) {
            identify(builder, certificate);
        }
        try {
            return builder.build();
        } catch (SSLException e) {
            throw new UnusableTlsException("trust-certificates", String.valueOf(trustCertificates), e);
        }
    }

    /** A hash of the files, or null if one cannot be read or the Java runtime's authorities count, whose file is not ours. */
    byte @Nullable [] hash() {
        if (trustCertificates == null) {
            return null;
        }
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String file : new String[] {trustCertificates, certificate, privateKey}) {
                if (file != null) {
                    digest.update(Files.readAllBytes(Path.of(file)));
                }
            }
            return digest.digest();
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) { // read says which
            return null;
        }
    }

    private void trust(SslContextBuilder builder, String file) throws UnusableTlsException {
        try {
            if (isPem(file)) {
                try (InputStream pem = Files.newInputStream(Path.of(file))) {
                    builder.trustManager(pem);
                }
            } else {
                TrustManagerFactory trusted =
                        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
                trusted.init(KeyStore.getInstance(new File(file), characters(trustPassword)));
                builder.trustManager(trusted);
            }
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw new UnusableTlsException("trust-certificates", file, e);
        }
    }

    private void identify(SslContextBuilder builder, String file) throws UnusableTlsException {
        try {
            if (!isPem(file)) {
                KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
                own.init(KeyStore.getInstance(new File(file), characters(keyPassword)), characters(keyPassword));
                builder.keyManager(own);
                return;
            }
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) { // also for an invalid path
            throw new UnusableTlsException("certificate", file, e);
        }
        String keyFile = privateKey == null ? file : privateKey;
        try (InputStream chain = Files.newInputStream(Path.of(file));
                InputStream key = Files.newInputStream(Path.of(keyFile))) {
            builder.keyManager(chain, key, keyPassword);
        } catch (IOException | IllegalArgumentException e) {
            throw new UnusableTlsException("private-key", keyFile, e);
        }
    }

    /**
     * When a certificate of the files ends; the epoch if the file cannot be read, since the next connection fails as with
     * an ended one; null if there is none.
     *
     * @param kind {@code OWN} or {@code AUTHORITY}
     */
    public @Nullable Instant ends(CertificateKind kind) {
        boolean isOwn = kind == CertificateKind.OWN;
        String file = isOwn ? certificate : trustCertificates;
        if (file == null) {
            return null;
        }
        try {
            Stream<Instant> ends = certificates(file, isOwn ? keyPassword : trustPassword)
                    .map(one -> one.getNotAfter().toInstant());
            return (isOwn ? ends.min(Comparator.naturalOrder()) : ends.max(Comparator.naturalOrder())).orElse(null);
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) { // the connection reports it
            return Instant.EPOCH;
        }
    }

    /** When the first certificate of the peer's chain ends. */
    public static Instant endOf(SSLSession session) throws SSLPeerUnverifiedException {
        return Arrays.stream(session.getPeerCertificates())
                .map(one -> ((X509Certificate) one).getNotAfter().toInstant())
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    private static Stream<X509Certificate> certificates(String file, @Nullable String password)
            throws IOException, GeneralSecurityException {
        List<X509Certificate> found = new ArrayList<>();
        String text = text(file);
        if (text.contains(PEM)) {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            Matcher blocks = PEM_CERTIFICATE.matcher(text);
            while (blocks.find()) {
                byte[] block = blocks.group().getBytes(StandardCharsets.ISO_8859_1);
                found.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block)));
            }
        } else {
            KeyStore store = KeyStore.getInstance(new File(file), characters(password));
            for (String alias : Collections.list(store.aliases())) {
                Certificate[] chain = store.getCertificateChain(alias); // of an entry with a key
                for (Certificate one : chain != null ? chain : new Certificate[] {store.getCertificate(alias)}) {
                    if (one instanceof X509Certificate known) {
                        found.add(known);
                    }
                }
            }
        }
        return found.stream();
    }

    private static boolean isPem(String file) throws IOException {
        return text(file).contains(PEM);
    }

    private static String text(String file) throws IOException {
        return Files.readString(Path.of(file), StandardCharsets.ISO_8859_1);
    }

    private static char[] characters(@Nullable String password) {
        return password == null ? new char[0] : password.toCharArray();
    }

    /** Passwords are never included. */
    @Override
    public String toString() {
        return "TLS, trust " + (trustCertificates == null ? "system" : trustCertificates)
                + (certificate == null ? "" : ", certificate " + certificate)
                + (verifyHost ? "" : ", any host name");
    }
}

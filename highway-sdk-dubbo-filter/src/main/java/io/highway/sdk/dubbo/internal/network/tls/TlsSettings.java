// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.network.tls;

import io.highway.sdk.dubbo.internal.files.LocalFileReader;
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
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
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
public record TlsSettings(
        @Nullable String trustCertificates,
        @Nullable String trustPassword,
        @Nullable String certificate,
        @Nullable String privateKey,
        @Nullable String keyPassword,
        boolean verifyHost) {

    /** The last part of the key of the authorities. */
    static final String TRUST = "trust-certificates";

    private static final String PEM = "-----BEGIN ";
    private static final Pattern PEM_CERTIFICATE =
            Pattern.compile("-----BEGIN (X509 )?CERTIFICATE-----[^-]+-----END (X509 )?CERTIFICATE-----");
    private static final Pattern PEM_KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");

    /** More than the authorities of a Java runtime. */
    private static final int MOST_BYTES = 1 << 20;

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
            throw new UnusableTlsException(TRUST, String.valueOf(trustCertificates), e);
        }
    }

    /** A hash of the files, without those of the Java runtime; null if one cannot be read. */
    byte @Nullable [] hash() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String file : new String[] {trustCertificates, certificate, privateKey}) {
                if (file != null) {
                    digest.update(LocalFileReader.read(Path.of(file), MOST_BYTES));
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
                builder.trustManager(stream(file));
            } else {
                TrustManagerFactory trusted =
                        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
                trusted.init(store(file, trustPassword));
                builder.trustManager(trusted);
            }
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw new UnusableTlsException(TRUST, file, e);
        }
    }

    private void identify(SslContextBuilder builder, String file) throws UnusableTlsException {
        try {
            if (!isPem(file)) {
                KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
                own.init(store(file, keyPassword), characters(keyPassword));
                builder.keyManager(own);
                return;
            }
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) { // also for an invalid path
            throw new UnusableTlsException("certificate", file, e);
        }
        String keyFile = privateKey == null ? file : privateKey;
        try {
            builder.keyManager(stream(file), stream(keyFile), keyPassword);
            requirePair(file, keyFile);
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw new UnusableTlsException("private-key", keyFile, e);
        }
    }

    /** Whether the key is that of the certificate; a handshake tells only then that it is not. An encrypted key is not compared. */
    private static void requirePair(String file, String keyFile) throws IOException, GeneralSecurityException {
        Matcher found = PEM_KEY.matcher(text(keyFile));
        X509Certificate own = pem(file).stream().findFirst().orElse(null);
        String kind = own == null ? "" : own.getPublicKey().getAlgorithm();
        if (own == null || !found.find() || !(kind.equals("RSA") || kind.equals("EC"))) {
            return;
        }
        byte[] encoded = Base64.getMimeDecoder().decode(found.group(1));
        Signature signature = Signature.getInstance("SHA256with" + (kind.equals("EC") ? "ECDSA" : kind));
        try {
            signature.initSign(KeyFactory.getInstance(kind).generatePrivate(new PKCS8EncodedKeySpec(encoded)));
            byte[] signed = signature.sign();
            signature.initVerify(own);
            if (signature.verify(signed)) {
                return;
            }
        } catch (InvalidKeySpecException e) { // a key of another kind
        }
        throw new KeyException("it is not the key of the certificate in " + file);
    }

    /**
     * When a certificate of the files ends; the epoch if it cannot be read, since the next connection fails as with an ended
     * one; null if no file is configured.
     *
     * @param kind {@code OWN} or {@code AUTHORITY}
     */
    public @Nullable Instant ends(CertificateRole kind) {
        boolean isOwn = kind == CertificateRole.OWN;
        String file = isOwn ? certificate : trustCertificates;
        if (file == null) {
            return null;
        }
        try {
            Stream<Instant> ends = (isOwn ? own(file) : trusted())
                    .stream().map(one -> one.getNotAfter().toInstant());
            return (isOwn ? ends.min(Comparator.naturalOrder()) : ends.max(Comparator.naturalOrder()))
                    .orElse(Instant.EPOCH);
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) { // the connection reports it
            return Instant.EPOCH;
        }
    }

    /**
     * When the first certificate of the peer's chain ends that the handshake checks: what follows an authority that is
     * trusted is not looked at.
     *
     * @param trusted the authorities, if they are known
     */
    public static Instant endOf(SSLSession session, Collection<X509Certificate> trusted)
            throws SSLPeerUnverifiedException {
        Certificate[] chain = session.getPeerCertificates();
        Instant first = ((X509Certificate) chain[0]).getNotAfter().toInstant();
        for (int i = 1; i < chain.length; i++) {
            X509Certificate issuer = (X509Certificate) chain[i];
            if (trusted.stream().anyMatch(anchor -> isSame(anchor, issuer))) {
                break;
            }
            Instant end = issuer.getNotAfter().toInstant();
            first = end.isBefore(first) ? end : first;
        }
        return first;
    }

    private static boolean isSame(X509Certificate anchor, X509Certificate other) {
        return anchor.getSubjectX500Principal().equals(other.getSubjectX500Principal())
                && anchor.getPublicKey().equals(other.getPublicKey());
    }

    /** The authorities in the file; of a key store, our own certificate only if there is no other one. Empty for the Java runtime's. */
    Collection<X509Certificate> trusted() throws IOException, GeneralSecurityException {
        if (trustCertificates == null) {
            return List.of();
        }
        if (isPem(trustCertificates)) {
            return pem(trustCertificates);
        }
        KeyStore store = store(trustCertificates, trustPassword);
        List<X509Certificate> found = new ArrayList<>();
        List<X509Certificate> ofKeys = new ArrayList<>();
        for (String alias : Collections.list(store.aliases())) {
            if (store.getCertificate(alias) instanceof X509Certificate known) {
                (store.isCertificateEntry(alias) ? found : ofKeys).add(known);
            }
        }
        return found.isEmpty() ? ofKeys : found;
    }

    /** Our certificate and its intermediates. */
    private Collection<X509Certificate> own(String file) throws IOException, GeneralSecurityException {
        if (isPem(file)) {
            return pem(file);
        }
        KeyStore store = store(file, keyPassword);
        List<X509Certificate> found = new ArrayList<>();
        for (String alias : Collections.list(store.aliases())) {
            Certificate[] chain = store.getCertificateChain(alias); // null without a key
            for (Certificate one : chain == null ? new Certificate[0] : chain) {
                found.add((X509Certificate) one);
            }
        }
        return found;
    }

    private static List<X509Certificate> pem(String file) throws IOException, GeneralSecurityException {
        List<X509Certificate> found = new ArrayList<>();
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        Matcher blocks = PEM_CERTIFICATE.matcher(text(file));
        while (blocks.find()) {
            byte[] block = blocks.group().getBytes(StandardCharsets.ISO_8859_1);
            found.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block)));
        }
        return found;
    }

    private static KeyStore store(String file, @Nullable String password) throws IOException, GeneralSecurityException {
        LocalFileReader.requireRegular(Path.of(file));
        return KeyStore.getInstance(new File(file), characters(password));
    }

    private static boolean isPem(String file) throws IOException {
        return text(file).contains(PEM);
    }

    private static String text(String file) throws IOException {
        return new String(LocalFileReader.read(Path.of(file), MOST_BYTES), StandardCharsets.ISO_8859_1);
    }

    private static InputStream stream(String file) throws IOException {
        return new ByteArrayInputStream(LocalFileReader.read(Path.of(file), MOST_BYTES));
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

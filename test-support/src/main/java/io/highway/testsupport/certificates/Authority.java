// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.testsupport.certificates;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/** Signs certificates that are valid for a day, or as long as it is told. Thread-safe. */
public final class Authority {

    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration CLOCKS_DIFFER = Duration.ofHours(1);
    private static final int SERIAL_BITS = 128;

    private final Path folder;
    private final X500Name name;
    private final KeyPair keys;
    private final Path certificate;

    /**
     * Creates a new authority.
     *
     * @param folder where its files go
     */
    public Authority(String name, Path folder) {
        this(name, folder, DAY);
    }

    /** The same, for an authority that is itself valid for so long. */
    public Authority(String name, Path folder, Duration valid) {
        this(name, folder, valid, null);
    }

    private Authority(String name, Path folder, Duration valid, @Nullable Authority issuer) {
        this.folder = folder;
        this.name = new X500Name("CN=" + name);
        this.keys = keys();
        X509Certificate signed = (issuer == null ? this : issuer).sign(this.name, keys, true, valid);
        this.certificate = write(name + ".crt", "CERTIFICATE", encoded(signed));
    }

    /** An intermediate authority, which this one signs, and which is itself valid for so long. */
    public Authority intermediate(String name, Duration valid) {
        return new Authority(name, folder, valid, this);
    }

    /** Its own certificate, PEM: the trust anchor of everything that it signs. */
    public Path certificate() {
        return certificate;
    }

    /**
     * Makes a key and signs its certificate, for servers and clients alike.
     *
     * @param names of the host, none for a client that has none; the first is also the files' name
     */
    public Identity identity(String subject, String... names) {
        return identity(DAY, subject, names);
    }

    /** The same, for a certificate that is valid for so long from now; negative if it has ended already. */
    public Identity identity(Duration valid, String subject, String... names) {
        KeyPair own = keys();
        X509Certificate signed = sign(new X500Name("CN=" + subject), own, false, valid, names);
        return new Identity(
                write(subject + ".crt", "CERTIFICATE", encoded(signed)),
                write(subject + ".key", "PRIVATE KEY", own.getPrivate().getEncoded()));
    }

    private X509Certificate sign(
            X500Name subject, KeyPair subjectKeys, boolean authority, Duration valid, String... names) {
        Instant now = Instant.now();
        JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                name,
                new BigInteger(SERIAL_BITS, new SecureRandom()),
                Date.from(now.minus(CLOCKS_DIFFER)),
                Date.from(now.plus(valid)),
                subject,
                subjectKeys.getPublic());
        try {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
            if (names.length > 0) {
                builder.addExtension(
                        Extension.subjectAlternativeName,
                        false,
                        new GeneralNames(Arrays.stream(names)
                                .map(host -> new GeneralName(GeneralName.dNSName, host))
                                .toArray(GeneralName[]::new)));
            }
            return new JcaX509CertificateConverter()
                    .getCertificate(
                            builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
        } catch (CertIOException | OperatorCreationException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyPair keys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] encoded(X509Certificate signed) {
        try {
            return signed.getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private Path write(String file, String what, byte[] content) {
        String pem = "-----BEGIN " + what + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content)
                + "\n-----END " + what + "-----\n";
        try {
            return Files.writeString(Files.createDirectories(folder).resolve(file), pem);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

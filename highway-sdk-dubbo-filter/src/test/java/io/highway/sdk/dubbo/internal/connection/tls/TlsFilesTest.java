// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.connection.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.highway.testsupport.certificates.Authority;
import io.highway.testsupport.certificates.Identity;
import io.netty.handler.ssl.SslContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TlsFilesTest {

    @TempDir
    Path folder;

    private GatewayTls tls(Authority authority, Identity own) {
        return new GatewayTls(
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
        TlsFiles files = new TlsFiles(tls(authority, own), true);
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
        TlsFiles files = new TlsFiles(tls(authority, own), false);
        SslContext first = files.context();
        Path away = folder.resolve("away");
        Files.move(own.privateKey(), away);

        assertThatThrownBy(files::context).isInstanceOfSatisfying(UnusableTlsException.class, e -> assertThat(e.key())
                .isEqualTo("private-key"));
        Files.move(away, own.privateKey(), StandardCopyOption.REPLACE_EXISTING);

        assertThat(files.context()).isSameAs(first);
    }

    @Test
    @Tag("network")
    void doNotStopTheOneWhoAsksForTheirEnd_whenTheyAreNeverRead() throws Exception {
        Authority authority = new Authority("authority", folder);
        Path never = folder.resolve("never.crt");
        assumeTrue(new ProcessBuilder("mkfifo", never.toString()).start().waitFor() == 0);
        TlsFiles files = new TlsFiles(
                new GatewayTls(authority.certificate().toString(), null, never.toString(), null, null, true), true);

        Instant end = assertTimeoutPreemptively(Duration.ofSeconds(10), () -> files.ends(CertificateKind.OWN));

        assertThat(end).isNull();
    }

    @Test
    void tellTheirEnd_beforeTheyAreUsed() throws Exception {
        Authority authority = new Authority("authority", folder);
        Identity own = authority.identity("own");
        TlsFiles files = new TlsFiles(tls(authority, own), true);

        await().until(() -> files.ends(CertificateKind.OWN) != null);
    }
}

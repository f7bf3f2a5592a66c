// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.signature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import io.highway.sdk.dubbo.internal.policy.RawSettings.Setting;
import io.highway.sdk.dubbo.internal.policy.SecretSource;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeySecretsTest {

    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void name() {
        file = directory.resolve("secret");
    }

    private Policy policy() {
        return PolicyParser.parse(
                        new RawSettings(Map.of(
                                "highway.island", new Setting("zhejiang", "test"),
                                "highway.sign.key-id", new Setting("zhejiang", "test"),
                                "highway.sign.secret", new Setting("file:" + file, "application.yml:7"))),
                        "static",
                        null)
                .orElseThrow();
    }

    private SecretSource configured() {
        return policy().signing().own().secret();
    }

    private static byte[] signed(String secret) {
        return new KeyedMac(secret).sign(new byte[] {1});
    }

    private static byte[] signed(KeySecrets secrets) {
        return secrets.first().sign(new byte[] {1});
    }

    @Test
    void signsWithTheFirstLine_andAcceptsAll() throws Exception {
        Files.writeString(file, "\r\n  first 密  \r\n\nsecond");

        KeySecrets secrets = new KeySecrets(configured());

        assertThat(signed(secrets)).isEqualTo(signed("first 密"));
        assertThat(secrets.all()).hasSize(2);
        assertThat(secrets.all().get(1).sign(new byte[] {1})).isEqualTo(signed("second"));
    }

    /** Some editors write it; a rule may begin with it, too. */
    @Test
    void leavesOutAByteOrderMark() throws Exception {
        Files.writeString(file, "\uFEFFfirst\nsecond");

        KeySecrets secrets = new KeySecrets(configured());

        assertThat(signed(secrets)).isEqualTo(signed("first"));
    }

    @Test
    void failsStartUp_withTheKeyAndItsOrigin_whenTheFileIsMissing() {
        assertThatThrownBy(() -> SignatureService.of(policy(), null))
                .isInstanceOfSatisfying(HighwayConfigurationException.class, e -> assertThat(e.origin())
                        .contains("application.yml:7"))
                .hasMessageStartingWith("highway.sign.secret: the file " + file
                        + " cannot be read: NoSuchFileException. Write the path");
    }

    @Test
    void failsStartUp_withoutTheContent_whenTheFileIsUnusable() throws Exception {
        for (byte[] content : new byte[][] {
            {},
            " \n\t\n".getBytes(StandardCharsets.UTF_8),
            "\uFEFF\n".getBytes(StandardCharsets.UTF_8),
            {'Q', '9', (byte) 0xff},
            "Q9\n".repeat(17).getBytes(StandardCharsets.UTF_8),
            "Q9".repeat(40_000).getBytes(StandardCharsets.UTF_8)
        }) {
            Files.write(file, content);

            assertThatThrownBy(() -> new KeySecrets(configured()))
                    .isInstanceOf(HighwayConfigurationException.class)
                    .hasMessageNotContaining("Q9");
        }
    }

    /** A file may be read while it is written. */
    @Test
    void takesNewContent_onceTwoReadsAgree() throws Exception {
        Files.writeString(file, "old");
        KeySecrets secrets = new KeySecrets(configured());

        Files.writeString(file, "ne");
        secrets.refresh();
        Files.writeString(file, "new");
        secrets.refresh();
        assertThat(signed(secrets)).isEqualTo(signed("old"));
        secrets.refresh();

        assertThat(signed(secrets)).isEqualTo(signed("new"));
    }

    @Test
    void keepsTheLastGoodSecrets() throws Exception {
        Files.writeString(file, "old");
        KeySecrets secrets = new KeySecrets(configured());

        Files.delete(file);
        secrets.refresh();
        secrets.refresh();
        assertThat(signed(secrets)).isEqualTo(signed("old"));
        Files.writeString(file, "");
        secrets.refresh();
        secrets.refresh();

        assertThat(signed(secrets)).isEqualTo(signed("old"));
    }

    @Test
    @Tag("network")
    void tellThatTheyAreUnusable_whenTheirFileIsAPipe() throws Exception {
        Files.writeString(file, "old");
        KeySecrets secrets = new KeySecrets(configured());
        Files.delete(file);
        assumeTrue(new ProcessBuilder("mkfifo", file.toString()).start().waitFor() == 0);

        assertTimeoutPreemptively(Duration.ofSeconds(20), secrets::refresh);

        assertThat(secrets.isUnusable()).isTrue();
        assertThat(signed(secrets)).isEqualTo(signed("old"));
        assertThatThrownBy(() -> new KeySecrets(configured())).hasMessageContaining("is not a regular file");
        Files.delete(file);
        Files.writeString(file, "new");
        secrets.refresh();
        secrets.refresh();
        assertThat(secrets.isUnusable()).isFalse();
        assertThat(signed(secrets)).isEqualTo(signed("new"));
    }

    @Test
    void tellThatTheyAreUnusable_whenReadingThemFailsInAnyWay() throws Exception {
        Files.writeString(file, "old");
        KeySecrets secrets = new KeySecrets(configured());

        secrets.failed(new OutOfMemoryError("test"));
        assertThat(secrets.isUnusable()).isTrue();
        secrets.refresh();

        assertThat(secrets.isUnusable()).isFalse();
    }

    @Test
    void noTextContainsASecret() throws Exception {
        Files.writeString(file, "Q9");
        KeySecrets secrets = new KeySecrets(configured());
        SignatureService signatures = SignatureService.of(policy(), null);

        assertThat(secrets + " " + secrets.first() + " " + configured() + " " + signatures + " "
                        + signatures.signerTo("shanghai"))
                .doesNotContain("Q9");
        signatures.destroy();
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.network.tls.TlsSettings;
import io.highway.tools.fixtures.certificates.Authority;
import io.highway.tools.fixtures.certificates.Identity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The parsing of TLS keys. */
@Tag("any-dubbo")
class TlsParserTest {

    @TempDir
    private static Path folder;

    private static Authority authority;
    private static Identity client;
    private static Path noPem;

    @BeforeAll
    static void makeFiles() throws IOException {
        authority = new Authority("authority", folder);
        client = authority.identity("client");
        noPem = Files.writeString(folder.resolve("no.pem"), "what is this");
    }

    private static Policy parse(String... pairs) {
        Map<String, String> keys = new LinkedHashMap<>(Map.of(
                "highway.island", "zhejiang",
                "highway.gateways.dubbo", "gateway:20880",
                "highway.gateways.triple", "gateway:50051",
                "highway.gateways.http", "gateway:8080",
                "highway.islands.shanghai.fallback", "none"));
        for (int i = 0; i < pairs.length; i += 2) {
            keys.put("highway." + pairs[i], pairs[i + 1]);
        }
        return PolicyParser.parse(RawSettings.of(keys, "test"), "static", null).orElseThrow();
    }

    private static @Nullable TlsSettings tls(Policy policy, String island, TunnelKind kind) {
        return Objects.requireNonNull(policy.forIsland(island))
                .gateways(kind)
                .get(0)
                .tls();
    }

    @Test
    void isOff_whereNothingIsWritten() {
        Policy policy = parse();

        assertThat(tls(policy, "shanghai", TunnelKind.DUBBO)).isNull();
        assertThat(tls(policy, "shanghai", TunnelKind.TRIPLE)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "true, true, true, true",
        "false, false, false, false",
        "dubbo, true, false, false",
        "triple, false, true, false",
        "http, false, false, true"
    })
    void appliesToTheNamedProtocols(String enabled, boolean dubbo, boolean triple, boolean http) {
        Policy policy = parse("gateways.tls.enabled", enabled, "gateways.tls.verify-host", "true");

        assertThat(tls(policy, "shanghai", TunnelKind.DUBBO) != null).isEqualTo(dubbo);
        assertThat(tls(policy, "shanghai", TunnelKind.TRIPLE) != null).isEqualTo(triple);
        assertThat(tls(policy, "shanghai", TunnelKind.HTTP) != null).isEqualTo(http);
    }

    @Test
    void readsEveryKey_andTrustsTheRuntimesAuthorities_whereNoneIsWritten() {
        String trust = authority.certificate().toString();
        String certificate = client.certificate().toString();
        String key = client.privateKey().toString();

        TlsSettings all = tls(
                parse(
                        "gateways.tls.trust-certificates",
                        trust,
                        "gateways.tls.trust-password",
                        "salt",
                        "gateways.tls.certificate",
                        certificate,
                        "gateways.tls.private-key",
                        key,
                        "gateways.tls.verify-host",
                        "false"),
                "shanghai",
                TunnelKind.DUBBO);
        TlsSettings least = tls(parse("gateways.tls.enabled", "true"), "shanghai", TunnelKind.DUBBO);

        assertThat(all).isEqualTo(new TlsSettings(trust, "salt", certificate, key, null, false));
        assertThat(all).asString().doesNotContain("salt");
        assertThat(least).isEqualTo(new TlsSettings(null, null, null, null, null, true));
    }

    @Test
    void anIslandHasItsOwn_elseTheDefaults_elseHomes() {
        Policy policy = parse(
                "gateways.tls.trust-certificates",
                authority.certificate().toString(),
                "defaults.gateways.tls.verify-host",
                "false",
                "islands.beijing.gateways.dubbo",
                "beijing.gateway:20880",
                "islands.beijing.gateways.tls.verify-host",
                "true",
                "islands.beijing.gateways.tls.enabled",
                "dubbo",
                "islands.beijing.tunnel",
                "dubbo");

        assertThat(tls(policy, "shanghai", TunnelKind.DUBBO))
                .isEqualTo(new TlsSettings(authority.certificate().toString(), null, null, null, null, false));
        assertThat(tls(policy, "beijing", TunnelKind.DUBBO))
                .isEqualTo(new TlsSettings(authority.certificate().toString(), null, null, null, null, true));
    }

    @Test
    void anEmptyValueMeansNone() {
        Policy policy = parse(
                "gateways.tls.certificate",
                client.certificate().toString(),
                "gateways.tls.private-key",
                client.privateKey().toString(),
                "islands.beijing.gateways.dubbo",
                "beijing.gateway:20880",
                "islands.beijing.tunnel",
                "dubbo",
                "islands.beijing.gateways.tls.enabled",
                "true",
                "islands.beijing.gateways.tls.certificate",
                "",
                "islands.beijing.gateways.tls.private-key",
                "");

        assertThat(tls(policy, "beijing", TunnelKind.DUBBO))
                .isEqualTo(new TlsSettings(null, null, null, null, null, true));
    }

    @Test
    void oneAddressIsSecuredInOneWay() {
        assertThatThrownBy(() -> parse("islands.shanghai.gateways.tls.enabled", "true", "islands.beijing.retries", "1"))
                .isInstanceOf(HighwayConfigurationException.class)
                .hasMessageContainingAll("gateways.tls", "gateway:50051", "the same TLS keys");
    }

    static Stream<Arguments> mistakes() {
        String missing = folder.resolve("missing.crt").toString();
        return Stream.of(
                Arguments.of(
                        List.of("gateways.tls.enabled", "yes"),
                        List.of("highway.gateways.tls.enabled", "yes", "true, false, dubbo, triple, http")),
                Arguments.of(
                        List.of("gateways.tls.verify-host", "off"),
                        List.of("highway.gateways.tls.verify-host", "off", "true, false")),
                Arguments.of(
                        List.of("gateways.tls.trust-certificates", missing),
                        List.of("highway.gateways.tls.trust-certificates", missing, "no such file", "PEM")),
                Arguments.of(
                        List.of("gateways.tls.trust-certificates", noPem.toString()),
                        List.of("highway.gateways.tls.trust-certificates", noPem.toString(), "cannot be used")),
                Arguments.of(
                        List.of("defaults.gateways.tls.certificate", missing),
                        List.of("highway.defaults.gateways.tls.certificate", missing, "no such file")),
                Arguments.of(
                        List.of(
                                "gateways.tls.certificate",
                                client.certificate().toString(),
                                "gateways.tls.private-key",
                                authority.certificate().toString()),
                        List.of(
                                "highway.gateways.tls.private-key",
                                authority.certificate().toString())),
                Arguments.of(
                        List.of("gateways.tls.trust-certificates", "a\0b"),
                        List.of("highway.gateways.tls.trust-certificates: \"a\\u0000b\" cannot be used")),
                Arguments.of(
                        List.of("gateways.tls.certificate", "a\0b"),
                        List.of("highway.gateways.tls.certificate: \"a\\u0000b\" cannot be used")),
                Arguments.of(
                        List.of(
                                "gateways.tls.certificate",
                                client.certificate().toString(),
                                "gateways.tls.private-key",
                                "a\0b"),
                        List.of("highway.gateways.tls.private-key: \"a\\u0000b\" cannot be used")),
                Arguments.of(
                        List.of("gateways.tls.private-key", client.privateKey().toString()),
                        List.of("highway.gateways.tls.certificate: missing", "highway.gateways.tls.private-key")),
                Arguments.of(
                        List.of("gateways.tls.trust-password", "salt"),
                        List.of("highway.gateways.tls.trust-certificates: missing", "trust-password")));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void aMistakeFailsTheStart_withKeyValueAndWhatToDo(List<String> pairs, List<String> said) {
        assertThatThrownBy(() -> parse(pairs.toArray(String[]::new)))
                .isInstanceOf(HighwayConfigurationException.class)
                .hasMessageContainingAll(said.toArray(String[]::new))
                .hasMessageNotContaining("salt");
    }
}

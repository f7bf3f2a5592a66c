// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateways;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What docs/reference/wire-contract.md asks of every gateway, in every configuration that is here to be copied. */
class ShippedFilesTest {

    private static final String NOT_FORWARDED = "highway-not-forwarded";

    /** The request's island, as each gateway writes it. */
    private static final Pattern ISLAND = Pattern.compile(Stream.of(
                    "%REQ(highway-island)%",
                    "%[req.hdr(highway-island)]",
                    "%[var(txn.island)]",
                    "$http_highway_island",
                    "(ngx.var.http_highway_island or \"\") .. \"")
            .map(text -> Pattern.quote(text + ";"))
            .reduce((one, other) -> one + "|" + other)
            .orElseThrow());

    private static List<Path> files(String folder) {
        try (Stream<Path> all = Files.walk(Path.of(folder))) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> !file.toString().endsWith(".md"))
                    .filter(file -> !file.endsWith("launch"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Stream<Path> envoy() {
        return files("envoy").stream().filter(file -> !file.endsWith("istio-retries.yaml")); // not to be copied
    }

    static Stream<Path> nginx() {
        return files("nginx").stream();
    }

    static Stream<Path> haproxy() {
        return files("haproxy").stream();
    }

    static Stream<Path> apisix() {
        return files("apisix").stream();
    }

    static Stream<Path> allThatRefuse() {
        return Stream.of(envoy(), nginx(), haproxy(), apisix()).flatMap(files -> files);
    }

    /** Those in front of providers. */
    static Stream<Path> facingProviders() {
        return Stream.of(
                        "envoy/minimal.yaml",
                        "envoy/applications.yaml",
                        "envoy/shanghai.yaml",
                        "nginx/minimal.conf",
                        "nginx/applications.conf",
                        "nginx/shanghai.conf",
                        "haproxy/minimal.cfg",
                        "haproxy/applications.cfg",
                        "haproxy/shanghai.cfg",
                        "apisix/minimal/config.yaml",
                        "apisix/applications/config.yaml",
                        "apisix/shanghai/config.yaml",
                        "spring-cloud-gateway/src/main/resources/http.yml")
                .map(Path::of);
    }

    @ParameterizedTest
    @MethodSource("allThatRefuse")
    void beginEveryRefusalWithTheIslandOfTheCall(Path file) throws IOException {
        List<String> values = Files.readAllLines(file).stream()
                .filter(line -> !line.strip().startsWith("#"))
                .filter(line -> line.contains("upstream-unreachable")
                        || line.contains("unknown-island\"")
                        || line.contains("client-certificate-refused")
                        || line.contains("key: " + NOT_FORWARDED))
                .toList();

        assertThat(values).allSatisfy(line -> assertThat(line).containsPattern(ISLAND));
    }

    @ParameterizedTest
    @MethodSource("facingProviders")
    void removeTheStatementsOfGatewaysFromAnswersOfProviders(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);

        assertThat(lines).filteredOn(line -> !line.strip().startsWith("#")).anySatisfy(line -> assertThat(line)
                .containsPattern(
                        "(response_headers_to_remove: \\[|grpc_hide_header |http-response del-header |RemoveResponseHeader=)"
                                + NOT_FORWARDED));
        assertThat(lines).anyMatch(line -> line.contains("highway-refused"));
    }

    @ParameterizedTest
    @MethodSource("envoy")
    void envoySendsNoCallTwice_endsNoneEarly_andAcceptsLargeFrames(Path file) throws IOException {
        String text = Files.readString(file);

        assertThat(text).doesNotContain("retry_policy:", "retry_on:");
        assertThat(count(text, "domains: \\[")).isPositive();
        String cluster = "cluster: (?:[\\w-]+-(?:triple|http)|(?:triple|http)-[\\w-]+)";
        assertThat(count(text, cluster)).isEqualTo(count(text, cluster + "(?:, |\\s+)timeout: 0s"));
        assertThat(count(text, "per_connection_buffer_limit_bytes: 33554432"))
                .isEqualTo(count(text, "address: 0\\.0\\.0\\.0,") + count(text, "type: STRICT_DNS"));
        assertThat(count(text, "max_concurrent_streams: 100000")).isPositive();
        assertThat(count(text, "max_request_headers_kb: 96"))
                .isEqualTo(count(text, "\"@type\": .*\\.HttpConnectionManager"));
        assertThat(count(text, "max_headers_count: 1000"))
                .isEqualTo(count(text, "\"@type\": .*\\.(?:HttpConnectionManager|HttpProtocolOptions)"));
    }

    @ParameterizedTest
    @MethodSource("nginx")
    void nginxSendsNoCallTwice_andTakesAnyBodyAndManyStreams(Path file) throws IOException {
        String text = Files.readString(file);

        assertThat(count(text, "grpc_next_upstream off;")).isEqualTo(count(text, "grpc_pass "));
        assertThat(count(text, "grpc_read_timeout 3600s;")).isEqualTo(count(text, "grpc_pass "));
        int http = count(text, "proxy_pass https?:");
        assertThat(count(text, "proxy_next_upstream off;")).isEqualTo(http);
        assertThat(count(text, "proxy_read_timeout 3600s;")).isEqualTo(http);
        assertThat(count(text, "proxy_http_version 1.1;")).isEqualTo(http);
        assertThat(text)
                .contains(
                        "client_max_body_size 0;", "http2_max_concurrent_streams 20", "keepalive_requests 1000000000;");
    }

    @ParameterizedTest
    @MethodSource("haproxy")
    void haproxySendsNoCallTwice_andHasCapacityForConcurrentCalls(Path file) throws IOException {
        assertThat(Files.readString(file))
                .contains("    retries 0\n", "tune.h2.max-concurrent-streams 20", "    tune.bufsize 1048576\n")
                .doesNotContain("retry-on", "redispatch");
    }

    /** Where a gateway can be replaced while it runs; the short examples leave the gateway's own default, which is longer. */
    @Test
    void giveCallsAMinute_whenTheGatewayIsReplaced() {
        Map<String, String> drainTimes = Map.of(
                "nginx", "worker_shutdown_timeout 60s;",
                "haproxy", "hard-stop-after 60s\n",
                "apisix", "worker_shutdown_timeout: 60s",
                "reference", "grace: 60s");

        drainTimes.forEach((gateway, line) -> assertThat(files(gateway).stream()
                        .filter(file -> !file.toString().endsWith("apisix.yaml"))
                        .filter(file ->
                                !file.toString().matches(".*(minimal|applications).*") || gateway.equals("apisix")))
                .isNotEmpty()
                .allSatisfy(file -> assertThat(Files.readString(file)).contains(line)));
    }

    @Test
    void apisixTakesAnyBodyAndManyStreams() {
        assertThat(apisix().filter(file -> file.endsWith("config.yaml")))
                .isNotEmpty()
                .allSatisfy(file -> assertThat(Files.readString(file))
                        .contains("client_max_body_size: 0", "http2_max_concurrent_streams 20000;"));
    }

    /** APISIX names no host towards a stream upstream with TLS, so the block of nginx carries Dubbo frames. */
    @ParameterizedTest
    @ValueSource(strings = {"minimal", "applications", "zhejiang", "hub", "shanghai"})
    void apisixCarriesDubboFrames_byTheStreamBlockOfNginx(String place) throws IOException {
        String nginx = Files.readString(Path.of("nginx", place + ".conf"));
        String block = nginx.substring(nginx.indexOf("stream {\n")).strip();
        String configuration = Files.readString(Path.of("apisix", place, "config.yaml"));

        assertThat(configuration.lines().map(String::strip).filter(line -> !line.isEmpty()))
                .containsSequence(block.lines()
                        .map(String::strip)
                        .filter(line -> !line.isEmpty())
                        .toList());
        assertThat(configuration).contains("proxy_mode: http\n").doesNotContain("stream_proxy:");
        assertThat(Files.readString(Path.of("apisix", place, "apisix.yaml")))
                .doesNotContain("stream_routes", "scheme: tls");
    }

    private static int count(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        int count = 0;
        while (matcher.find()) {
            count++;
        }
        return count;
    }
}

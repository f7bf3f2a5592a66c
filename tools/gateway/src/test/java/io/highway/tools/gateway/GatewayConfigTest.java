// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GatewayConfigTest {
    @Test
    void readsEveryKey() {
        GatewayConfig config = GatewayConfig.parse(
                """
                island: shanghai
                listen: 0.0.0.0:20880
                tls: {certificate: gateway.crt, private-key: gateway.key, clients: authority.crt}
                routes:
                  shanghai:
                    providers:
                      "*": {dubbo: [shanghai.test:20881], triple: [shanghai.test:50051]}
                      "group/com.foo.Sms:1.0.0": [shanghai.test:20882]
                  beijing: {next: ["gateway.beijing.test:20990"]}
                default: {next: ["gateway.hub.test:20990", "gateway.hub.test:20991"]}
                without-island: shanghai
                guarded: false
                grace: 500ms
                max-frame: 9MB
                connect-timeout: 2s
                source: 127.0.0.2
                reuse-port: true
                record: {directory: recorded, messages: 500}
                """);

        assertThat(config.island()).isEqualTo("shanghai");
        assertThat(config.listen()).isEqualTo(new Address("0.0.0.0", 20880));
        assertThat(config.tls())
                .isEqualTo(new ServerTls(Path.of("gateway.crt"), Path.of("gateway.key"), Path.of("authority.crt")));
        assertThat(config.guarded()).isFalse();
        assertThat(config.grace()).isEqualTo(Duration.ofMillis(500));
        assertThat(config.connectTimeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(config.maxFrame()).isEqualTo(9 << 20);
        assertThat(config.source()).isEqualTo("127.0.0.2");
        assertThat(config.reusePort()).isTrue();
        assertThat(config.recording()).isEqualTo(new RecordSpec(Path.of("recorded"), 500));
        try (Routes routes = new Routes(config)) {
            ServiceName sms = ServiceName.of("group", "com.foo.Sms", "1.0.0");
            ServiceName other = ServiceName.of(null, "com.foo.Other", "0.0.0");
            assertThat(candidates(routes, "shanghai", sms, Protocol.TRIPLE)).containsExactly("shanghai.test:20882");
            assertThat(candidates(routes, "shanghai", other, Protocol.DUBBO)).containsExactly("shanghai.test:20881");
            assertThat(candidates(routes, "", other, Protocol.TRIPLE)).containsExactly("shanghai.test:50051");
            assertThat(candidates(routes, "beijing", other, Protocol.DUBBO))
                    .containsExactly("gateway.beijing.test:20990");
            assertThat(candidates(routes, "tokyo", other, Protocol.DUBBO))
                    .containsExactly("gateway.hub.test:20990", "gateway.hub.test:20991");
            assertThat(candidates(routes, "tokyo", other, Protocol.DUBBO))
                    .containsExactly("gateway.hub.test:20991", "gateway.hub.test:20990");
        }
    }

    private static List<String> candidates(Routes routes, String island, ServiceName service, Protocol protocol) {
        return routes.candidates(island, service, protocol).join().stream()
                .map(Address::toString)
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    listen: a:1                            | island: 'null' given; allowed: a text
                    {island: a, guarded: perhaps}          | guarded: 'perhaps' given; allowed: true or false
                    island: Shanghai                       | island: 'Shanghai' is no island id; allowed: [a-z0-9]
                    {island: a, lisen: b}                  | lisen: unknown key; allowed: [connect-timeout, default
                    {island: a, listen: here}              | listen: 'here' is no address; allowed: host:port
                    {island: a, listen: "a:70000"}         | listen: 'a:70000' is no address; allowed: host:port
                    {island: a, tls: {certificate: b}}     | tls.private-key: 'null' given; allowed: a text
                    {island: a, tls: {ca: b}}              | tls.ca: unknown key; allowed: [certificate, clients, private-key]
                    {island: a, grace: soon}               | grace: 'soon' given; allowed: a number with ms, s or m
                    {island: a, source: localhost}         | source: 'localhost' is no IP address; write one
                    {island: a, max-frame: 16}             | max-frame: '16' given; allowed: 1KB to 1024MB
                    {island: a, record: b}                 | record: 'b' given; allowed: a map
                    {island: a, record: {messages: 5}}     | record.directory: 'null' given; allowed: a text
                    {island: a, record: {directory: b, messages: 0}} | record.messages: '0' given; allowed: a number, 1 and more
                    {island: a, routes: [b]}               | routes: '[b]' given; allowed: a map
                    {island: a, routes: {b: {nxt: [c]}}}   | routes.b.nxt: unknown key; allowed: [next, providers, registry]
                    {island: a, routes: {b: {}}}           | routes.b: [] given; allowed: one of providers, registry, next
                    {island: a, routes: {b: {next: []}}}   | routes.b.next: '[]' given; allowed: a list of host:port, at least one
                    {island: a, routes: {b: {next: [c]}}}  | routes.b.next: 'c' is no address; allowed: host:port
                    {island: a, routes: {b: {providers: {"*": {dubo: [c]}}}}} | routes.b.providers.*.dubo: unknown key
                    {island: a, default: {next: c}}        | default.next: 'c' given; allowed: a list of host:port
                    {island: a, island: b}                 | not readable as YAML:
                    """)
    void namesKeyValueAndWhatIsAllowed(String yaml, String message) {
        assertThatThrownBy(() -> GatewayConfig.parse(yaml))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.internal.policy.HighwayKeys;
import io.highway.sdk.dubbo.internal.policy.IslandPolicy;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.spring.internal.SpringSettings;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.unit.DataSize;

/** What editors complete is what is read. */
class HighwayPropertiesTest {

    private static final String EVERY_KEY =
            """
            highway:
              enabled: true
              island: zhejiang
              max_hops: 5
              gateways:
                dubbo:
                  - gateway.zhejiang.test:20880
                  - dubbo://gateway2.zhejiang.test:20880
                triple: gateway.zhejiang.test:20881,gateway2.zhejiang.test:20881
                http: http://gateway.zhejiang.test:20882
                httpMaxConnections: 8
                connect-timeout: 2s
                proxy: http://app:salt@proxy.zhejiang.test:3128
                tls:
                  enabled: false
                  trust-certificates: /etc/highway/authority.crt
                  trustPassword: salt
                  certificate: /etc/highway/client.p12
                  private-key: /etc/highway/client.key
                  keyPassword: pepper
                  verify-host: false
              heartbeat:
                interval: 5s
                slow: 500ms
                service: blue/com.foo.Sms:1.0.0
              defaults:
                tunnel: auto
                gateways:
                  dubbo: hub.test:1
                  triple: [hub.test:2]
                  http: hub.test:3
                  connect-timeout: 2s
                  proxy: http://app:salt@proxy.zhejiang.test:3128
                  tls:
                    enabled: false
                    trust-certificates: /etc/highway/authority.crt
                    trustPassword: salt
                    certificate: /etc/highway/client.p12
                    private-key: /etc/highway/client.key
                    keyPassword: pepper
                    verify-host: false
                fallback: none
                fallback-methods: query*
                timeout: 3s
                retries: 1
                idempotent: query*,com.foo.Sms#get*
                max-request-size: 4MB
                serialization: hessian2
                compression: gzip
                max-concurrent: unlimited
                max-wait: 50ms
                bulk:
                  methods: upload*
                  over: 16KB
                  max-concurrent: 2
                  maxWait: 5s
                breaker:
                  failure-rate: 40
                  slowCall: 2s
                deny: [drop*]
              islands:
                shanghai:
                  tunnel: dubbo
                  gateways:
                    dubbo: gateway.shanghai.test:20880
                    triple:
                      - gateway.shanghai.test:20881
                    http: gateway.shanghai.test:20882
                    connect-timeout: 5s
                    proxy: socks5://app:pepper@proxy.shanghai.test:1080
                    tls:
                      enabled: false
                      trust-certificates: /etc/highway/authority.crt
                      trustPassword: salt
                      certificate: /etc/highway/client.p12
                      private-key: /etc/highway/client.key
                      keyPassword: pepper
                      verify-host: false
                  fallback: home
                  fallbackMethods: [query*]
                  served-by: shanghai:95,home:5
                  timeout: 500
                  retries: 2
                  idempotent:
                    - query*
                    - com.foo.Sms#get*
                  maxRequestSize: 512KB
                  serialization: fastjson2
                  compression: none
                  maxConcurrent: auto
                  maxWait: 0
                  bulk:
                    methods: [upload*, com.foo.Files#put]
                    over: none
                    maxConcurrent: 2
                    max-wait: 1m
                  breaker:
                    failureRate: none
                    slow-call: 3s
                  deny: com.foo.Sms#*
                  sign:
                    keyId: zhejiang-shanghai-2026
                    secret: basil
                  keys: [310000, 31*]
                  dictionary: none
                east-china:
                  timeout: 2m
              services:
                com.foo.SmsService.island: shanghai
                "[com.foo.FileService]":
                  island: east-china
                  when: home-absent
              guard:
                standsInFor:
                  shanghai: [query*, "com.foo.Sms#get*"]
                gateways: [10.1.0.10, 10.2.0.0/16]
                home: 10.3.0.0/16,10.4.0.0/16
                require: signature
                mode: shadow
                unknown-callers: refuse
                callers:
                  "[zhejiang/shop-*]": {owner: shop team}
                rules:
                  shops:
                    action: allow
                    from: [zhejiang/*, jiangsu/shop]
                    to: query*
                    rate: 200/s
                  no-transfers:
                    action: deny
                    to:
                      - com.foo.Bank#transfer
              sign:
                key-id: zhejiang-2026
                secret: salt
                accept:
                  shanghai-2026: pepper
                  beijing-2025: file:/run/secrets/beijing
                accept-from:
                  shanghai-2026: shanghai/*,*/bank
                max-nonces: 20000
                mode: enforce
              max-buffered: 64MB
              http:
                port: 8081
              policy:
                fixed: idempotent
            """;

    @TempDir
    private Path directory;

    private ConfigurableEnvironment environment;

    @BeforeEach
    void load() throws IOException {
        Files.writeString(directory.resolve("application.yml"), EVERY_KEY);
        environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(
                        new MapPropertySource("location", Map.of("spring.config.location", "file:" + directory + "/")));
        ConfigDataEnvironmentPostProcessor.applyTo(environment);
    }

    private HighwayProperties bound() {
        return Binder.get(environment).bind("highway", HighwayProperties.class).get();
    }

    @Test
    void bindsWhatTheParserReads() {
        Map<String, String> bound = new TreeMap<>();
        flatten("highway", bound(), bound);

        Map<String, String> read = SpringSettings.read(environment).values();

        assertThat(bound).containsExactlyInAnyOrderEntriesOf(read);
    }

    @Test
    void hasEveryKeyOfAnIsland() {
        Map<String, String> bound = new TreeMap<>();
        flatten("highway", bound(), bound);

        assertThat(HighwayKeys.ofIsland().keySet())
                .allSatisfy(key -> assertThat(bound).containsKey("highway.islands.shanghai." + key))
                .filteredOn(key -> !key.equals("keys")
                        && !key.equals("dictionary")
                        && !key.equals("served-by")
                        && !key.startsWith("sign."))
                .allSatisfy(key -> assertThat(bound).containsKey("highway.defaults." + key));
    }

    @Test
    void bindsListsAndNamesWithDots() {
        HighwayProperties properties = bound();

        assertThat(properties.gateways().dubbo())
                .containsExactly("gateway.zhejiang.test:20880", "dubbo://gateway2.zhejiang.test:20880");
        assertThat(properties.gateways().triple())
                .containsExactly("gateway.zhejiang.test:20881", "gateway2.zhejiang.test:20881");
        assertThat(properties.islands().get("shanghai").keys()).containsExactly("310000", "31*");
        assertThat(properties.services())
                .containsOnly(
                        Map.entry("com.foo.SmsService.island", "shanghai"),
                        Map.entry("com.foo.FileService.island", "east-china"),
                        Map.entry("com.foo.FileService.when", "home-absent"));
        assertThat(properties.sign().accept()).containsOnlyKeys("shanghai-2026", "beijing-2025");
    }

    @Test
    void hasNoSecretAsText() {
        assertThat(bound().toString()).contains("zhejiang").doesNotContain("salt", "pepper", "basil");
    }

    @Test
    void theParserUnderstandsDurationsSizesAndLists() {
        Policy policy = PolicyParser.parse(SpringSettings.read(environment), "test", null)
                .orElseThrow();
        IslandPolicy shanghai = Objects.requireNonNull(policy.forIsland("shanghai"));
        IslandPolicy eastChina = Objects.requireNonNull(policy.forIsland("east-china"));

        assertThat(eastChina.calls().retries()).as("of defaults").isOne();
        assertThat(shanghai.calls().timeoutMillis()).isEqualTo(500);
        assertThat(eastChina.calls().timeoutMillis()).isEqualTo(120_000);
        assertThat(shanghai.wire().maxRequestBytes()).isEqualTo(512 * 1024);
        assertThat(eastChina.wire().maxRequestBytes()).isEqualTo(4 * 1024 * 1024);
        assertThat(shanghai.keys()).containsExactlyInAnyOrder("310000", "31*");
        assertThat(policy.islandOfKey("310101")).isEqualTo("shanghai");
        assertThat(policy.local().maxHops()).isEqualTo(5);
        assertThat(policy.guard().gateways()).hasSize(2);
        assertThat(policy.guard().home()).hasSize(2);
        assertThat(policy.guard().rules())
                .extracting(rule -> rule.name() + " " + rule.from().size() + " " + rule.rate())
                .containsExactly("no-transfers 0 0", "shops 2 200");
        assertThat(policy.guard().callers().owners())
                .extracting(owner -> owner.callers() + " " + owner.owner())
                .containsExactly("zhejiang/shop-* shop team");
        assertThat(policy.guard().callers().refusesUnknown()).isTrue();
        assertThat(Objects.requireNonNull(policy.guard().standsInFor().get("shanghai"))
                        .patterns())
                .containsExactly("query*", "com.foo.Sms#get*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"4096", "64B", "512KB", "4MB", "1GB"})
    void theParserReadsSizesAsSpringDoes(String size) {
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource("size", Map.of("highway.islands.shanghai.max-request-size", size)));

        Policy policy = PolicyParser.parse(SpringSettings.read(environment), "test", null)
                .orElseThrow();

        assertThat(Objects.requireNonNull(policy.forIsland("shanghai")).wire().maxRequestBytes())
                .isEqualTo(DataSize.parse(size).toBytes());
    }

    private static void flatten(String prefix, @Nullable Object value, Map<String, String> into) {
        if (value instanceof String text) {
            into.put(prefix, text);
        } else if (value instanceof List<?> items) {
            into.put(
                    prefix, String.join(",", items.stream().map(String::valueOf).toList()));
        } else if (value instanceof Map<?, ?> map) {
            map.forEach((key, item) -> flatten(prefix + "." + key, item, into));
        } else if (value != null) {
            for (RecordComponent component : value.getClass().getRecordComponents()) {
                component.getAccessor().setAccessible(true);
                flatten(
                        prefix + "." + dashed(component.getName()),
                        ReflectionUtils.invokeMethod(component.getAccessor(), value),
                        into);
            }
        }
    }

    private static String dashed(String camel) {
        return camel.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    @EnableConfigurationProperties(HighwayProperties.class)
    static class WithProperties {}

    /** Spring would quote the value; the parser of the SDK reports the key without it. */
    @ParameterizedTest
    @ValueSource(strings = {"highway.sign", "highway.islands.shanghai.sign", "highway.sign.accept"})
    void leavesASecretAtTheWrongKey_toTheParser(String key) {
        new ApplicationContextRunner()
                .withUserConfiguration(WithProperties.class)
                .withPropertyValues(key + "=S3cr3t")
                .run(context -> assertThat(context).hasNotFailed());
    }
}

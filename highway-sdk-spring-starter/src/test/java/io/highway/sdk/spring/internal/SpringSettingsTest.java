// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.internal.policy.HighwayKeys;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import io.highway.sdk.dubbo.internal.policy.RawSettings.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class SpringSettingsTest {

    @TempDir
    private Path directory;

    /** An application for its environment only. */
    static class Nothing {}

    private static ConfigurableEnvironment environment() {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .forEach(source -> environment.getPropertySources().remove(source.getName()));
        return environment;
    }

    private static RawSettings written(Map<String, Object> properties) {
        ConfigurableEnvironment environment = environment();
        environment.getPropertySources().addLast(new MapPropertySource("test", properties));
        return SpringSettings.read(environment);
    }

    private static RawSettings variables(Map<String, Object> variables) {
        ConfigurableEnvironment environment = environment();
        environment.getPropertySources().addLast(variablesSource(variables));
        return SpringSettings.read(environment);
    }

    private static SystemEnvironmentPropertySource variablesSource(Map<String, Object> variables) {
        return new SystemEnvironmentPropertySource(
                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables);
    }

    /** Starts a Spring Boot application with this configuration file, and reads its environment. */
    private RawSettings started(String fileName, String text, Map<String, Object> variables, String... arguments)
            throws IOException {
        Files.writeString(directory.resolve(fileName), text);
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .replace(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        variablesSource(with(variables, "SPRING_CONFIG_LOCATION", "file:" + directory + "/")));
        SpringApplication application = new SpringApplication(Nothing.class);
        application.setEnvironment(environment);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setBannerMode(Banner.Mode.OFF);
        application.setLogStartupInfo(false);
        application.setRegisterShutdownHook(false);
        try (ConfigurableApplicationContext context = application.run(arguments)) {
            return SpringSettings.read(context.getEnvironment());
        }
    }

    private RawSettings yaml(String text) throws IOException {
        return started("application.yml", text, Map.of());
    }

    private static Map<String, Object> with(Map<String, Object> map, String key, Object value) {
        Map<String, Object> all = new TreeMap<>(map);
        all.put(key, value);
        return all;
    }

    private static Setting get(RawSettings settings, String key) {
        return Objects.requireNonNull(settings.get(key), () -> key + " is not in " + settings);
    }

    static Stream<String> keys() {
        return Stream.of(
                        HighwayKeys.general().keySet().stream(),
                        HighwayKeys.ofIsland().keySet().stream()
                                .filter(key -> !List.of("keys", "dictionary", "served-by")
                                                .contains(key)
                                        && !key.startsWith("sign."))
                                .map(key -> "defaults." + key),
                        HighwayKeys.ofIsland().keySet().stream().map(key -> "islands.east-china." + key),
                        Stream.of(
                                "services.com.foo.SmsService.island",
                                "services.com.foo.SmsService.when",
                                "services.com.foo.SmsService.require-island"))
                .flatMap(keys -> keys)
                .map(key -> "highway." + key);
    }

    @ParameterizedTest
    @MethodSource("keys")
    void everyKeyHasRelaxedSpellings(String key) {
        String camel = name(key, "camel");
        String snake = name(key, "snake");
        String upper = name(key, "upper");

        assertThat(written(Map.of(key, "x")).values()).containsOnly(entry(key, "x"));
        assertThat(written(Map.of(camel, "x")).values()).containsOnly(entry(key, "x"));
        assertThat(written(Map.of(snake, "x")).values()).containsOnly(entry(key, "x"));
        assertThat(written(Map.of(upper, "x")).values()).containsOnly(entry(key, "x"));
    }

    /** Another spelling of a key; an island's id and an interface's name have one. */
    private static String name(String key, String style) {
        String fixed = Stream.of("highway.islands.east-china.", "highway.services.com.foo.SmsService.", "highway.")
                .filter(key::startsWith)
                .findFirst()
                .orElseThrow();
        String rest = key.substring(fixed.length());
        return fixed
                + switch (style) {
                    case "camel" -> {
                        StringBuilder camel = new StringBuilder();
                        for (String word : rest.split("-")) {
                            camel.append(
                                    camel.isEmpty()
                                            ? word
                                            : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
                        }
                        yield camel.toString();
                    }
                    case "snake" -> rest.replace('-', '_');
                    default ->
                        rest.startsWith("defaults.")
                                ? "defaults."
                                        + rest.substring("defaults.".length()).toUpperCase(Locale.ROOT)
                                : rest.toUpperCase(Locale.ROOT);
                };
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "highway.services.com.foo.Sms.island",
                "highway.services[com.foo.Sms].island",
                "highway.services.[com.foo.Sms].island",
                "highway.services[com.foo.Sms][island]",
                "highway[services][com.foo.Sms].island"
            })
    void keepsTheDotsAndTheCaseOfAnInterface(String spelling) {
        RawSettings settings = written(Map.of(spelling, "shanghai"));

        assertThat(settings.values()).containsOnly(entry("highway.services.com.foo.Sms.island", "shanghai"));
    }

    @Test
    void readsInterfacesFromYaml_bracketedOrNot() throws IOException {
        RawSettings settings = yaml(
                """
                highway:
                  services:
                    "[com.foo.Sms]":
                      island: shanghai
                    com.foo.Files:
                      island: beijing
                      when: home-absent
                    com:
                      foo:
                        Orders$Inner.island: beijing
                """);

        assertThat(settings.values())
                .containsOnly(
                        entry("highway.services.com.foo.Sms.island", "shanghai"),
                        entry("highway.services.com.foo.Files.island", "beijing"),
                        entry("highway.services.com.foo.Files.when", "home-absent"),
                        entry("highway.services.com.foo.Orders$Inner.island", "beijing"));
    }

    @Test
    void joinsTheItemsOfAListInTheirOrder() throws IOException {
        RawSettings settings = yaml(
                """
                highway:
                  gateways:
                    dubbo:
                      - gateway.zhejiang.test:20880
                      - gateway2.zhejiang.test:20880
                    triple: gateway.zhejiang.test:20881, gateway2.zhejiang.test:20881
                  islands:
                    shanghai:
                      keys: [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10]
                      maxRequestSize: 4MB
                """);

        assertThat(settings.values())
                .containsOnly(
                        entry("highway.gateways.dubbo", "gateway.zhejiang.test:20880,gateway2.zhejiang.test:20880"),
                        entry("highway.gateways.triple", "gateway.zhejiang.test:20881, gateway2.zhejiang.test:20881"),
                        entry("highway.islands.shanghai.keys", "a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,a10"),
                        entry("highway.islands.shanghai.max-request-size", "4MB"));
        assertThat(get(settings, "highway.gateways.dubbo").origin()).endsWith("4:9");
    }

    @Test
    void joinsTheItemsOfAListThatIsOneValue() {
        assertThat(written(Map.of(
                                "highway.islands.shanghai.keys",
                                List.of(310000, "31*"),
                                "highway.defaults.deny",
                                Set.of()))
                        .values())
                .containsOnly(entry("highway.islands.shanghai.keys", "310000,31*"), entry("highway.defaults.deny", ""));
    }

    @Test
    void readsNumbersAndBooleansAsTheirText() throws IOException {
        RawSettings settings = yaml(
                """
                highway:
                  enabled: true
                  max-hops: 5
                  defaults:
                    timeout: 500
                  islands:
                    shanghai:
                      retries: 2
                      keys: [310000, 31*, 200]
                """);

        assertThat(settings.values())
                .containsOnly(
                        entry("highway.enabled", "true"),
                        entry("highway.max-hops", "5"),
                        entry("highway.defaults.timeout", "500"),
                        entry("highway.islands.shanghai.retries", "2"),
                        entry("highway.islands.shanghai.keys", "310000,31*,200"));
    }

    @Test
    void readsIdsThatYamlTakesForNumbers() throws IOException {
        RawSettings settings = yaml(
                """
                highway:
                  island: zhejiang
                  islands:
                    310:
                      tunnel: dubbo
                  sign:
                    accept:
                      2026: salt
                      2027: pepper
                      zhejiang: thyme
                    accept-from:
                      2026: zhejiang/*
                      2027: [beijing/*, cloud/shop]
                    acceptFrom:
                      zhejiang: [zhejiang/bank]
                """);

        assertThat(settings.values())
                .containsOnly(
                        entry("highway.island", "zhejiang"),
                        entry("highway.islands.310.tunnel", "dubbo"),
                        entry("highway.sign.accept.2026", "salt"),
                        entry("highway.sign.accept.2027", "pepper"),
                        entry("highway.sign.accept.zhejiang", "thyme"),
                        entry("highway.sign.accept-from.2026", "zhejiang/*"),
                        entry("highway.sign.accept-from.2027", "beijing/*,cloud/shop"),
                        entry("highway.sign.accept-from.zhejiang", "zhejiang/bank"));
    }

    @Test
    void keepsAnEmptyListAndAnEmptyValue_soThatTheyAreNotTakenForUnset() throws IOException {
        RawSettings settings = yaml(
                """
                highway:
                  island:
                  gateways:
                    dubbo: []
                  islands:
                    shanghai:
                """);

        assertThat(settings.values())
                .containsOnly(
                        entry("highway.island", ""),
                        entry("highway.gateways.dubbo", ""),
                        entry("highway.islands.shanghai", ""));
    }

    @Test
    void resolvesPlaceholders_andKeepsUnknownOnes() {
        RawSettings settings = written(Map.of(
                "highway.island", "${where}",
                "highway.gateways.dubbo", "${host:gateway.zhejiang.test}:${port}",
                "highway.gateways.triple[0]", "${where}.test:20881",
                "highway.policy.fixed[0]", "idempotent",
                "where", "zhejiang",
                "port", "20880",
                "highway.islands.shanghai.timeout", "${nobody.knows}"));

        assertThat(settings.values())
                .containsOnly(
                        entry("highway.island", "zhejiang"),
                        entry("highway.gateways.dubbo", "gateway.zhejiang.test:20880"),
                        entry("highway.gateways.triple", "zhejiang.test:20881"),
                        entry("highway.policy.fixed", "idempotent"),
                        entry("highway.islands.shanghai.timeout", "${nobody.knows}"));
    }

    @Test
    void trimsValues() {
        assertThat(written(Map.of("highway.island", " zhejiang ")).values())
                .containsOnly(entry("highway.island", "zhejiang"));
    }

    @ParameterizedTest
    @CsvSource({
        "HIGHWAY_ISLAND, highway.island",
        "HIGHWAY_MAX_HOPS, highway.max-hops",
        "HIGHWAY_MAXHOPS, highway.max-hops",
        "HIGHWAY_MAX_BUFFERED, highway.max-buffered",
        "HIGHWAY_SIGN_KEYID, highway.sign.key-id",
        "HIGHWAY_GATEWAYS_DUBBO, highway.gateways.dubbo",
        "HIGHWAY_DEFAULTS_MAXREQUESTSIZE, highway.defaults.max-request-size",
        "HIGHWAY_ISLANDS_SHANGHAI_MAX_REQUEST_SIZE, highway.islands.shanghai.max-request-size",
        "HIGHWAY_ISLANDS_EAST_CHINA_MAXREQUESTSIZE, highway.islands.east-china.max-request-size",
        "HIGHWAY_ISLANDS_EAST_CHINA_GATEWAYS_TRIPLE, highway.islands.east-china.gateways.triple",
        "HIGHWAY_GATEWAYS_DUBBO_0, highway.gateways.dubbo",
        "HIGHWAY_DEFAULTS_TUNNEL_0, highway.defaults.tunnel",
        "HIGHWAY_ISLANDS_SHANGHAI_BULK_METHODS_0, highway.islands.shanghai.bulk.methods",
        "HIGHWAY_POLICY_FIXED_0, highway.policy.fixed",
        "HIGHWAY_ISLANDS_XI_AN_2_KEYS_0_, highway.islands.xi-an-2.keys",
        "highway.island, highway.island",
        "highway.islands.east-china.maxRequestSize, highway.islands.east-china.max-request-size"
    })
    void readsEnvironmentVariables(String variable, String key) {
        assertThat(variables(Map.of(variable, "x")).values()).containsOnly(entry(key, "x"));
    }

    @Test
    void passesOverWhatIsNotOurs() {
        assertThat(written(Map.of("highwayman.island", "a", "highway", "b", "dubbo.highway.island", "c"))
                        .values())
                .isEmpty();
        assertThat(variables(Map.of("HIGHWAYMAN_ISLAND", "a", "HIGHWAY", "b", "PATH", "c"))
                        .values())
                .isEmpty();
    }

    @Test
    void leavesTheVariablesOfAKubernetesServiceAlone_andKeepsTypingErrors() {
        RawSettings settings = variables(Map.of(
                "HIGHWAY_SERVICE_HOST", "10.0.0.1",
                "HIGHWAY_PORT", "tcp://10.0.0.1:80",
                "HIGHWAY_GATEWAY_SERVICE_HOST", "10.0.0.1",
                "HIGHWAY_GATEWAY_PORT_20880_TCP", "tcp://10.0.0.1:20880",
                "HIGHWAY_ISLAN", "zhejiang"));

        assertThat(settings.values()).containsOnly(entry("highway.islan", "zhejiang"));
    }

    @Test
    void theStrongerSourceWins_whateverItsSpelling() throws IOException {
        System.setProperty("highway.gateways.dubbo[0]", "by-property.test:1");
        System.setProperty("highway.islands.shanghai.maxRequestSize", "2KB");
        System.setProperty("highway.maxHops", "2");
        try {
            RawSettings settings = started(
                    "application.yml",
                    """
                    highway:
                      island: by-file
                      max-hops: 4
                      max-buffered: 64MB
                      gateways:
                        dubbo: [by-file.test:1, by-file.test:2]
                      islands:
                        shanghai:
                          max-request-size: 4KB
                          timeout: 4s
                    """,
                    Map.of(
                            "HIGHWAY_ISLAND", "by-variable",
                            "HIGHWAY_MAX_HOPS", "3",
                            "HIGHWAY_ISLANDS_SHANGHAI_MAX_REQUEST_SIZE", "3KB",
                            "HIGHWAY_ISLANDS_SHANGHAI_TIMEOUT", "3s",
                            "HIGHWAY_GATEWAYS_DUBBO", "by-variable.test:1"),
                    "--highway.max_hops=1",
                    "--highway.sign.key-id=by-argument");

            assertThat(settings.values())
                    .containsOnly(
                            entry("highway.max-hops", "1"),
                            entry("highway.sign.key-id", "by-argument"),
                            entry("highway.gateways.dubbo", "by-property.test:1"),
                            entry("highway.islands.shanghai.max-request-size", "2KB"),
                            entry("highway.islands.shanghai.timeout", "3s"),
                            entry("highway.island", "by-variable"),
                            entry("highway.max-buffered", "64MB"));
            assertThat(get(settings, "highway.max-hops").origin()).contains("commandLineArgs");
            assertThat(get(settings, "highway.gateways.dubbo").origin()).contains("systemProperties");
            assertThat(get(settings, "highway.island").origin()).contains("HIGHWAY_ISLAND");
        } finally {
            System.clearProperty("highway.gateways.dubbo[0]");
            System.clearProperty("highway.islands.shanghai.maxRequestSize");
            System.clearProperty("highway.maxHops");
        }
    }

    @Test
    void reportsTheLineAndFileOfAKey() throws IOException {
        RawSettings yaml = yaml(
                """
                spring.application.name: orders
                highway:
                  island: zhejiang
                  islands:
                    shanghai:
                      tunnel: dubo
                """);
        Files.delete(directory.resolve("application.yml"));
        RawSettings properties = started("application.properties", "\nhighway.island=zhejiang\n", Map.of());

        assertThat(get(yaml, "highway.islands.shanghai.tunnel").origin())
                .contains("application.yml")
                .endsWith("6:15");
        assertThat(get(properties, "highway.island").origin())
                .contains("application.properties")
                .endsWith("2:16");
        assertThatThrownBy(() -> PolicyParser.parse(yaml, "test", null))
                .isInstanceOfSatisfying(HighwayConfigurationException.class, failure -> assertThat(failure.origin())
                        .contains("application.yml")
                        .endsWith("6:15"));
    }

    @ParameterizedTest
    @CsvSource({
        "highway.tunel, highway.tunel",
        "highway.islands.shanghai.tunel, highway.islands.shanghai.tunel",
        "highway.islands.shanghai.nested.maxHops, highway.islands.shanghai.nested.maxHops",
        "highway.default.tunnel, highway.default.tunnel",
        "highway.services.com.foo.Sms.iland, highway.services.com.foo.Sms.iland",
        "highway.tunnels[0], highway.tunnels"
    })
    void keepsUnknownKeys_soThatTheyAreRefused(String written, String kept) {
        RawSettings settings = written(Map.of("highway.island", "zhejiang", written, "x"));

        assertThat(settings.values()).containsEntry(kept, "x");
        assertThatThrownBy(() -> PolicyParser.parse(settings, "test", null))
                .isInstanceOf(HighwayConfigurationException.class)
                .hasMessageStartingWith(kept + ": there is no such key.");
    }
}

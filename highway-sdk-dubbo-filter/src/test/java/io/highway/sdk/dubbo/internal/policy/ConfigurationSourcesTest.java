// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.dubbo.common.config.Environment;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationSourcesTest {

    private static final String ISLAND = "highway.island";

    private static FrameworkModel framework;

    @BeforeAll
    static void start() {
        framework = new FrameworkModel();
    }

    @AfterAll
    static void stop() {
        framework.destroy();
    }

    @AfterEach
    void clear() {
        System.clearProperty(ISLAND);
    }

    private static Environment environment() {
        return framework.newApplication().modelEnvironment();
    }

    @ParameterizedTest
    @CsvSource({
        "HIGHWAY_ENABLED, highway.enabled",
        "HIGHWAY_ISLAND, highway.island",
        "HIGHWAY_GATEWAYS_DUBBO, highway.gateways.dubbo",
        "HIGHWAY_GATEWAYS_TRIPLE, highway.gateways.triple",
        "HIGHWAY_MAX_BUFFERED, highway.max-buffered",
        "HIGHWAY_MAX_HOPS, highway.max-hops",
        "HIGHWAY_SIGN_KEY_ID, highway.sign.key-id",
        "HIGHWAY_SIGN_SECRET, highway.sign.secret",
        "HIGHWAY_DEFAULTS_TUNNEL, highway.defaults.tunnel",
        "HIGHWAY_DEFAULTS_GATEWAYS_DUBBO, highway.defaults.gateways.dubbo",
        "HIGHWAY_DEFAULTS_MAX_REQUEST_SIZE, highway.defaults.max-request-size",
        "HIGHWAY_ISLANDS_SHANGHAI_TUNNEL, highway.islands.shanghai.tunnel",
        "HIGHWAY_ISLANDS_SHANGHAI_GATEWAYS_TRIPLE, highway.islands.shanghai.gateways.triple",
        "HIGHWAY_ISLANDS_SHANGHAI_MAX_REQUEST_SIZE, highway.islands.shanghai.max-request-size",
        "HIGHWAY_ISLANDS_SHANGHAI_KEYS, highway.islands.shanghai.keys",
        "HIGHWAY_ISLANDS_XI_AN_2_TIMEOUT, highway.islands.xi-an-2.timeout",
        "HIGHWAY_ISLANDS_OLD_TUNNEL_TUNNEL, highway.islands.old-tunnel.tunnel",
        "HIGHWAY_ISLANDS_31_DENY, highway.islands.31.deny",
        "HIGHWAY_ISLANDS_SHANGHAI_TUNEL, highway.islands.shanghai.tunel", // so that the parser can report it
        "HIGHWAY_ILAND, highway.iland"
    })
    void knowsTheKeyOfAnEnvironmentVariable(String variable, String key) {
        assertThat(ConfigurationSources.fromEnvironment(variable)).isEqualTo(key);
    }

    @Test
    void collectsHighwayKeysOnly_andTrimsTheirValues() {
        Environment environment = environment();
        environment.updateAppConfigMap(Map.of(
                ISLAND,
                " zhejiang ",
                "highway.islands.shanghai.tunnel",
                "dubbo",
                "dubbo.application.name",
                "shop",
                "highwayisland",
                "no",
                "my.highway.island",
                "no"));

        Map<String, String> keys = ConfigurationSources.collect(environment).values();

        assertThat(keys)
                .containsOnly(Map.entry(ISLAND, "zhejiang"), Map.entry("highway.islands.shanghai.tunnel", "dubbo"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HIGHWAY_SERVICE_HOST", // Kubernetes, for a service named highway
                "HIGHWAY_SERVICE_PORT",
                "HIGHWAY_PORT",
                "HIGHWAY_PORT_8080_TCP_ADDR",
                "HIGHWAY_GATEWAYS_SERVICE_PORT_HTTP",
                "HIGHWAY_GATEWAYS_PORT_80_TCP",
                "HIGHWAY_HOME"
            })
    void leavesVariablesAlone_thatAreSomebodyElses(String variable) {
        assertThat(ConfigurationSources.fromEnvironment(variable, "80")).isNull();
    }

    /** Kubernetes, for a service named highway-http. */
    @Test
    void leavesAPortAlone_thatIsAnAddress() {
        assertThat(ConfigurationSources.fromEnvironment("HIGHWAY_HTTP_PORT", "tcp://10.0.0.1:80"))
                .isNull();
        assertThat(ConfigurationSources.fromEnvironment("HIGHWAY_HTTP_PORT", "8081"))
                .isEqualTo("highway.http.port");
        assertThat(ConfigurationSources.fromEnvironment("HIGHWAY_GATEWAYS_DUBBO", "tcp://gateway:1"))
                .isEqualTo("highway.gateways.dubbo");
    }

    @Test
    void collectsNothing_whenThereIsNoKey() {
        assertThat(ConfigurationSources.collect(environment()).values()).isEmpty();
    }

    @Test
    void prefersTheStrongerSource() {
        Environment environment = environment();
        List<String> seen = new ArrayList<>();

        environment.getPropertiesConfiguration().setProperty(ISLAND, "dubbo-properties");
        seen.add(ConfigurationSources.collect(environment).values().get(ISLAND));
        environment.updateAppConfigMap(Map.of(ISLAND, "application"));
        seen.add(ConfigurationSources.collect(environment).values().get(ISLAND));
        environment.updateExternalConfigMap(Map.of(ISLAND, "config-centre"));
        seen.add(ConfigurationSources.collect(environment).values().get(ISLAND));
        environment.updateAppExternalConfigMap(Map.of(ISLAND, "config-centre-of-application"));
        seen.add(ConfigurationSources.collect(environment).values().get(ISLAND));
        System.setProperty(ISLAND, "system");
        seen.add(ConfigurationSources.collect(environment).values().get(ISLAND));

        assertThat(seen)
                .containsExactly(
                        "dubbo-properties", "application", "config-centre", "config-centre-of-application", "system");
    }

    @Test
    void prefersAnEnvironmentVariableToTheApplication_andASystemPropertyToBoth() {
        Map<String, String> variables =
                Map.of("HIGHWAY_ISLAND", "variable", "HIGHWAY_MAX_HOPS", "5", "PATH", "/bin", "highway_island", "no");
        ApplicationModel application = framework.newApplication();
        Environment withVariables = new Environment(application) {
            @Override
            public List<Map<String, String>> getConfigurationMaps() {
                List<Map<String, String>> maps = new ArrayList<>(super.getConfigurationMaps());
                maps.set(1, variables); // where Dubbo has the process's own
                return maps;
            }
        };
        withVariables.initialize();
        withVariables.updateAppConfigMap(Map.of(ISLAND, "application", "highway.max-buffered", "64MB"));

        Map<String, String> keys = ConfigurationSources.collect(withVariables).values();
        System.setProperty(ISLAND, "system");
        Map<String, String> later = ConfigurationSources.collect(withVariables).values();

        Map<String, String> expected = new LinkedHashMap<>(
                Map.of(ISLAND, "variable", "highway.max-hops", "5", "highway.max-buffered", "64MB"));
        assertThat(keys).isEqualTo(expected);
        expected.put(ISLAND, "system");
        assertThat(later).isEqualTo(expected);
        withVariables.destroy();
    }

    @Test
    void keepsApplicationsApart() {
        Environment environment = environment();
        Environment other = environment();
        environment.updateAppConfigMap(Map.of(ISLAND, "zhejiang"));
        other.updateAppConfigMap(Map.of(ISLAND, "shanghai"));

        assertThat(ConfigurationSources.collect(environment).values()).containsEntry(ISLAND, "zhejiang");
        assertThat(ConfigurationSources.collect(other).values()).containsEntry(ISLAND, "shanghai");
    }

    @Test
    void handsTheParserWhatItTakes() {
        Environment environment = environment();
        environment.updateAppConfigMap(Map.of(ISLAND, "zhejiang", "highway.gateways.dubbo", "gateway:20880"));

        assertThat(PolicyParser.parse(ConfigurationSources.collect(environment), "static", null))
                .hasValueSatisfying(policy -> assertThat(policy.home()).isEqualTo("zhejiang"));
    }
}

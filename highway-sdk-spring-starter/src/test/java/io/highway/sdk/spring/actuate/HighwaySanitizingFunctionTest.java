// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.highway.sdk.spring.HighwayAutoConfiguration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.actuate.autoconfigure.context.properties.ConfigurationPropertiesReportEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.env.EnvironmentEndpointAutoConfiguration;
import org.springframework.boot.actuate.context.properties.ConfigurationPropertiesReportEndpoint;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.env.EnvironmentEndpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

class HighwaySanitizingFunctionTest {

    private static Object shown(String key) {
        return shown(key, "salt");
    }

    private static Object shown(String key, Object value) {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        "keys",
                        Map.of(
                                "highway.sign.secret", "top-secret-1",
                                "highway.sign.accept.shanghai", "top-secret-2",
                                "highway.sign.accept.beijing", "§")));
        return new HighwaySanitizingFunction(environment)
                .apply(new SanitizableData(null, key, value))
                .getValue();
    }

    @Test
    void hidesASecretOfOneCharacter() {
        assertThat(shown("sun.java.command", "a.jar --key=§")).isEqualTo(SanitizableData.SANITIZED_VALUE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--highway.sign.secret=top-secret-1", "{\"highway\": {\"sign\": \"top-secret-2\"}}"})
    void hidesSecrets_whereverAValueContainsOne(String value) {
        assertThat(shown("sun.java.command", value)).isEqualTo(SanitizableData.SANITIZED_VALUE);
        assertThat(shown("a.number", 7)).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "highway.sign.secret",
                "highway.islands.shanghai.sign.secret",
                "HIGHWAY_ISLANDS_SHANGHAI_SIGN_SECRET",
                "HIGHWAY_SIGN_SECRET",
                "highway.sign.Secret",
                "highway.sign[secret]",
                "highway[sign][secret]",
                "highway.sign.se_cret",
                "highway.sign.accept.shanghai-2026",
                "highway.sign.accept[shanghai-2026]",
                "highway.sign.accept[2026]",
                "HIGHWAY_SIGN_ACCEPT_SHANGHAI",
                "highway.sign.accept",
                "highway.gateways.proxy",
                "highway.islands.shanghai.gateways.proxy",
                "HIGHWAY_GATEWAYS_PROXY"
            })
    void hidesSecrets_howeverTheirKeysAreSpelled(String key) {
        assertThat(shown(key)).isEqualTo(SanitizableData.SANITIZED_VALUE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "highway.sign.key-id",
                "highway.island",
                "highway.islands.secret.tunnel",
                "HIGHWAY_SIGN_KEYID",
                "highway.sign.accept-from.shanghai",
                "dubbo.application.name"
            })
    void showsAllElse(String key) {
        assertThat(shown(key)).isEqualTo("salt");
    }

    @Test
    void noEndpointShowsASecret_evenIfItShowsValues() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        HighwayAutoConfiguration.class,
                        EnvironmentEndpointAutoConfiguration.class,
                        ConfigurationPropertiesReportEndpointAutoConfiguration.class))
                .withBean(HighwaySanitizingFunction.class)
                .withPropertyValues(
                        "management.endpoints.web.exposure.include=*",
                        "management.endpoints.jmx.exposure.include=*",
                        "spring.jmx.enabled=true",
                        "management.endpoint.env.show-values=always",
                        "management.endpoint.configprops.show-values=always",
                        "highway.enabled=false", // no SDK, which would need Dubbo
                        "highway.island=zhejiang",
                        "highway.sign.key-id=zhejiang-2026",
                        "highway.sign.secret=salt-and-more",
                        "highway.gateways.tls.key-password=basil-and-more",
                        "highway.islands.shanghai.gateways.tls.trustPassword=mint-and-more",
                        "highway.sign.accept.shanghai-2026=pepper-and-more",
                        "highway.sign.accept[2026]=thyme-and-more")
                .run(context -> {
                    ObjectMapper mapper = new ObjectMapper().disable(SerializationFeature.FAIL_ON_EMPTY_BEANS);
                    String env = mapper.writeValueAsString(
                            context.getBean(EnvironmentEndpoint.class).environment("highway.*"));
                    String properties =
                            mapper.writeValueAsString(context.getBean(ConfigurationPropertiesReportEndpoint.class)
                                    .configurationPropertiesWithPrefix("highway"));

                    assertThat(env).contains("zhejiang-2026").doesNotContain("-and-more");
                    assertThat(properties)
                            .contains("shanghai-2026")
                            .doesNotContain("-and-more"); // 2.7: no texts of records
                });
    }
}

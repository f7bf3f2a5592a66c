// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import java.util.Map;
import org.apache.dubbo.common.Version;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationContextInitializedEvent;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;

class SpringBootVersionCheckTest {

    @ParameterizedTest
    @ValueSource(strings = {"2.7.18", "3.0.0", "3.5.16", "3.6.0-SNAPSHOT"})
    void supportedVersionsPass(String version) {
        assertThatCode(() -> SpringBootVersionCheck.require(version)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"4.0.0", "4.1.0-M1", "5.0.0", "10.0.0"})
    void newerVersionsFailWithTheVersionsAndWhatToUse(String version) {
        assertThatThrownBy(() -> SpringBootVersionCheck.require(version))
                .isInstanceOf(HighwayConfigurationException.class)
                .hasMessage("Spring Boot " + version + ": Dubbo " + Version.getVersion()
                        + " does not support Spring Boot 4. Use Spring Boot 3.5 (or 2.7), or a Dubbo version that"
                        + " supports Spring Boot 4 with a newer Highway SDK");
    }

    @Test
    void nothingIsAsked_whereNoKeyIs() {
        GenericApplicationContext context = new GenericApplicationContext();
        SpringBootVersionCheck check = new SpringBootVersionCheck("4.0.0");
        ApplicationContextInitializedEvent event =
                new ApplicationContextInitializedEvent(new SpringApplication(Object.class), new String[0], context);

        assertThatCode(() -> check.onApplicationEvent(event)).doesNotThrowAnyException();

        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("keys", Map.of("highway.island", "zhejiang")));
        assertThatThrownBy(() -> check.onApplicationEvent(event)).isInstanceOf(HighwayConfigurationException.class);
    }

    @Test
    void theFailureIsExplained() {
        HighwayConfigurationException failure = new HighwayConfigurationException("Spring Boot 4.0.0", "no", "use 3.5");

        FailureAnalysis analysis = new HighwayConfigurationFailureAnalyzer().analyze(failure);

        assertThat(analysis.getDescription()).isEqualTo("Highway cannot start:\n\n    Spring Boot 4.0.0\n\nNo.");
        assertThat(analysis.getAction()).isEqualTo("Use 3.5.");
    }

    @Test
    void isAskedBeforeAllOtherListeners() {
        assertThat(new SpringApplication(Object.class).getListeners())
                .first()
                .isInstanceOf(SpringBootVersionCheck.class);
    }
}

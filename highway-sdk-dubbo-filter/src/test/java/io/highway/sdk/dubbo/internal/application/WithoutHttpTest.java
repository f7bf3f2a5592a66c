// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import java.util.HashMap;
import java.util.Map;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An application that does not have highway-sdk-http, as the tests of this module. */
class WithoutHttpTest {

    private final FrameworkModel framework = new FrameworkModel();

    @AfterEach
    void stop() {
        framework.destroy();
    }

    private void start(Map<String, String> more) {
        ApplicationModel application = framework.newApplication();
        application.getApplicationConfigManager().setApplication(new ApplicationConfig("orders"));
        application.modelEnvironment().initialize();
        Map<String, String> properties = new HashMap<>(more);
        properties.put("highway.island", "zhejiang");
        properties.put("highway.gateways.triple", "gateway.zhejiang.test:50051");
        properties.put("highway.islands.shanghai.tunnel", "auto");
        application.modelEnvironment().updateAppConfigMap(properties);
        HighwayRuntime.of(application).policyIfEnabled();
    }

    @ParameterizedTest
    @CsvSource({
        "highway.gateways.http, gateway.zhejiang.test:8080",
        "highway.islands.shanghai.gateways.http, gateway.zhejiang.test:8080",
        "highway.islands.shanghai.services.com.foo.Sms.gateways.http, gateway.zhejiang.test:8080",
        "highway.http.port, 8080"
    })
    void startUpFails_atTheKey(String key, String value) {
        HighwayConfigurationException failure =
                catchThrowableOfType(HighwayConfigurationException.class, () -> start(Map.of(key, value)));

        assertThat(failure.key()).isEqualTo(key);
        assertThat(failure)
                .hasMessageContaining("it needs highway-sdk-http, which is not on the class path")
                .hasMessageContaining("Add the dependency io.highway.sdk:highway-sdk-http");
    }

    @ParameterizedTest
    @CsvSource({"highway.gateways.dubbo, gateway.zhejiang.test:20880", "highway.islands.shanghai.timeout, 2s"})
    void otherKeysNeedNothing(String key, String value) {
        start(Map.of(key, value));
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.highway.sdk.Highway;
import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.tools.fixtures.logs.CapturedLog;
import java.util.HashMap;
import java.util.Map;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Applications whose references are all remote: gateways find the providers, so they need no registry. */
@Tag("network")
class NoRegistryTest {

    private static Star star;

    @BeforeAll
    static void start() {
        star = new Star();
    }

    @AfterAll
    static void stop() {
        star.close();
    }

    private static <S> ReferenceConfig<S> inShanghai(TestApplication application, Class<S> type) {
        return application.reference(
                type, config -> config.setParameters(new HashMap<>(Map.of(HighwayAttachments.ISLAND, "shanghai"))));
    }

    @ParameterizedTest
    @EnumSource
    void startsAndCalls_whereTheRegistryIsNone(TunnelKind tunnel) {
        Map<String, String> properties = star.properties(tunnel);
        properties.put("dubbo.application.register-mode", "interface"); // else 3.2 opens a port
        TestApplication application = star.consumer(properties).registries(RegistryConfig.NO_AVAILABLE);
        ReferenceConfig<Shop> shop = inShanghai(application, Shop.class);
        ReferenceConfig<GenericService> generic = inShanghai(application, GenericService.class);
        generic.setInterface(Shop.class.getName());
        generic.setGeneric("true");

        try (CapturedLog log = new CapturedLog()) {
            application.refer(shop).refer(generic).start();

            assertThat(shop.get().sell("tea")).isEqualTo("shanghai:tea");
            assertThat(shop.get().sellLater("tea").join()).isEqualTo("shanghai:tea");
            assertThat(generic.get().$invoke("sell", new String[] {"java.lang.String"}, new Object[] {"tea"}))
                    .isEqualTo("shanghai:tea");
            assertThat(log.lines(" ERROR ")).isEmpty();
            assertThat(log.lines("empty address list")).isEmpty();
        }
    }

    @Test
    void startsWithoutAnyRegistry() {
        TestApplication application = star.consumer(star.properties(TunnelKind.DUBBO));
        ReferenceConfig<Shop> shop = inShanghai(application, Shop.class);

        application.refer(shop).start();

        assertThat(shop.get().sell("tea")).isEqualTo("shanghai:tea");
    }

    @Test
    void saysThatHomeHasNoProvider_whereACallIsForHomeNevertheless() {
        TestApplication application =
                star.consumer(star.properties(TunnelKind.DUBBO)).registries(RegistryConfig.NO_AVAILABLE);
        Shop shop = inShanghai(application, Shop.class).get();

        assertThatThrownBy(() -> Highway.home().call(() -> shop.sell("tea")))
                .isInstanceOf(RpcException.class)
                .hasMessageContaining("No provider available for the service " + Shop.class.getName());
    }

    @Test
    void reachesHome_byTheAddressOfTheReference() {
        TestApplication application =
                star.consumer(star.properties(TunnelKind.DUBBO)).registries(RegistryConfig.NO_AVAILABLE);
        ReferenceConfig<Shop> shop = inShanghai(application, Shop.class);
        shop.setUrl("dubbo://" + star.homeDubbo);

        assertThat(Highway.home().call(() -> shop.get().sell("tea"))).isEqualTo("zhejiang:tea");
    }

    @Test
    void asksForARegistry_whereHomeServesAReference() {
        TestApplication application =
                star.consumer(star.properties(TunnelKind.DUBBO)).registries(RegistryConfig.NO_AVAILABLE);
        ReferenceConfig<Shop> shop = application.reference(Shop.class, config -> {});

        assertThatThrownBy(shop::get).hasStackTraceContaining("No such any registry");
    }
}

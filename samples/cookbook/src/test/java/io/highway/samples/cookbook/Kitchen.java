// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.cookbook;

import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.apache.dubbo.config.annotation.DubboReference;
import org.apache.dubbo.config.spring.ReferenceBean;
import org.apache.dubbo.config.spring.context.DubboSpringInitCustomizerHolder;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.model.ModuleModel;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Where the programs run: an application in zhejiang, with a provider at home, joined with shanghai and beijing. */
final class Kitchen implements AutoCloseable {

    private final TestIsland shanghai = new TestIsland("shanghai");
    private final TestIsland beijing = new TestIsland("beijing");
    private final TestIsland home = new TestIsland("zhejiang");
    private final FrameworkModel framework = new FrameworkModel();
    private final Gateway gateway;
    private final ConfigurableApplicationContext context;

    @Configuration
    @EnableAutoConfiguration
    @Import({AsyncNotifications.class, AreaIslands.class, CallMeters.class})
    static class Application {

        @Bean
        @DubboReference(url = "${home.url}")
        ReferenceBean<SmsService> sms() {
            return new ReferenceBean<>();
        }

        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }
    }

    Kitchen() {
        gateway = Gateway.start(GatewayConfig.builder()
                .island("zhejiang")
                .listen("gateway.zhejiang.test", 0)
                .next("shanghai", List.of(shanghai.gateway()))
                .next("beijing", List.of(beijing.gateway()))
                .build());
        // separate Dubbo models: otherwise it would take those of an island, which are the first of this process
        ModuleModel module = framework.newApplication().getDefaultModule();
        DubboSpringInitCustomizerHolder.get().addCustomizer(context -> context.setModuleModel(module));
        context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .registerShutdownHook(false)
                .logStartupInfo(false)
                .properties(
                        "home.url=dubbo://" + home.provider(),
                        "spring.main.banner-mode=off",
                        "dubbo.application.name=orders",
                        "dubbo.application.qos-enable=false",
                        "dubbo.registry.address=N/A",
                        "dubbo.service.shutdown.wait=100",
                        "highway.island=zhejiang",
                        "highway.gateways.dubbo=gateway.zhejiang.test:" + gateway.port(),
                        "highway.defaults.tunnel=dubbo",
                        "highway.defaults.timeout=5s",
                        "highway.islands.shanghai.keys=31*",
                        "highway.islands.beijing.keys=11*",
                        // nothing listens there
                        "highway.islands.guangdong.gateways.dubbo=gateway.guangdong.test:" + FreePorts.next())
                .run();
    }

    SmsService sms() {
        return bean(SmsService.class);
    }

    <B> B bean(Class<B> type) {
        return context.getBean(type);
    }

    @Override
    public void close() {
        context.close();
        framework.destroy();
        gateway.closeNow();
        home.close();
        shanghai.close();
        beijing.close();
    }
}

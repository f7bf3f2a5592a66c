// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.dictionary;

import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.model.FrameworkModel;

/** A provider in shanghai, a caller, and the gateway between them, which records. All of them are plain Dubbo. */
final class Shop implements AutoCloseable {

    private static final List<String> GOODS =
            List.of("rain jacket", "desk lamp", "tea set", "rice cooker", "headphones");
    private static final List<String> CITIES = List.of("Shanghai", "Hangzhou", "Ningbo", "Wenzhou", "Shaoxing");

    private final FrameworkModel provider = new FrameworkModel();
    private final FrameworkModel consumer = new FrameworkModel();
    private final Random random = new Random(20);
    private final Gateway gateway;
    private final ShopService service;

    Shop(Path recorded) {
        int port = FreePorts.next();
        provide(port);
        this.gateway = Gateway.start(GatewayConfig.builder()
                .island("shanghai")
                .listen("gateway.shanghai.test", 0)
                .providers("shanghai", "*", List.of(), List.of("shanghai.test:" + port))
                .record(recorded, 5000)
                .build());
        this.service = refer();
    }

    private void provide(int port) {
        ProtocolConfig triple = new ProtocolConfig("tri", port);
        triple.setHost("shanghai.test");
        triple.setParameters(Map.of("bind.ip", "0.0.0.0"));
        ServiceConfig<ShopService> config = new ServiceConfig<>();
        config.setInterface(ShopService.class);
        config.setRef(json -> "{\"accepted\":true,\"receipt\":\"R-" + json.hashCode() + "\",\"warehouse\":\"WH-"
                + CITIES.get(Math.floorMod(json.hashCode(), CITIES.size())) + "\"}");
        DubboBootstrap.getInstance(provider.newApplication())
                .application(application("shop"))
                .registry(new RegistryConfig("N/A"))
                .protocol(triple)
                .service(config)
                .start();
    }

    private ShopService refer() {
        ReferenceConfig<ShopService> reference = new ReferenceConfig<>();
        var model = consumer.newApplication();
        model.getApplicationConfigManager().setApplication(application("caller"));
        reference.setScopeModel(model.getDefaultModule());
        reference.setInterface(ShopService.class);
        reference.setUrl("tri://gateway.shanghai.test:" + gateway.port());
        reference.setTimeout(10_000);
        reference.setRetries(0);
        return reference.get();
    }

    private static ApplicationConfig application(String name) {
        ApplicationConfig application = new ApplicationConfig(name);
        application.setQosEnable(false);
        return application;
    }

    /** Places so many different orders. */
    void call(int times) {
        for (int i = 0; i < times; i++) {
            RpcContext.getClientAttachment().setAttachment("highway-island", "shanghai");
            service.order(order());
        }
    }

    private String order() {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 6; i++) {
            lines.append(i == 0 ? "" : ",")
                    .append(
                            "{\"sku\":\"SKU-%06d\",\"title\":\"%s\",\"quantity\":%d,\"warehouse\":\"WH-%s\",\"gift\":%s}"
                                    .formatted(
                                            random.nextInt(1_000_000),
                                            one(GOODS),
                                            random.nextInt(10),
                                            one(CITIES),
                                            random.nextBoolean()));
        }
        return "{\"number\":\"SO-%010d\",\"currency\":\"CNY\",\"city\":\"%s\",\"province\":\"Zhejiang\",\"lines\":[%s]}"
                .formatted(random.nextInt(1_000_000_000), one(CITIES), lines);
    }

    private String one(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    /** All messages have been written when it returns. */
    @Override
    public void close() {
        consumer.destroy();
        gateway.close();
        provider.destroy();
    }
}

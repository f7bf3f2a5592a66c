// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.client;

import io.highway.sdk.Highway;
import io.highway.tools.security.service.AccountService;
import io.highway.tools.security.service.ReserveService;
import java.util.HashMap;
import java.util.Map;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;
import org.apache.dubbo.rpc.model.FrameworkModel;

/** An application in zhejiang or beijing that calls shanghai, with the SDK and a key. */
public final class Caller implements AutoCloseable {

    private final FrameworkModel framework = new FrameworkModel();
    private final DubboBootstrap dubbo;
    private final AccountService accounts;
    private final ReserveService reserves;

    /**
     * One with the settings that such an application has.
     *
     * @param tunnel {@code dubbo} or {@code triple}
     * @param gateway where it leaves home, {@code host:port}
     * @param keys further keys, without {@code highway.}
     */
    public Caller(String island, String application, String tunnel, String gateway, Map<String, String> keys) {
        this.dubbo = DubboBootstrap.getInstance(framework.newApplication());
        Map<String, String> all = new HashMap<>();
        all.put("highway.island", island);
        all.put("highway.gateways." + tunnel, gateway);
        all.put("highway.islands.shanghai.tunnel", tunnel);
        all.put("highway.islands.shanghai.timeout", "5s");
        all.put("highway.heartbeat.interval", "none");
        keys.forEach((key, value) -> all.put("highway." + key, value));
        dubbo.getApplicationModel().modelEnvironment().updateAppConfigMap(all);
        ApplicationConfig config = new ApplicationConfig(application);
        config.setQosEnable(false);
        dubbo.application(config).registry(new RegistryConfig("N/A"));
        this.accounts = reference(AccountService.class);
        this.reserves = reference(ReserveService.class);
    }

    private <T> T reference(Class<T> type) {
        ReferenceConfig<T> reference = new ReferenceConfig<>();
        reference.setInterface(type);
        reference.setCheck(false);
        reference.setScopeModel(dubbo.getApplicationModel().getDefaultModule());
        reference.setParameters(new HashMap<>(Map.of("highway-island", "shanghai")));
        reference.setUrl("dubbo://zhejiang.test:1");
        return Highway.to("shanghai").bind(type, reference.get());
    }

    /** Its reference. */
    public AccountService accounts() {
        return accounts;
    }

    /** Its reference. */
    public ReserveService reserves() {
        return reserves;
    }

    @Override
    public void close() {
        framework.destroy();
    }
}

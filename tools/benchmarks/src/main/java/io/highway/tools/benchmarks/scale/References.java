// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.scale;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;
import org.apache.dubbo.rpc.model.ApplicationModel;

/**
 * An application with a reference to each service. They go to home's provider, by the Dubbo protocol and by Triple
 * alternately; half of them are bound to an island, which plain Dubbo takes for a parameter without a meaning.
 */
final class References {

    private static final String HOME = "zhejiang";
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final int KINDS = 4;

    /** Of islands, one after the other; with the first one gateways of both protocols are connected. */
    private static final List<String> TUNNELS = List.of("auto", "triple", "dubbo");

    private final Task task;
    private final ApplicationModel application;
    private final List<Reference> all = new ArrayList<>();
    private long firstAt;

    /**
     * A reference that has been created.
     *
     * @param island the one it is bound to; empty if to none
     */
    record Reference(
            Class<? extends AskedService> type, ReferenceConfig<?> config, AskedService service, String island) {}

    /** Creates all references, one after another. */
    References(Task task, List<Class<? extends AskedService>> types) {
        this.task = task;
        DubboBootstrap dubbo = DubboBootstrap.getInstance();
        this.application = dubbo.getApplicationModel();
        application.modelEnvironment().updateAppConfigMap(highway());
        ApplicationConfig config = new ApplicationConfig("caller");
        config.setQosEnable(false);
        dubbo.application(config).registry(new RegistryConfig("N/A"));
        for (int number = 0; number < types.size(); number++) {
            all.add(refer(types.get(number), number));
            firstAt = number == 0 ? System.nanoTime() : firstAt;
        }
    }

    private Map<String, String> highway() {
        Map<String, String> keys = new HashMap<>();
        if (task.sdk()) {
            keys.put("highway.island", HOME);
            keys.put("highway.gateways.dubbo", task.gatewaysDubbo());
            keys.put("highway.gateways.triple", task.gatewaysTriple());
            for (int number = 0; number < task.islands(); number++) {
                keys.put("highway.islands." + island(number) + ".tunnel", TUNNELS.get(number % TUNNELS.size()));
            }
        }
        return keys;
    }

    /** The ids of islands. */
    static String island(int number) {
        return "island-" + number;
    }

    private <S extends AskedService> Reference refer(Class<S> type, int number) {
        boolean dubbo = number % 2 == 0;
        String island = number % KINDS < KINDS / 2 ? "" : island(number % task.islands());
        Map<String, String> parameters = new HashMap<>(Map.of("serialization", "hessian2"));
        if (!island.isEmpty()) {
            parameters.put("highway-island", island);
        }
        ReferenceConfig<S> config = new ReferenceConfig<>();
        config.setInterface(type);
        config.setUrl(dubbo ? "dubbo://" + task.homeDubbo() : "tri://" + task.homeTriple());
        config.setCheck(false);
        config.setRetries(0);
        config.setTimeout(TIMEOUT_MILLIS);
        config.setParameters(parameters);
        config.setScopeModel(application.getDefaultModule());
        return new Reference(type, config, config.get(), island);
    }

    ApplicationModel application() {
        return application;
    }

    /** When the first one was there, by {@link System#nanoTime}. */
    long firstAt() {
        return firstAt;
    }

    List<Reference> all() {
        return all;
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.star;

import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.gateways.NginxServer;
import io.highway.tools.processes.Folders;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Shanghai, which is attacked:
 *
 * <pre>
 *   reference gateway -- nginx stream -- provider 1   rules, rate, replay store
 *                        nginx stream -- provider 2   the same, another process
 *                        nginx stream -- provider 3   shadow mode, no replay store
 *                                        redis        the replay store
 * </pre>
 */
public final class Bankside implements AutoCloseable {

    /** The keys that shanghai accepts, and the callers that may use each. */
    public static final Map<String, String> CALLERS = Map.of(
            "zhejiang-2026", "zhejiang/orders,zhejiang/flood,zhejiang/stranger", "beijing-2026", "beijing/orders");

    /** The calls per second that the caller named flood may make. */
    public static final int RATE = 200;

    private static final String GATEWAY_ADDRESS = "127.0.0.7";

    private final Processes processes;
    private final List<Provider> providers = new ArrayList<>();
    private final String gateway;

    /**
     * Starts it; files are in the folder, those of an earlier run are deleted.
     *
     * @param shared whether the first two providers share a replay store
     */
    public Bankside(Path folder, boolean shared) throws IOException {
        this.processes = new Processes(Folders.clear(folder, ".*\\.(ledger|audit)"));
        try {
            int redis = FreePorts.next();
            processes.startProgram(
                    "redis",
                    List.of("redis-server", "--port", String.valueOf(redis), "--bind", "127.0.0.1", "--save", ""));
            List<String> store = shared ? List.of("-Dredis.port=" + redis) : List.of();
            provider(folder, "provider-1", store);
            provider(folder, "provider-2", store);
            provider(folder, "provider-3", List.of("-Dhighway.guard.mode=shadow"));
            startFront(folder);
            Provider first = providers.get(0);
            this.gateway = processes.gateway(
                    "shanghai",
                    Map.of(
                            "shanghai",
                            Processes.providers(
                                    "shanghai.test:" + first.frontDubbo(), "shanghai.test:" + first.frontTriple())),
                    "-Daudit.file=" + folder.resolve("gateway.audit")); // logback.xml opens the file
            processes.get("redis").awaitPort(redis);
            providers.forEach(provider -> processes.ready(provider.name()));
        } catch (IOException | RuntimeException e) {
            processes.close();
            throw e;
        }
    }

    private void provider(Path folder, String name, List<String> more) {
        Provider provider =
                new Provider(name, FreePorts.next(), FreePorts.next(), FreePorts.next(), FreePorts.next(), folder);
        providers.add(provider);
        List<String> options = new ArrayList<>(more);
        options.add("-Ddubbo.application.logger=slf4j"); // and not another one that a test has
        guard().forEach((key, value) -> options.add("-Dhighway." + key + "=" + value));
        options.add("-Daudit.file=" + provider.audit());
        processes.start(name, options, ProviderProcess.class, provider.dubbo(), provider.triple(), provider.ledger());
    }

    /** What the guard of each provider demands. */
    private static Map<String, String> guard() {
        Map<String, String> keys = new LinkedHashMap<>();
        keys.put("island", "shanghai");
        keys.put("audit.enabled", "true");
        keys.put("audit.overflow", "refuse");
        CALLERS.forEach((key, callers) -> {
            keys.put("sign.accept." + key, secret(key));
            keys.put("sign.accept-from." + key, callers);
        });
        keys.put("guard.gateways", GATEWAY_ADDRESS);
        keys.put("guard.rules.orders.action", "allow");
        keys.put("guard.rules.orders.from", "zhejiang/orders");
        keys.put("guard.rules.flood.action", "allow");
        keys.put("guard.rules.flood.from", "zhejiang/flood");
        keys.put("guard.rules.flood.to", "balance*");
        keys.put("guard.rules.flood.rate", RATE + "/s");
        keys.put("guard.rules.no-reserve-payments.action", "deny");
        keys.put("guard.rules.no-reserve-payments.to", "io.highway.tools.security.service.ReserveService#payment");
        return keys;
    }

    /** The secret of a key; in production it is in a file that only the applications read. */
    public static String secret(String key) {
        return "the secret of " + key;
    }

    private void startFront(Path folder) throws IOException {
        Map<String, String> values = new LinkedHashMap<>();
        Integer[] ports = new Integer[2 * providers.size()];
        for (int i = 0; i < providers.size(); i++) {
            Provider provider = providers.get(i);
            ports[2 * i] = provider.frontDubbo();
            ports[2 * i + 1] = provider.frontTriple();
            values.put(":" + (50101 + 2 * i), ":" + provider.frontDubbo());
            values.put(":" + (50102 + 2 * i), ":" + provider.frontTriple());
            values.put(":" + (50201 + 2 * i), ":" + provider.dubbo());
            values.put(":" + (50202 + 2 * i), ":" + provider.triple());
        }
        NginxServer.find().start(processes, "front", folder, "security/front.conf", values, ports);
    }

    /** The one that the gateway sends calls to. */
    public Provider first() {
        return providers.get(0);
    }

    /** Another process of the same service. */
    public Provider second() {
        return providers.get(1);
    }

    /** One whose guard refuses nothing by its rules, and which shares no replay store. */
    public Provider shadow() {
        return providers.get(2);
    }

    /** All of them. */
    public List<Provider> providers() {
        return providers;
    }

    /** The island's gateway, {@code host:port}. */
    public String gateway() {
        return gateway;
    }

    @Override
    public void close() {
        processes.close();
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.benchmarks.scale;

import com.alibaba.fastjson2.JSON;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.tools.benchmarks.scale.Setting.Kind;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.fixtures.ports.TcpConnection;
import io.highway.tools.gateways.Island;
import io.highway.tools.processes.ClassPath;
import io.highway.tools.processes.Processes;
import io.highway.tools.processes.Star;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The provider, home's gateways in front of it for every island, and one caller process after another.
 *
 * <pre>
 *   caller -> gateways: two for the Dubbo protocol, two for Triple -> provider of all services and islands
 *          '-> the same provider, as home's
 * </pre>
 */
final class Stage implements AutoCloseable {

    static final String PROVIDER_HOST = "shanghai.test";

    private static final String GATEWAY_HOST = "gateway.zhejiang.test";
    private static final String PROVIDER = "provider";
    private static final String ESTABLISHED = "01"; // as Linux counts it

    /** Where memory is measured: what the virtual machine would give back is not in use. */
    private static final String NO_CACHES = "-XX:SoftRefLRUPolicyMSPerMB=0";

    /** For each protocol. */
    private static final int ADDRESSES = 2;

    private final Processes processes;
    private final Path interfaces;
    private final String homeDubbo;
    private final String homeTriple;
    private final List<Integer> gateways = new ArrayList<>();
    private int callers;

    private Stage(Path folder) throws IOException {
        this.processes = new Processes(folder);
        this.interfaces = folder.resolve("interfaces");
        this.homeDubbo = PROVIDER_HOST + ":" + FreePorts.next();
        this.homeTriple = PROVIDER_HOST + ":" + FreePorts.next();
    }

    /** Starts all but callers; they may have fewer services and islands. */
    static Stage start(Path folder, int services, int islands) throws IOException {
        Stage stage = new Stage(folder);
        try {
            stage.start(services, islands);
            return stage;
        } catch (IOException | RuntimeException e) {
            stage.close();
            throw e;
        }
    }

    private void start(int services, int islands) throws IOException {
        Services.write(interfaces, services);
        processes.start(
                PROVIDER,
                List.of(),
                classPath(false),
                FarProcess.class.getName(),
                services,
                String.valueOf(Island.port(homeDubbo)),
                String.valueOf(Island.port(homeTriple)));
        for (int number = 0; number < 2 * ADDRESSES; number++) {
            processes.startGateway("gateway-" + number, yaml(islands));
        }
        for (int number = 0; number < 2 * ADDRESSES; number++) {
            gateways.add(Integer.valueOf(processes.ready("gateway-" + number)));
        }
        processes.ready(PROVIDER);
    }

    private String yaml(int islands) {
        String route = Processes.providers(homeDubbo, homeTriple);
        Map<String, String> routes = new LinkedHashMap<>();
        IntStream.range(0, islands).forEach(number -> routes.put(References.island(number), route));
        return Star.gateway("zhejiang", 0, "", routes);
    }

    /** Runs one caller process to its end. */
    Measured measure(Setting setting) throws IOException {
        List<Integer> dubbo = gateways.subList(0, setting.addresses());
        List<Integer> triple = gateways.subList(ADDRESSES, ADDRESSES + setting.addresses());
        boolean down = setting.kind() == Kind.GATEWAYS_DOWN;
        Task task = new Task(
                setting.kind() != Kind.PLAIN,
                setting.services(),
                setting.islands(),
                setting.times(),
                homeDubbo,
                homeTriple,
                down ? addresses(List.of(FreePorts.next())) : addresses(dubbo),
                down ? addresses(List.of(FreePorts.next())) : addresses(triple));
        String name = "caller-" + callers++;
        List<String> options = setting.times() == 0 ? List.of() : List.of(NO_CACHES);
        processes.start(name, options, classPath(task.sdk()), CallerProcess.class.getName(), JSON.toJSONString(task));
        try {
            Figures figures = JSON.parseObject(processes.ready(name), Figures.class);
            List<TcpConnection> open = TcpConnection.all();
            List<Integer> connections = Stream.of(dubbo, triple)
                    .flatMap(List::stream)
                    .map(port -> (int) open.stream()
                            .filter(one ->
                                    one.localPort() == port && one.state().equals(ESTABLISHED))
                            .count())
                    .toList();
            return new Measured(setting, figures, connections);
        } finally {
            processes.get(name).kill();
        }
    }

    /** Without the SDK it is not even there. */
    private String classPath(boolean sdk) {
        return interfaces + File.pathSeparator + ClassPath.without(sdk ? List.of() : List.of(HighwayRuntime.class));
    }

    private static String addresses(List<Integer> ports) {
        return ports.stream().map(port -> GATEWAY_HOST + ":" + port).collect(Collectors.joining(","));
    }

    @Override
    public void close() {
        processes.close();
    }
}

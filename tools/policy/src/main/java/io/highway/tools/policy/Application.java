// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One application at home, as an operator sees it: by HTTP. */
final class Application {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** Dubbo alone needs more than a minute while Nacos, as its registry, accepts connections and never answers. */
    private static final int START_SECONDS = 240;

    private final Processes processes;
    private final String name;
    private final Class<?> main;
    private final Path folder;
    private final List<String> keys;
    private final int qosPort = FreePorts.next();
    private final int port = FreePorts.next();
    private int starts;

    /**
     * What is active in it.
     *
     * @param answers the island that answered a call just now
     */
    record State(JsonNode policy, String answers) {

        String version() {
            return policy.path("version").asText();
        }

        String state() {
            return policy.path("state").asText();
        }

        String source() {
            return policy.path("source").asText();
        }

        /** Why its source is not followed at present; empty if it is. */
        String problem() {
            return policy.path("problem").asText("");
        }
    }

    /** @param keys the static configuration, as options of the virtual machine */
    Application(Processes processes, String name, Class<?> main, Path folder, List<String> keys) {
        this.processes = processes;
        this.name = name;
        this.main = main;
        this.folder = folder;
        this.keys = keys;
    }

    String name() {
        return name;
    }

    /** Whether it has the endpoints of Spring Boot's actuator. */
    boolean hasActuator() {
        return main == ReportsApplication.class;
    }

    /** Starts it and does not wait. */
    void start(String registry, String center, boolean check, String... more) {
        List<String> options = new ArrayList<>(keys);
        options.add("-Ddubbo.application.name=" + name);
        options.add("-Ddubbo.registry.address=" + registry);
        options.add("-Ddubbo.config-center.address=" + center);
        options.add("-Ddubbo.config-center.check=" + check);
        options.add("-Ddubbo.config-center.timeout=5000"); // 30 s by default, for which start-up waits if it is down
        options.add("-Dcom.alibaba.nacos.client.naming.rtimeout=1000"); // 50 s, while Nacos accepts and never answers
        options.add("-Ddubbo.application.qos-enable=true");
        options.add("-Ddubbo.application.qos-port=" + qosPort);
        options.add("-Dserver.port=" + port);
        options.add("-Duser.home=" + folder.resolve(name + "-home")); // the last good policy
        options.add("-DJM.SNAPSHOT.PATH=" + folder.resolve(name + "-nacos-" + ++starts)); // no copy of the Nacos client
        options.add("-Dorg.slf4j.simpleLogger.showDateTime=true");
        options.add("-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS");
        options.add("-Dorg.slf4j.simpleLogger.logFile=" + folder.resolve(name + "-sdk.log"));
        options.addAll(List.of(more));
        processes.startUserProgram(name, options, main);
    }

    /** Waits until it is ready. */
    void awaitReady() {
        String unused = processes.ready(name, START_SECONDS);
    }

    void kill() {
        processes.get(name).kill();
    }

    State state() throws IOException, InterruptedException {
        HttpResponse<String> answer = get(port, "where");
        return new State(
                JSON.readTree(qos("highway?as=--json")).path("policy"),
                answer.statusCode() == 200 ? answer.body() : "HTTP " + answer.statusCode());
    }

    /** What Dubbo's QoS answers, as {@code curl} gets it. */
    String qos(String command) throws IOException, InterruptedException {
        return get(qosPort, command).body();
    }

    /** JSON of the actuator. */
    JsonNode actuator(String path) throws IOException, InterruptedException {
        return JSON.readTree(get(port, "actuator/" + path).body());
    }

    private static HttpResponse<String> get(int port, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/" + path))
                .timeout(TIMEOUT)
                .build();
        return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayReport;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.dubbo.rpc.RpcContext;

/** A consumer in a separate process, which has asynchronous calls to shanghai in flight when it is asked to end. */
final class StoppingProcess implements AutoCloseable {

    private static final String ENDED = "ended: ";

    private final Process process;
    private final Queue<String> output = new ConcurrentLinkedQueue<>();
    private final Thread reader;

    private StoppingProcess(Process process) {
        this.process = process;
        this.reader = new Thread(this::read, "output");
        reader.setDaemon(true);
        reader.start();
    }

    static StoppingProcess start(Map<String, String> properties, String homeDubbo, int calls) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-Djdk.net.hosts.file=" + System.getProperty("jdk.net.hosts.file"),
                "-cp",
                System.getProperty("java.class.path"),
                StoppingProcess.class.getName(),
                homeDubbo,
                String.valueOf(calls)));
        properties.forEach((key, value) -> command.add(key + "=" + value));
        return new StoppingProcess(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /** In the process itself: properties follow the address of home's provider and the number of calls. */
    public static void main(String[] arguments) throws InterruptedException {
        Map<String, String> properties = List.of(arguments).subList(2, arguments.length).stream()
                .map(property -> property.split("=", 2))
                .collect(Collectors.toMap(property -> property[0], property -> property[1]));
        TestApplication application = new TestApplication("zhejiang", properties).start();
        Shop shop = application
                .reference(Shop.class, config -> config.setUrl("dubbo://" + arguments[0]))
                .get();
        await().atMost(Duration.ofSeconds(60)) // a busy machine may need longer than a call waits for a connection
                .until(() -> HighwayReport.of(application.model()).orElseThrow().gateways().stream()
                        .noneMatch(gateway -> gateway.state() == HighwayReport.Gateway.State.DOWN));
        for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
            CompletableFuture<String> call = Highway.to("shanghai")
                    .call(() -> RpcContext.getServiceContext().asyncCall(() -> shop.slow(60_000)));
            call.whenComplete((answer, failure) -> System.out.println(ENDED + (failure == null ? answer : failure)));
        }
        Thread.currentThread().join();
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            lines.lines().forEach(output::add);
        } catch (IOException | java.io.UncheckedIOException e) {
            output.add(e.toString());
        }
    }

    /** Sends SIGTERM. */
    void terminate() {
        process.toHandle().destroy(); // unlike the process itself, its handle leaves the output open
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** How its calls ended, once the process has. */
    List<String> awaitEnds() throws InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new AssertionError("the process has not ended: " + output);
        }
        reader.join(10_000);
        return output.stream()
                .filter(line -> line.startsWith(ENDED))
                .map(line -> line.substring(ENDED.length()))
                .toList();
    }

    /** All that it has printed. */
    @Override
    public String toString() {
        return String.join("\n", output);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

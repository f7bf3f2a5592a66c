// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.gateway;

import static io.highway.tools.gateway.TestCaller.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two providers of a registry, each in a separate process, are replaced one after the other while calls go on. In one
 * process they would end each other: Dubbo's Triple servers are in a static map.
 */
@Tag("network")
@Tag("long")
class RollTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String SERVICE_TAKEN_AWAY = "UNIMPLEMENTED : Invoker for gRPC not found";
    private static final int CALLERS = 4;
    private static final int CALLS_BETWEEN = 100;

    private final List<Process> providers = new ArrayList<>();

    @TempDir
    private Path folder;

    @Test
    void losesNoCallThatMayHaveRun_whenProvidersAreReplacedGracefully() throws Exception {
        try (TestingServer zookeeper = new TestingServer();
                TestCaller caller = new TestCaller()) {
            String registry = "zookeeper://registry.test:" + zookeeper.getPort();
            GatewayConfig config =
                    TestProviders.gateway().registry("shanghai", registry).build();
            try (Gateway gateway = Gateway.start(config)) {
                Process first = start(registry);
                Process second = start(registry);
                List<Calls> all = new ArrayList<>();
                for (String protocol : List.of("dubbo", "tri")) {
                    EchoService service = caller.refer(EchoService.class, protocol, gateway.port());
                    await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> assertThat(
                                    to("shanghai", () -> service.echo("warm")))
                            .isEqualTo("shanghai:warm"));
                    all.add(new Calls(service));
                }

                awaitMore(all);
                end(first);
                awaitMore(all);
                start(registry);
                end(second);
                awaitMore(all);

                assertThat(all.get(0).end()).isEmpty();
                // Dubbo takes a Triple service away before the registry can notify its subscribers; the SDK has proof
                // that such a call has not run, and tries it again
                assertThat(all.get(1).end()).allMatch(failure -> failure.contains(SERVICE_TAKEN_AWAY));
            } finally {
                providers.forEach(Process::destroyForcibly);
            }
        }
    }

    private Process start(String registry) throws IOException {
        Path out = folder.resolve("provider-" + providers.size());
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("-Djdk.net.hosts.file=") || option.startsWith("--add-opens"))
                .forEach(command::add);
        command.addAll(List.of(
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                TestProviders.class.getName(),
                "shanghai",
                registry));
        Process provider = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        providers.add(provider);
        await().atMost(PATIENCE).until(() -> Files.readString(out).contains("ready "));
        return provider;
    }

    /** SIGTERM, as operators send it. */
    private static void end(Process provider) throws InterruptedException {
        provider.destroy();
        assertThat(provider.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    private static void awaitMore(List<Calls> all) {
        for (Calls calls : all) {
            int before = calls.passed.get();
            await().atMost(PATIENCE).until(() -> calls.passed.get() > before + CALLS_BETWEEN);
        }
    }

    /** Callers that never stop. */
    private static final class Calls {
        private final AtomicBoolean ended = new AtomicBoolean();
        private final AtomicInteger passed = new AtomicInteger();
        private final Queue<String> failures = new ConcurrentLinkedQueue<>();
        private final List<Thread> callers = new ArrayList<>();

        Calls(EchoService service) {
            for (int number = 0; number < CALLERS; number++) {
                Thread caller = new Thread(() -> call(service), "caller-" + number);
                caller.setDaemon(true);
                caller.start();
                callers.add(caller);
            }
        }

        private void call(EchoService service) {
            while (!ended.get()) {
                try {
                    to("shanghai", () -> service.echo("x"));
                    passed.incrementAndGet();
                } catch (RuntimeException e) {
                    failures.add(String.valueOf(e.getMessage()));
                }
            }
        }

        Queue<String> end() throws InterruptedException {
            ended.set(true);
            for (Thread caller : callers) {
                caller.join();
            }
            return failures;
        }
    }
}

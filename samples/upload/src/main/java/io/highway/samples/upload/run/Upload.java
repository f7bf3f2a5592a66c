// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.upload.run;

import io.highway.samples.upload.Checksum;
import io.highway.samples.upload.Consumer;
import io.highway.samples.upload.Provider;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.fixtures.faults.FaultyLinks;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Starts ZooKeeper, two gateways, provider and consumer, uploads a file of random bytes over a link of 100 Mbit/s between
 * the gateways, and cuts that link three times.
 */
public final class Upload {

    private static final int MEGABYTE = 1 << 20;
    private static final int CUTS = 3;
    private static final long BYTES_PER_SECOND = 100_000_000 / 8;
    private static final int LONGEST_SECONDS = 600;
    private static final String PROVIDER = "provider";
    private static final String CONSUMER = "consumer";

    /** Less than the file: what is on its way must not be kept in memory. */
    private static final List<String> MEMORY = List.of("-Xmx64m", "-XX:MaxDirectMemorySize=32m");

    private Upload() {}

    /** The argument is the folder for logs and files. Exits with 0 only if the file has arrived unchanged. */
    public static void main(String[] arguments) {
        try {
            run(Path.of(arguments[0]), Integer.getInteger("upload.megabytes", 100))
                    .forEach(System.out::println);
            System.exit(0);
        } catch (IOException | InterruptedException | RuntimeException e) {
            System.err.println("upload: " + e);
            System.exit(1);
        }
    }

    /** The lines that the consumer prints, and what was found afterwards. */
    static List<String> run(Path folder, int megabytes) throws IOException, InterruptedException {
        Path stored = folder.resolve("stored").toAbsolutePath();
        clear(stored);
        Path file = randomFile(folder.resolve("file").toAbsolutePath(), megabytes);
        try (Processes processes = new Processes(folder);
                FaultyLinks links = new FaultyLinks()) {
            int port = FreePorts.next();
            start(
                    processes,
                    folder,
                    PROVIDER,
                    Provider.class,
                    "-Ddubbo.properties.file=shanghai/dubbo.properties",
                    "-Ddubbo.protocol.port=" + port,
                    "-Dupload.folder=" + stored);
            String registry = processes.registry();
            String address = "shanghai.test:" + port;
            String far = processes.gateway("shanghai", Map.of("shanghai", Processes.providers(address, address)));
            FaultyLink link = links.link(0, Integer.parseInt(far.substring(far.indexOf(':') + 1)));
            link.limit(BYTES_PER_SECOND);
            String home = processes.gateway(
                    "zhejiang", Map.of("shanghai", Processes.next("gateway.shanghai.test:" + link.port())));
            processes.get(PROVIDER).awaitPort(port);
            start(
                    processes,
                    folder,
                    CONSUMER,
                    Consumer.class,
                    "-Ddubbo.properties.file=zhejiang/dubbo.properties",
                    "-Ddubbo.registry.address=" + registry,
                    "-Dhighway.gateways.triple=" + home,
                    "-Dupload.file=" + file);
            for (int cut = 1; cut <= CUTS; cut++) {
                awaitTraffic(processes, link, (long) megabytes * MEGABYTE * cut / (CUTS + 1));
                link.reset();
            }
            processes.ready(CONSUMER, LONGEST_SECONDS);
        }
        List<String> lines = new ArrayList<>(Files.readAllLines(folder.resolve(CONSUMER + ".log")));
        String sha256 = Checksum.of(file);
        if (!Checksum.of(stored.resolve(sha256)).equals(sha256)) {
            throw new IOException("the stored file differs");
        }
        lines.add("the link was cut " + CUTS + " times, the checksums are equal: " + sha256);
        return lines;
    }

    private static void awaitTraffic(Processes processes, FaultyLink link, long bytes) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_SECONDS);
        while (link.traffic().toTarget().sum() < bytes) {
            if (!processes.get(CONSUMER).isAlive() || System.nanoTime() - end > 0) {
                throw new IllegalStateException("the upload ended before the link was cut " + CUTS + " times");
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private static void clear(Path folder) throws IOException {
        Files.createDirectories(folder);
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }

    private static Path randomFile(Path file, int megabytes) throws IOException {
        Random random = new Random(megabytes);
        byte[] piece = new byte[MEGABYTE];
        try (OutputStream content = Files.newOutputStream(file)) {
            for (int i = 0; i < megabytes; i++) {
                random.nextBytes(piece);
                content.write(piece);
            }
        }
        return file;
    }

    private static void start(Processes processes, Path folder, String name, Class<?> main, String... more) {
        List<String> options = new ArrayList<>(MEMORY);
        options.addAll(List.of(
                "-Ddubbo.application.logger=slf4j",
                "-Ddubbo.application.qos-enable=false",
                "-Ddubbo.service.shutdown.wait=100",
                "-Dorg.slf4j.simpleLogger.logFile=" + folder.resolve(name + "-sdk.log")));
        options.addAll(List.of(more));
        processes.startUserProgram(name, options, main);
    }
}

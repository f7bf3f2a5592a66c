// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.support;

import io.highway.testsupport.ports.FreePorts;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The processes of a sample: started side by side, awaited by name, ended together, however the sample ends. Whatever one
 * prints is in {@code <folder>/<name>.log}.
 */
public final class Processes implements AutoCloseable {

    private static final int EXIT_INTERRUPTED = 130;
    private static final String REGISTRY = "registry";

    private final Path folder;
    private final Place place;
    private final Map<String, ChildProcess> children = new ConcurrentHashMap<>();

    /** None yet; their logs and the routes of gateways are written to {@code folder}. */
    public Processes(Path folder) throws IOException {
        this(folder, Place.HERE);
    }

    /** None yet; all of them will run in this place. */
    @SuppressWarnings("FutureReturnValueIgnored") // it only listens
    public Processes(Path folder, Place place) throws IOException {
        this.place = place;
        this.folder = Files.createDirectories(folder);
        Runtime.getRuntime().addShutdownHook(new Thread(this::endInterrupted, "end-processes"));
        ProcessHandle.current().parent().ifPresent(script -> script.onExit()
                .thenRun(() -> System.exit(EXIT_INTERRUPTED)));
    }

    /**
     * Starts {@code main} in a separate process and does not wait for it; it reports that it is ready by
     * {@link ChildProcess#ready}.
     *
     * @param options of the virtual machine, beside those this process was given
     */
    public void start(String name, List<String> options, Class<?> main, String... arguments) {
        start(name, options, System.getProperty("java.class.path"), main, arguments);
    }

    /**
     * Starts {@code main} in a separate process, like the other, but with another class path.
     *
     * @param classPath as {@code java -cp} takes it; this sample's {@link ChildProcess} must be on it
     */
    public void start(String name, List<String> options, String classPath, Class<?> main, String... arguments) {
        start(name, options, classPath, main.getName(), arguments);
    }

    /** The same in another place than the others. */
    public void start(String name, Place where, List<String> options, Class<?> main, String... arguments) {
        String classPath = System.getProperty("java.class.path");
        children.put(name, ChildProcess.start(name, folder, where, options, classPath, main.getName(), arguments));
    }

    /** Starts a program of a user, which knows nothing of this; it is ready when its main method has returned. */
    public void startUserProgram(String name, List<String> options, Class<?> main) {
        start(name, options, UserProcess.class, main.getName());
    }

    /**
     * Starts a main class that is not on the class path of this process.
     *
     * @param classPath as {@code java -cp} takes it; this sample's {@link ChildProcess} must be on it
     * @param main its name
     */
    public void start(String name, List<String> options, String classPath, String main, String... arguments) {
        children.put(name, ChildProcess.start(name, folder, place, options, classPath, main, arguments));
    }

    /**
     * Starts a program that is not Java and does not wait for it.
     *
     * @param program with its arguments; it must stay in the foreground
     */
    public void startProgram(String name, List<String> program) {
        children.put(name, ChildProcess.startProgram(name, folder, place, program));
    }

    /** Waits until something listens on this port of 127.0.0.1, unless the process ends before. */
    public void awaitPort(String name, int port) {
        child(name).awaitPort(port);
    }

    /** Whether it has not ended yet. */
    public boolean isAlive(String name) {
        return child(name).isAlive();
    }

    /** The number of its process; of a native program, of the first one. */
    public long pid(String name) {
        return child(name).pid();
    }

    /** Sends the process a signal by name, such as {@code HUP}. */
    public void signal(String name, String signal) {
        child(name).signal(signal);
    }

    /** Waits until the process has ended by itself; after so many seconds it must. */
    public void awaitEnd(String name, int seconds) {
        child(name).awaitEnd(seconds);
    }

    /** What a process ended with that has ended. */
    public int exitCode(String name) {
        return child(name).exitCode();
    }

    /** Waits until the process is ready and returns its report. */
    public String ready(String name) {
        return child(name).awaitReady();
    }

    /** The same for a process that may take so many seconds to start. */
    public String ready(String name, int seconds) {
        return child(name).awaitReady(seconds);
    }

    /** Ends the process and waits until it is gone. */
    public void end(String name) {
        ChildProcess child = child(name);
        child.end();
        child.awaitEnd();
    }

    /** Ends the process as {@code kill -9} does and waits until it is gone. */
    public void kill(String name) {
        child(name).kill();
    }

    /** Pauses the process; its connections stay open. */
    public void freeze(String name) {
        child(name).signalAll("STOP");
    }

    /** Resumes a paused process. */
    public void thaw(String name) {
        child(name).signalAll("CONT");
    }

    /** Starts a ZooKeeper as home's registry and returns its address, as Dubbo writes it. */
    public String registry() {
        return registry(FreePorts.next());
    }

    /** The same on this port. */
    public String registry(int port) {
        start(REGISTRY, List.of(), RegistryProcess.class, String.valueOf(port));
        return "zookeeper://registry.test:" + ready(REGISTRY);
    }

    /**
     * Starts an island's gateway, {@code <island>-gateway}, and returns its {@code host:port}; it takes both protocols.
     *
     * @param routes for each destination its route, as the gateway's YAML has it
     * @param options of the virtual machine
     */
    public String gateway(String island, Map<String, String> routes, String... options) throws IOException {
        StringBuilder yaml =
                new StringBuilder("island: %1$s\nlisten: gateway.%1$s.test:0\nroutes:\n".formatted(island));
        routes.forEach((destination, route) -> yaml.append("  " + destination + ": " + route + "\n"));
        startGateway(island + "-gateway", yaml.toString(), options);
        return "gateway." + island + ".test:" + ready(island + "-gateway");
    }

    /**
     * Starts a gateway and does not wait for it; {@link #ready} returns its port.
     *
     * @param yaml its configuration
     * @param options of the virtual machine
     */
    public void startGateway(String name, String yaml, String... options) throws IOException {
        Path file = folder.resolve(name + ".yaml");
        Files.writeString(file, yaml);
        start(name, List.of(options), GatewayProcess.class, file.toString());
    }

    /** The route over another gateway, {@code host:port}. */
    public static String next(String gateway) {
        return "{next: ['" + gateway + "']}";
    }

    /** The route to the providers of this island, each {@code host:port}. */
    public static String providers(String dubbo, String triple) {
        return "{providers: {'*': {dubbo: ['" + dubbo + "'], triple: ['" + triple + "']}}}";
    }

    private ChildProcess child(String name) {
        ChildProcess child = children.get(name);
        if (child == null) {
            throw new IllegalArgumentException("no process " + name + "; there are " + children.keySet());
        }
        return child;
    }

    /** After Ctrl-C the registry may be gone first, and Dubbo's own shutdown would wait minutes for it. */
    private void endInterrupted() {
        if (!children.isEmpty()) {
            // what fails from now on fails because of this
            System.setErr(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
            close();
            Runtime.getRuntime().halt(EXIT_INTERRUPTED);
        }
    }

    /** Ends all processes, the registry last, so that home's providers can sign off. */
    @Override
    public void close() {
        ChildProcess last = children.remove(REGISTRY);
        children.values().forEach(ChildProcess::end);
        children.values().forEach(ChildProcess::awaitEnd);
        if (last != null) {
            last.end();
            last.awaitEnd();
        }
        children.clear();
    }
}

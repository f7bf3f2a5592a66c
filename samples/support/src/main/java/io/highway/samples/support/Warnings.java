// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a process has logged as WARN or ERROR, by SLF4J's simple logger or by Spring Boot; without a fault, nothing. */
public final class Warnings {

    private static final Pattern LINE = Pattern.compile("\\S+ +(\\[[^]]*] )?(WARN|ERROR) .*");

    /** What Dubbo 3.3.6 logs in every application, with the SDK or without it. */
    private static final List<String> OF_DUBBO = List.of(
            // for each reference to a service that home does not deploy
            "received empty address list and empty protection is disabled",
            // for each of those when it ends: ZooKeeper has no /services
            "unexpected error when unregister service",
            "unexpected error when unsubscribe service",
            // for each connection when it ends: it is closed by its reference and by the protocol
            "safe guard client , should not be called",
            // for an event of a connection after the threads of its application have ended
            "Executor status:(isShutdown:true",
            // for the same: with the application gone, the event runs in a thread of the process
            "[Dubbo-global-shared-handler-thread-",
            // for a health check that is under way when its application ends
            "interface org.apache.dubbo.rpc.service.EchoService -> ",
            // in an application with @EnableDubbo and no service
            "No class annotated by Dubbo @DubboService or @Service was found");

    private final @Nullable Path log;
    private int seen;

    /** Of a process that logs to this file. */
    public Warnings(Path log) {
        this.log = log;
    }

    private Warnings(@Nullable String log) {
        this.log = log == null ? null : Path.of(log);
    }

    /** Of this process from now on, if SLF4J's simple logger writes to a file. */
    public static Warnings ofThisProcess() throws IOException {
        Warnings warnings = new Warnings(System.getProperty("org.slf4j.simpleLogger.logFile"));
        List<String> unused = warnings.next();
        return warnings;
    }

    /** The lines of these levels since the last time. */
    public List<String> next() throws IOException {
        if (log == null || !Files.exists(log)) {
            return List.of();
        }
        List<String> lines = Files.readAllLines(log);
        List<String> added = lines.subList(Math.min(seen, lines.size()), lines.size());
        seen = lines.size();
        return added.stream()
                .filter(line -> LINE.matcher(line).matches())
                .filter(line -> OF_DUBBO.stream().noneMatch(line::contains))
                .toList();
    }
}

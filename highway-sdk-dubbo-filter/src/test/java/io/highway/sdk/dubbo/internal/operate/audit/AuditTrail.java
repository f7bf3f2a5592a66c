// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.operate.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.dubbo.common.logger.Level;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerAdapter;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.common.logger.slf4j.Slf4jLoggerAdapter;
import org.apache.dubbo.common.logger.support.FailsafeLogger;
import org.apache.dubbo.rpc.model.ApplicationModel;

/** Dubbo's logging system, except that the lines of the audit trail come here, from which a test can make it stick. */
public final class AuditTrail implements LoggerAdapter, AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Slf4jLoggerAdapter others = new Slf4jLoggerAdapter();
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final AtomicInteger arrived = new AtomicInteger();
    private final Semaphore free = new Semaphore(Integer.MAX_VALUE / 2);
    private volatile int taken;

    /** From now on. */
    public AuditTrail() {
        LoggerFactory.setLoggerAdapter(this);
    }

    /** Each line from now on blocks the thread that logs it. */
    public void stick() {
        taken = free.drainPermits();
    }

    /** Lets the lines pass again. */
    public void release() {
        free.release(taken);
        taken = 0;
    }

    /** How many lines have arrived, also those that are stuck. */
    public int arrived() {
        return arrived.get();
    }

    public void forget() {
        lines.clear();
    }

    /** The lines so far. */
    public List<JsonNode> lines() {
        return lines.stream().map(AuditTrail::parsed).toList();
    }

    /** Those that end a call, in one direction. */
    public List<JsonNode> ends(String direction) {
        return lines().stream()
                .filter(line -> line.get("direction").asText().equals(direction)
                        && line.get("event").asText().equals("end"))
                .toList();
    }

    /** Waits until this many have come that end a call in one direction. */
    public List<JsonNode> awaitEnds(String direction, int count) {
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(ends(direction)).hasSizeGreaterThanOrEqualTo(count));
        return ends(direction);
    }

    /** Waits for one, which must be the only one. */
    public JsonNode end(String direction) {
        List<JsonNode> ends = awaitEnds(direction, 1);
        assertThat(ends).hasSize(1);
        return ends.get(0);
    }

    public JsonNode awaitLine(Predicate<JsonNode> wanted) {
        await().atMost(Duration.ofSeconds(20)).until(() -> lines().stream().anyMatch(wanted));
        return lines().stream().filter(wanted).findFirst().orElseThrow();
    }

    static JsonNode parsed(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new AssertionError(line, e);
        }
    }

    /** Takes places of an application's buffer, as calls in flight do, until this many are left. */
    public static void leavePlaces(ApplicationModel application, int left) {
        AuditLog log = AuditLog.of(application);
        for (int i = left; i < AuditLog.CAPACITY; i++) {
            assertThat(log.reserve(1, null, true)).isNotNull();
        }
    }

    /** How many lines an application has lost. */
    public static long lost(ApplicationModel application) {
        return AuditLog.of(application).lost();
    }

    private Logger audit() {
        return (Logger) Proxy.newProxyInstance(
                Logger.class.getClassLoader(), new Class<?>[] {Logger.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("info") && arguments.length == 1) {
                        log((String) arguments[0]);
                    }
                    return method.getReturnType() == boolean.class ? (Object) true : null;
                });
    }

    private void log(String line) {
        arrived.incrementAndGet();
        free.acquireUninterruptibly();
        lines.add(line);
        free.release();
    }

    @Override
    public Logger getLogger(Class<?> key) {
        return getLogger(key.getName());
    }

    @Override
    public Logger getLogger(String key) {
        return key.equals(AuditLog.LOGGER) ? audit() : others.getLogger(key);
    }

    @Override
    public Level getLevel() {
        return others.getLevel();
    }

    @Override
    public void setLevel(Level level) {
        others.setLevel(level);
    }

    @Override
    public File getFile() {
        return others.getFile();
    }

    @Override
    public void setFile(File file) {
        others.setFile(file);
    }

    /** The application's logging is as before. */
    @Override
    public void close() {
        release();
        LoggerFactory.setLoggerAdapter(new Slf4jLoggerAdapter());
        assertThat(LoggerFactory.getLogger(AuditLog.LOGGER)).isInstanceOf(FailsafeLogger.class);
    }
}

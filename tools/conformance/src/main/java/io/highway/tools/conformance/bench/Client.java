// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.conformance.bench;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayReport;
import io.highway.tools.conformance.service.Desk;
import io.highway.tools.conformance.service.Grouped;
import io.highway.tools.conformance.service.StreamOrder;
import io.highway.tools.conformance.service.Streams;
import io.highway.tools.fixtures.time.Waiting;
import io.highway.tools.processes.DubboCaller;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.config.ConsumerConfig;
import org.apache.dubbo.config.MethodConfig;
import org.apache.dubbo.rpc.service.GenericService;

/** A consumer in zhejiang: a plain Dubbo application with the SDK, which shares nothing with the others. */
public final class Client implements AutoCloseable {

    /** For every call that a case does not give another. */
    public static final int TIMEOUT_MILLIS = 10_000;

    /** The timeout of {@link Desk#slow}. */
    public static final int SHORT_MILLIS = 700;

    /** The timeout of {@link Desk#answerIn}. */
    public static final int LONG_MILLIS = 40_000;

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final long POLL_MILLIS = 20;
    private static final int THREADS = 16;
    private static final int QUEUE = 20_000;

    private final DubboCaller caller;
    private final String home;
    private final Desk desk;
    private final Streams streams;

    Client(String name, Map<String, String> configuration, String home) {
        this.home = home;
        this.caller = new DubboCaller(name, configuration);
        ConsumerConfig consumer = new ConsumerConfig();
        consumer.setThreadpool("fixed");
        consumer.setThreads(THREADS);
        consumer.setQueues(QUEUE);
        consumer.setTimeout(TIMEOUT_MILLIS);
        caller.dubbo().consumer(consumer);
        this.desk = caller.refer(
                Desk.class,
                home,
                reference -> reference.setMethods(
                        List.of(oneway(), timeout("slow", SHORT_MILLIS), timeout("answerIn", LONG_MILLIS))));
        this.streams = refer(Streams.class);
    }

    private static MethodConfig oneway() {
        MethodConfig method = new MethodConfig();
        method.setName("note");
        method.setReturn(false);
        return method;
    }

    private static MethodConfig timeout(String name, int millis) {
        MethodConfig method = new MethodConfig();
        method.setName(name);
        method.setTimeout(millis);
        return method;
    }

    /** Waits for a gateway, at most 20 s: on a busy machine it may need longer than a call waits for it. */
    public void awaitConnected() {
        boolean unused = Waiting.until(PATIENCE, POLL_MILLIS, this::isConnected);
    }

    private boolean isConnected() {
        return HighwayReport.of(caller.dubbo().getApplicationModel()).orElseThrow().gateways().stream()
                .anyMatch(gateway -> gateway.state() == HighwayReport.Gateway.State.UP);
    }

    /** Makes a call to an island, by this client's protocol. */
    public <T> T to(String island, Callable<T> call) throws Exception {
        return Highway.to(island).callChecked(call::call);
    }

    /** Calls with one answer. */
    public Desk desk() {
        return desk;
    }

    /** Streams. */
    public Streams streams() {
        return streams;
    }

    /** Begins a stream of messages from an island. */
    public void send(String island, StreamOrder order, StreamObserver<byte[]> messages) throws Exception {
        to(island, () -> {
            streams.send(order, messages);
            return "";
        });
    }

    /** Another service. */
    public <S> S refer(Class<S> type) {
        return caller.refer(type, home, reference -> {});
    }

    /** The service of a group and version. */
    public Grouped grouped(String group, String version) {
        return caller.refer(Grouped.class, home, reference -> {
            reference.setGroup(group);
            reference.setVersion(version);
        });
    }

    /** {@link Desk} for callers that do not have its interface. */
    public GenericService generic() {
        return caller.refer(GenericService.class, home, reference -> {
            reference.setInterface(Desk.class.getName());
            reference.setGeneric("true");
        });
    }

    @Override
    public void close() {
        caller.close();
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.kit.scenario;

import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.HighwayCustomizer;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.Reason;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.gateways.GatewayKind;
import io.highway.tools.gateways.GatewayStar;
import io.highway.tools.gateways.Island;
import io.highway.tools.gateways.Protocol;
import io.highway.tools.kit.scenario.Scenario.Fault;
import io.highway.tools.processes.DubboCaller;
import io.highway.tools.processes.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.service.GenericService;

/** A real nginx in front of a real provider, with real faults and nothing of highway-sdk-test. */
final class NginxPlace implements Place {

    private static final String HOME = "zhejiang";
    private static final String GATEWAY = HOME + "-gateway";
    private static final String PROVIDERS = "127.0.0.1:";

    /** At a time, until the breakers open: more than the least number of calls of a breaker. */
    private static final int CALLS = 25;

    private static final int WAVES = 8;

    private final List<CallOutcome> outcomes = new CopyOnWriteArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private final Processes processes;
    private final DubboCaller shanghai;
    private final DubboCaller home;
    private final DubboCaller caller;
    private final String homeUrl;
    private final Desk desk;
    private volatile Fault fault = Fault.NONE;

    NginxPlace(Scenario scenario, Processes processes, Path folder) throws IOException {
        this.processes = processes;
        int dubbo = FreePorts.next();
        int triple = FreePorts.next();
        int homePort = FreePorts.next();
        Map<String, String> guard = scenario.fault() == Fault.REFUSED
                ? Map.of("highway.island", "shanghai", "highway.guard.rules.nobody.action", "deny")
                : Map.of("highway.island", "shanghai");
        this.shanghai = provider(guard, this::answer, Map.of("dubbo", dubbo, "tri", triple));
        this.home =
                provider(Map.of("highway.island", HOME), text -> Desk.answer(HOME, text), Map.of("dubbo", homePort));
        this.homeUrl = "dubbo://" + PROVIDERS + homePort;
        GatewayStar nginx = GatewayStar.single(
                GatewayKind.NGINX,
                processes,
                folder,
                HOME,
                new Island("shanghai", PROVIDERS + dubbo, PROVIDERS + triple));
        Map<String, String> keys = new HashMap<>(KEYS);
        keys.putAll(scenario.keys());
        keys.put("highway.island", HOME);
        keys.put("highway.heartbeat.interval", "none");
        keys.put(
                "highway.islands.shanghai.gateways.dubbo",
                nginx.entrance(Protocol.DUBBO, "shanghai").orElseThrow().plain());
        keys.put(
                "highway.islands.shanghai.gateways.triple",
                nginx.entrance(Protocol.TRIPLE, "shanghai").orElseThrow().plain());
        this.caller = application("test", keys);
        HighwayCustomizer listening = setup -> setup.outcomeListener((outcome, call) -> outcomes.add(outcome));
        application().getBeanFactory().registerBean(listening);
        this.desk = caller.refer(Desk.class, homeUrl, more -> {});
    }

    private static DubboCaller application(String name, Map<String, String> keys) {
        Map<String, String> all = new HashMap<>(keys);
        all.put("dubbo.service.shutdown.wait", "10");
        return new DubboCaller(name, all);
    }

    private static DubboCaller provider(Map<String, String> keys, Desk served, Map<String, Integer> ports) {
        DubboCaller provider = application("provider", keys);
        ports.forEach((name, port) -> {
            ProtocolConfig protocol = new ProtocolConfig(name, port);
            protocol.setParameters(Map.of("bind.ip", "0.0.0.0"));
            provider.dubbo().protocol(protocol);
        });
        ServiceConfig<Desk> service = new ServiceConfig<>();
        service.setInterface(Desk.class);
        service.setRef(served);
        provider.dubbo().service(service).start();
        return provider;
    }

    private String answer(String text) throws Desk.SoldOutException {
        Fault now = fault;
        try {
            if (now == Fault.LOST || now == Fault.BREAKER) {
                end.await();
            } else if (now == Fault.LATE) {
                boolean unused = end.await(LATE.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Desk.answer("shanghai", text);
    }

    @Override
    public int make(Fault next) {
        fault = next;
        if (next == Fault.DOWN) {
            processes.get(GATEWAY).kill();
            while (HighwayReport.of(application()).orElseThrow().gateways().stream()
                    .anyMatch(one -> one.state() == HighwayReport.Gateway.State.UP)) {
                LockSupport.parkNanos(POLL.toNanos());
            }
        }
        return next == Fault.BREAKER ? openBreakers() : 0;
    }

    private int openBreakers() {
        ExecutorService callers = Executors.newFixedThreadPool(CALLS);
        try {
            for (int wave = 1; wave <= WAVES; wave++) {
                boolean open = Stream.generate(() -> CompletableFuture.supplyAsync(this::reason, callers))
                        .limit(CALLS)
                        .toList()
                        .stream()
                        .map(CompletableFuture::join)
                        .allMatch(reason -> reason == Reason.BREAKER_OPEN);
                if (open) {
                    return wave * CALLS;
                }
            }
            throw new IllegalStateException("the breakers did not open");
        } finally {
            callers.shutdown();
        }
    }

    private Reason reason() {
        try {
            throw new IllegalStateException(desk.ask("is late"));
        } catch (HighwayException e) {
            return e.reason();
        } catch (Desk.SoldOutException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Desk desk() {
        return desk;
    }

    @Override
    public GenericService generic() {
        return caller.refer(GenericService.class, homeUrl, more -> {
            more.setInterface(Desk.class.getName());
            more.setGeneric("true");
        });
    }

    @Override
    public ApplicationModel application() {
        return caller.dubbo().getApplicationModel();
    }

    @Override
    public List<CallOutcome> outcomes() {
        return outcomes;
    }

    @Override
    public void close() {
        end.countDown();
        caller.close();
        home.close();
        shanghai.close();
        if (processes.get(GATEWAY).isAlive()) {
            processes.end(GATEWAY);
        }
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.chaos;

import io.highway.tools.chaos.account.Accounts;
import io.highway.tools.chaos.load.Pace;
import io.highway.tools.chaos.load.Traffic;
import io.highway.tools.chaos.star.HomeGateway;
import io.highway.tools.chaos.star.Islands;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.processes.Links;
import io.highway.tools.processes.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The faults, in this order. */
final class Faults {

    private static final Duration RESET_INTERVAL = Duration.ofMillis(400);
    private static final Duration DELAY = Duration.ofMillis(300);
    private static final Duration SILENCE = Duration.ofMillis(800);
    private static final Duration BETWEEN_RESTARTS = Duration.ofSeconds(1);
    private static final int MOST_BYTES = 50_000;
    private static final Duration IDLE = Duration.ofMillis(500);

    /** Consumers have replaced every connection of Dubbo and Triple by then from which nothing comes. */
    private static final Duration REPLACED = Duration.ofSeconds(6);

    private final Islands islands;
    private final Traffic traffic;
    private final Accounts accounts;
    private final Pace pace;
    private @Nullable Traffic freshTraffic;

    Faults(Islands islands, Traffic traffic, Accounts accounts, Pace pace) {
        this.islands = islands;
        this.traffic = traffic;
        this.accounts = accounts;
        this.pace = pace;
    }

    List<Fault> all() {
        HomeGateway first = islands.first();
        HomeGateway second = islands.second();
        List<FaultyLink> onward = List.of(first.onward(), second.onward());
        List<Fault> all = new ArrayList<>(List.of(
                new Fault("home gateway 1 killed", first.node()::kill, first.node()::restart),
                new Fault("provider killed", islands::killProvider, islands.provider()::restart),
                new Fault("home gateway 2 stands still", second.node()::freeze, second.node()::thaw),
                new Fault(
                        "connections reset",
                        () -> islands.links().forEach(link -> link.resetEvery(RESET_INTERVAL)),
                        this::heal),
                new Fault(
                        "connections cut at random bytes",
                        () -> islands.links().forEach(link -> link.cut(MOST_BYTES)),
                        this::heal),
                new Fault(
                        "black hole to home gateway 1",
                        () -> first.links().all().forEach(FaultyLink::blackHole),
                        this::heal),
                new Fault(
                        "black hole to the provider",
                        () -> islands.toProvider().forEach(FaultyLink::blackHole),
                        this::heal),
                new Fault("one byte at a time", () -> first.links().all().forEach(FaultyLink::bytewise), this::heal),
                new Fault("300 ms more each way", () -> onward.forEach(link -> link.delay(DELAY)), this::heal),
                new Fault("dubbo port blocked", () -> block(Links::dubbo), this::heal),
                new Fault(
                        "dubbo and triple ports blocked",
                        () -> {
                            block(Links::dubbo);
                            block(Links::triple);
                        },
                        this::heal),
                new Fault("home gateway 1 resends POSTs", first.links().http()::repeat, () -> {
                    heal();
                    first.links().http().reset();
                }),
                new Fault(
                        "rolling restart",
                        () -> {
                            restart(first.node());
                            TimeUnit.MILLISECONDS.sleep(BETWEEN_RESTARTS.toMillis());
                            restart(second.node());
                        },
                        this::heal),
                new Fault("both home gateways killed", this::killHome, this::startHome, true, false),
                new Fault(
                        "remote gateway killed",
                        islands.farGateway()::kill,
                        () -> islands.farGateway().restart(),
                        true,
                        false),
                new Fault("idle connections cut", this::cutIdle, this::heal),
                new Fault("first address dead, new consumers", this::startFresh, this::endFresh, false, true)));
        islands.secondProvider().ifPresent(provider -> addDictionaryFaults(all, provider));
        return all;
    }

    /** Of the forward proxy, and of a gateway behind it. */
    List<Fault> ofProxy() {
        Node proxy = islands.forwardProxy().node();
        Node gateway = islands.first().node();
        return List.of(
                new Fault("proxy killed", proxy::kill, proxy::restart, true, false),
                new Fault("proxy stands still", proxy::freeze, proxy::thaw),
                new Fault("home gateway 1 killed", gateway::kill, gateway::restart));
    }

    /** Both begin while requests are compressed with the dictionary, which the first one ends for a minute. */
    private void addDictionaryFaults(List<Fault> all, Node secondProvider) {
        Fault withheld = new Fault(
                "provider without the dictionary",
                () -> {
                    islands.withholdDictionary(true);
                    islands.restartProvider(islands.provider());
                },
                () -> {
                    islands.withholdDictionary(false);
                    islands.restartProvider(islands.provider());
                });
        Fault rolling = new Fault(
                "rolling restart of providers",
                () -> {
                    TimeUnit.MILLISECONDS.sleep(Traffic.ADVERTISED.toMillis());
                    islands.restartProvider(islands.provider());
                    TimeUnit.MILLISECONDS.sleep(BETWEEN_RESTARTS.toMillis());
                    islands.restartProvider(secondProvider);
                },
                this::heal);
        all.addAll(0, List.of(withheld, rolling));
    }

    /** Cleans up after a fault: every connection is replaced. */
    void clear() {
        heal();
        islands.links().forEach(FaultyLink::reset);
    }

    private void heal() {
        islands.links().forEach(FaultyLink::heal);
    }

    private static void restart(Node node) {
        node.end();
        node.restart();
    }

    /** Behind the first gateway's links a firewall forgets them silently; those of the second are closed. */
    private void cutIdle() throws InterruptedException {
        traffic.pause();
        TimeUnit.MILLISECONDS.sleep(SILENCE.toMillis());
        islands.first().links().all().forEach(link -> link.forgetIdle(IDLE));
        islands.second().links().all().forEach(link -> link.closeIdle(IDLE));
        traffic.resume();
        TimeUnit.MILLISECONDS.sleep(REPLACED.toMillis()); // else calls of the next fault are lost with this one's
    }

    /** To the first gateway the port is closed, to the second it leads nowhere. */
    private void block(Function<Links, FaultyLink> port) {
        FaultyLink toFirst = port.apply(islands.first().links());
        toFirst.refuse();
        toFirst.reset();
        port.apply(islands.second().links()).blackHole();
    }

    private void killHome() {
        islands.first().node().kill();
        islands.second().node().kill();
    }

    /** The first that listens is enough. */
    private void startHome(Runnable right) {
        islands.first().node().restart();
        right.run();
        islands.second().node().restart();
    }

    private void startFresh() {
        traffic.pause();
        Map<String, String> gateways = new HashMap<>(islands.gatewayKeys());
        gateways.replaceAll((key, addresses) -> islands.deadAddress() + "," + addresses);
        freshTraffic = traffic.fresh(gateways);
        freshTraffic.begin(accounts, pace);
    }

    private void endFresh() {
        if (freshTraffic != null) {
            freshTraffic.end();
            accounts.awaitEnds();
            freshTraffic.close();
            freshTraffic = null;
        }
        traffic.resume();
    }
}

// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.highway.sdk.dubbo.internal.background.BackgroundTasks;
import io.highway.sdk.dubbo.internal.config.HighwaySettings;
import io.highway.sdk.dubbo.internal.config.Policy;
import io.highway.sdk.dubbo.internal.config.PolicyParser;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GatewayNamesTest {

    private static final String MOVED = "gateway.test";

    private final Map<String, InetAddress[]> zone = new ConcurrentHashMap<>();
    private final AtomicInteger resolutions = new AtomicInteger();
    private final AtomicLong clock = new AtomicLong();
    private final AtomicReference<Error> error = new AtomicReference<>();
    private volatile CountDownLatch answers = new CountDownLatch(0);
    private final BackgroundTasks tasks = new BackgroundTasks();
    private GatewayNames names;

    @AfterEach
    void close() {
        names.close();
        tasks.destroy();
    }

    private static Policy policy(String... more) {
        Map<String, String> keys = new ConcurrentHashMap<>(
                Map.of("highway.island", "shanghai", "highway.guard.gateways", MOVED, "highway.sign.accept.k", "s"));
        for (int i = 0; i < more.length; i += 2) {
            keys.put(more[i], more[i + 1]);
        }
        return PolicyParser.parse(HighwaySettings.of(keys, "test"), "static", null)
                .orElseThrow();
    }

    private GatewayNames start() {
        names = GatewayNames.start(
                List.of(MOVED),
                name -> {
                    resolutions.incrementAndGet();
                    try {
                        answers.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    Error broken = error.getAndSet(null);
                    if (broken != null) {
                        throw broken;
                    }
                    InetAddress[] addresses = zone.get(name);
                    if (addresses == null) {
                        throw new UnknownHostException(name);
                    }
                    return addresses;
                },
                clock::get,
                tasks);
        return names;
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private void later(Duration duration) {
        clock.addAndGet(duration.toNanos());
    }

    /** The same, once DNS has answered in time: the machine may be slow. */
    private String call(InetAddress peer) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> callOnce(peer), reason -> !reason.equals("gateway-unresolved"));
    }

    /** The reason for a refusal of a call without route headers, or {@code served}. */
    private String callOnce(InetAddress peer) {
        GuardRefusal refusal = Ingress.refusal(policy(), peer, names);
        return refusal == null ? "served" : refusal.reason();
    }

    @Test
    void takesANewPeerForAGateway_sinceItsFirstCall_andTheOldOneForAnHour() {
        InetAddress before = address("10.0.0.1");
        InetAddress after = address("10.0.0.3");
        InetAddress home = address("10.0.0.2");
        zone.put(MOVED, new InetAddress[] {before, address("2001:db8::1")});
        start();
        assertThat(call(home)).isEqualTo("served");
        assertThat(call(before)).isEqualTo("headers-missing");
        assertThat(call(address("2001:db8::1"))).isEqualTo("headers-missing");

        zone.put(MOVED, new InetAddress[] {after});
        later(Duration.ofSeconds(1));

        assertThat(IntStream.range(0, 13).mapToObj(any -> call(after))).containsOnly("headers-missing");
        later(Duration.ofMinutes(59));
        assertThat(call(before)).isEqualTo("headers-missing");
        assertThat(call(home)).isEqualTo("served");
        later(Duration.ofMinutes(2));
        assertThat(call(before)).isEqualTo("served");
        assertThat(call(after)).isEqualTo("headers-missing");
    }

    @Test
    void asksDnsForAHomePeer_onceIn30Seconds() {
        InetAddress home = address("10.0.0.2");
        zone.put(MOVED, new InetAddress[] {address("10.0.0.1")});
        start();
        call(home);
        int first = resolutions.get();

        for (int i = 0; i < 100; i++) {
            assertThat(call(home)).isEqualTo("served");
        }
        later(Duration.ofSeconds(29));
        assertThat(call(home)).isEqualTo("served");
        assertThat(resolutions).hasValue(first);

        later(Duration.ofSeconds(2));
        assertThat(call(home)).isEqualTo("served");
        assertThat(resolutions).hasValue(first + 1);
    }

    @Test
    void leavesTheClassOfAPeer_whenDnsFails_andRefusesNewOnes() {
        InetAddress gateway = address("10.0.0.1");
        InetAddress home = address("10.0.0.2");
        zone.put(MOVED, new InetAddress[] {gateway});
        start();
        assertThat(call(home)).isEqualTo("served");
        zone.clear();
        later(Duration.ofSeconds(31));

        assertThat(call(home)).isEqualTo("served");
        assertThat(call(gateway)).isEqualTo("headers-missing");
        assertThat(callOnce(address("10.0.0.3"))).isEqualTo("gateway-unresolved");
        int failed = resolutions.get();
        assertThat(callOnce(address("10.0.0.3"))).isEqualTo("gateway-unresolved");
        assertThat(resolutions).as("it has just failed").hasValue(failed);

        zone.put(MOVED, new InetAddress[] {gateway});
        later(Duration.ofSeconds(3));
        assertThat(call(address("10.0.0.3"))).isEqualTo("served");
    }

    @Test
    void resolvesAgain_whateverTheResolverThrows() {
        zone.put(MOVED, new InetAddress[] {address("10.0.0.1")});
        error.set(new NoClassDefFoundError("of a resolver"));
        start();
        assertThat(callOnce(address("10.0.0.2"))).isEqualTo("gateway-unresolved");

        later(Duration.ofSeconds(3));

        assertThat(call(address("10.0.0.2"))).isEqualTo("served");
    }

    /** A name server that drops packets: home goes on, and waits once per thirty seconds. */
    @Test
    void leavesTheClassOfAPeer_whileTheAnswerIsOpen() {
        InetAddress home = address("10.0.0.2");
        zone.put(MOVED, new InetAddress[] {address("10.0.0.1")});
        start();
        assertThat(call(home)).isEqualTo("served");
        answers = new CountDownLatch(1);
        later(Duration.ofSeconds(31));

        assertThat(callOnce(home)).isEqualTo("served");
        long begun = System.nanoTime();
        for (int i = 0; i < 20; i++) {
            assertThat(callOnce(home)).isEqualTo("served");
        }

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(2));
        assertThat(callOnce(address("10.0.0.3"))).isEqualTo("gateway-unresolved");
        answers.countDown();
    }

    @Test
    void refusesACall_whileTheAnswerIsOpenFor200Milliseconds() throws Exception {
        InetAddress home = address("10.0.0.2");
        zone.put(MOVED, new InetAddress[] {address("10.0.0.1")});
        answers = new CountDownLatch(1);
        start();
        CompletableFuture<String> waiting = CompletableFuture.supplyAsync(() -> callOnce(home));

        assertThat(waiting.get(20, TimeUnit.SECONDS)).isEqualTo("gateway-unresolved");
        later(Duration.ofSeconds(1));
        assertThat(Ingress.refusal(policy(), home, names).message())
                .startsWith(
                        "gateway-unresolved; it has no route headers of its own, and whether its peer 10.0.0.2 is the gateway"
                                + " gateway.test (highway.guard.gateways) is not known yet");
        assertThat(resolutions).as("one for all calls").hasValue(1);
        answers.countDown();

        assertThat(call(home)).isEqualTo("served");
    }

    /** Nobody is known as home by a name alone: DNS may not know the gateway's new address yet. */
    @Test
    void exemptsNobodyFromSignatures_byANameAlone() {
        InetAddress home = address("10.0.0.2");
        zone.put(MOVED, new InetAddress[] {address("10.0.0.1")});
        start();

        assertThat(List.of(call(home), call(address("10.0.0.1")))).containsExactly("served", "headers-missing");
        assertThat(Ingress.isFromHome(policy(), home, names)).isFalse();
        assertThat(Ingress.isFromHome(policy("highway.guard.home", "10.0.0.0/24"), home, names))
                .isTrue();
        assertThat(Ingress.isFromHome(policy("highway.guard.home", "10.0.0.0/24"), address("10.0.0.1"), names))
                .isFalse();
        assertThat(Ingress.isFromHome(policy("highway.guard.gateways", "10.0.0.1"), home, null))
                .isTrue();
    }

    @Test
    void knowsNoPeer_ofManyThatCallAtOnce_thatIsTheGateway() {
        InetAddress gateway = address("10.0.0.1");
        zone.put(MOVED, new InetAddress[] {gateway});
        start();

        List<String> peers = IntStream.range(1, 255)
                .parallel()
                .mapToObj(i -> call(address("10.0.0." + i)))
                .toList();

        assertThat(peers.get(0)).isEqualTo("headers-missing");
        assertThat(peers.subList(1, peers.size())).containsOnly("served");
    }
}

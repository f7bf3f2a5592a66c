// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.HighwayAttachments;
import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.HighwayOutcome;
import io.highway.sdk.dubbo.HighwayReport;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.application.HighwayRuntime;
import io.highway.sdk.dubbo.internal.caller.endpoint.Destination;
import io.highway.sdk.dubbo.internal.caller.endpoint.GatewayEndpoint;
import io.highway.sdk.dubbo.internal.network.connection.ConnectionPool;
import io.highway.sdk.dubbo.internal.network.connection.ReconnectingLink;
import io.highway.sdk.dubbo.internal.policy.Policy;
import io.highway.sdk.dubbo.internal.policy.PolicyParser;
import io.highway.sdk.dubbo.internal.policy.RawSettings;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.fixtures.logs.CapturedLog;
import io.highway.tools.fixtures.ports.FreePorts;
import io.highway.tools.gateway.Gateway;
import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.RpcContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A policy that replaces another one while an application runs: what follows it, and what stays. */
@Tag("network")
@Tag("any-dubbo")
class PolicySwapTest extends OnFaultyStar {

    private static final String SHOP = Shop.class.getName();

    private final CapturedLog log = new CapturedLog();
    private TestApplication consumer;
    private Map<String, String> first;
    private int version;

    @AfterEach
    void closeLog() {
        log.close();
    }

    /** A reference at home of an application whose first policy has these keys. */
    private Shop shop(Map<String, String> properties, Consumer<ReferenceConfig<Shop>> customizer) {
        first = properties;
        consumer = star.star.consumer(properties);
        consumer.model().getBeanFactory().registerBean(events);
        return consumer.reference(Shop.class, config -> {
                    config.setUrl("dubbo://" + star.star.homeDubbo);
                    customizer.accept(config);
                })
                .get();
    }

    private Shop shop(TunnelKind tunnel, String... more) {
        return shop(keys(tunnel, star.star.gateway(), more), config -> {});
    }

    private static Map<String, String> keys(TunnelKind tunnel, Gateway gateway, String... more) {
        String address = FaultyStar.address(gateway.port());
        Map<String, String> keys = star.star.properties(tunnel, Star.gateways(tunnel, address));
        for (int i = 0; i < more.length; i += 2) {
            keys.put(more[i], more[i + 1]);
        }
        return keys;
    }

    private HighwayRuntime runtime() {
        return HighwayRuntime.of(consumer.model());
    }

    private Destination shanghai() {
        return runtime().destinations().of("shanghai");
    }

    /** Activates the next version: the first policy, with these keys besides; an empty value removes one. */
    private String swap(String... more) {
        Map<String, String> keys = new HashMap<>(first);
        for (int i = 0; i < more.length; i += 2) {
            keys.put(more[i], more[i + 1]);
        }
        keys.values().removeIf(String::isEmpty);
        String name = "v" + ++version;
        runtime().swap(policy(name, keys));
        return name;
    }

    static Policy policy(String version, Map<String, String> keys) {
        Map<String, String> own = new HashMap<>(keys);
        own.keySet().removeIf(key -> !key.startsWith("highway."));
        return PolicyParser.parse(RawSettings.of(own, "test"), version, null).orElseThrow();
    }

    private static String sell(Shop shop) {
        return Highway.to("shanghai").call(() -> shop.sell("tea"));
    }

    private static Throwable failure(Shop shop) {
        return catchThrowable(() -> sell(shop));
    }

    private void awaitReceived(String method) {
        await().until(() ->
                star.shanghai().received.stream().anyMatch(call -> call.method().equals(method)));
    }

    @ParameterizedTest
    @EnumSource
    void keepsConnectionsHealthBreakersAndLimits_ofWhatBothPoliciesUse(TunnelKind tunnel) {
        Shop shop = shop(tunnel, "highway.islands.shanghai.max-concurrent", "20");
        assertThat(sell(shop)).isEqualTo("shanghai:tea");
        Destination before = shanghai();
        await().until(() -> before.endpoints().get(0).roundTrip() != null);

        swap("highway.islands.beijing.deny", "sell");
        assertThat(shanghai()).isSameAs(before);

        swap("highway.islands.shanghai.deny", "refuse");
        assertThat(shanghai()).isNotSameAs(before);
        assertThat(shanghai().endpoints()).hasSameElementsAs(before.endpoints());
        assertThat(shanghai().bulkhead()).isSameAs(before.bulkhead());

        swap("highway.islands.shanghai.breaker.failure-rate", "10", "highway.islands.shanghai.max-concurrent", "7");
        GatewayEndpoint endpoint = shanghai().endpoints().get(0);
        assertThat(endpoint).isSameAs(before.endpoints().get(0));
        assertThat(shanghai().bulkhead().maxConcurrent()).isEqualTo(7);
        assertThat(sell(shop)).isEqualTo("shanghai:tea");
    }

    @ParameterizedTest
    @EnumSource
    void connectsANewGatewayFirst_andDrainsTheOldOne_whoseCallInFlightEndsWell(TunnelKind tunnel) throws Exception {
        Gateway leaves = star.gateway();
        Gateway joins = star.gateway();
        Shop shop = shop(keys(tunnel, leaves, "highway.defaults.timeout", "30s"), config -> {});
        grace(Duration.ofMillis(300));
        assertThat(sell(shop)).isEqualTo("shanghai:tea");
        CompletableFuture<String> inFlight = RpcContext.getServiceContext()
                .asyncCall(() -> Highway.to("shanghai").call(() -> shop.slow(15_000)));
        awaitReceived("slow");

        swap(through(tunnel, joins));

        await().untilAsserted( // a probe of the port may be counted until it is closed
                        () -> assertThat(Star.connections(joins, tunnel)).isOne());
        long before = leaves.stats().forwarded();
        for (int i = 0; i < 10; i++) {
            assertThat(sell(shop)).isEqualTo("shanghai:tea");
        }
        await().during(Duration.ofMillis(1500)).until(() -> !isClosed(leaves));
        assertThat(leaves.stats().forwarded()).isEqualTo(before);
        assertThat(inFlight).isNotDone();

        star.hurry();

        assertThat(inFlight.get(10, TimeUnit.SECONDS)).isEqualTo("shanghai:15000");
        await().until(() -> isClosed(leaves) && Star.connections(leaves, tunnel) == 0);
        assertThat(sell(shop)).isEqualTo("shanghai:tea");
        swap(through(tunnel, leaves));
        await().untilAsserted(() -> assertThat(Star.connections(leaves, tunnel)).isOne());
        assertThat(sell(shop)).isEqualTo("shanghai:tea");
    }

    /** Whether the SDK has begun to close its connection, which takes up to ten seconds if a call is in flight. */
    private boolean isClosed(Gateway gateway) {
        return log.lines("is not in the policy any more").stream()
                .anyMatch(line -> line.contains(FaultyStar.address(gateway.port())));
    }

    private static String[] through(TunnelKind tunnel, Gateway gateway) {
        return Star.gateways(tunnel, FaultyStar.address(gateway.port()));
    }

    private void grace(Duration grace) {
        consumer.model().getBeanFactory().getBean(ConnectionPool.class).grace(grace);
    }

    @Test
    void keepsAStreamOfARemovedGateway_untilItEnds() {
        Gateway leaves = star.gateway();
        Shop shop = shop(keys(TunnelKind.TRIPLE, leaves), config -> {});
        grace(Duration.ofMillis(300));
        Feed feed = consumer.reference(Feed.class, config -> {
                    config.setUrl("tri://127.0.0.1:9");
                    config.setCheck(false);
                })
                .get();
        Answers answers = new Answers();
        StreamObserver<String> requests = Highway.to("shanghai").call(() -> feed.join(answers));
        requests.onNext("one");
        await().untilAsserted(() -> assertThat(answers.received).containsExactly("shanghai:one"));

        swap(through(TunnelKind.TRIPLE, star.gateway()));

        await().during(Duration.ofMillis(1500)).until(() -> !isClosed(leaves));
        requests.onNext("two");
        await().untilAsserted(() -> assertThat(answers.received).containsExactly("shanghai:one", "shanghai:two"));
        requests.onCompleted();
        await().until(() -> isClosed(leaves) && Star.connections(leaves, TunnelKind.TRIPLE) == 0);
        assertThat(answers.failure).isNull();
        assertThat(sell(shop)).isEqualTo("shanghai:tea");
    }

    @ParameterizedTest
    @EnumSource
    void keepsTheConnectionOfAGateway_thatComesBackInTime(TunnelKind tunnel) {
        Gateway leaves = star.gateway();
        Shop shop = shop(keys(tunnel, leaves), config -> {});
        assertThat(sell(shop)).isEqualTo("shanghai:tea");
        ReconnectingLink connection = shanghai().endpoints().get(0).connection();

        swap(through(tunnel, star.gateway()));
        assertThat(sell(shop)).isEqualTo("shanghai:tea");
        swap();
        grace(Duration.ZERO); // closes what is still left out
        await().during(Duration.ofMillis(800)).until(() -> Star.connections(leaves, tunnel) == 1);

        assertThat(shanghai().endpoints().get(0).connection()).isSameAs(connection);
        assertThat(sell(shop)).isEqualTo("shanghai:tea");
        assertThat(Star.connections(leaves, tunnel)).isOne();
    }

    @ParameterizedTest
    @EnumSource
    void usesTheGatewayOfAnIsland_thatComesBackAfterItsConnectionWasClosed(TunnelKind tunnel) {
        Gateway leaves = star.gateway();
        Shop shop = shopOverOwnGateway(tunnel, leaves);
        grace(Duration.ofMillis(300));
        assertThat(sell(shop)).isEqualTo("shanghai:tea");
        swap(withoutShanghai());
        await().until(() -> isClosed(leaves));

        swap();

        await().untilAsserted(() -> assertThat(Star.connections(leaves, tunnel)).isOne());
        assertThat(sell(shop)).isEqualTo("shanghai:tea");
        assertThat(shanghai().endpoints().get(0).status()).isEqualTo(HighwayReport.Endpoint.State.UP);
    }

    @ParameterizedTest
    @EnumSource
    void keepsTheConnectionOfAnIsland_thatComesBackInTime(TunnelKind tunnel) {
        Gateway leaves = star.gateway();
        Shop shop = shopOverOwnGateway(tunnel, leaves);
        assertThat(sell(shop)).isEqualTo("shanghai:tea");
        Destination before = shanghai();

        swap(withoutShanghai());
        swap();
        grace(Duration.ZERO); // closes what is still left out

        await().during(Duration.ofMillis(800)).until(() -> Star.connections(leaves, tunnel) == 1);
        assertThat(shanghai()).isSameAs(before);
        assertThat(sell(shop)).isEqualTo("shanghai:tea");
    }

    /** Shanghai has this gateway to itself. */
    private Shop shopOverOwnGateway(TunnelKind tunnel, Gateway gateway) {
        return shop(tunnel, "highway.islands.shanghai.gateways." + tunnel.word(), FaultyStar.address(gateway.port()));
    }

    private String[] withoutShanghai() {
        return first.keySet().stream()
                .filter(key -> key.startsWith("highway.islands.shanghai."))
                .flatMap(key -> Stream.of(key, ""))
                .toArray(String[]::new);
    }

    @ParameterizedTest
    @EnumSource
    void keepsTheBreakerOfAGateway_thatComesBackInTime(TunnelKind tunnel) {
        Shop shop = shop(tunnel, "highway.defaults.timeout", "50ms", "highway.heartbeat.interval", "none");
        await().until(() -> {
            catchThrowable(() -> Highway.to("shanghai").call(() -> shop.slow(300)));
            return shanghai().endpoints().get(0).status() == HighwayReport.Endpoint.State.OPEN;
        });

        List<String> another = new ArrayList<>(List.of(through(tunnel, star.gateway())));
        another.addAll(List.of("highway.defaults.timeout", "10s"));
        swap(another.toArray(String[]::new));
        assertThat(sell(shop)).isEqualTo("shanghai:tea");
        swap();

        assertThat(shanghai().endpoints()).singleElement().satisfies(endpoint -> assertThat(endpoint.status())
                .isEqualTo(HighwayReport.Endpoint.State.OPEN));
    }

    @ParameterizedTest
    @EnumSource
    void keepsTheLimitOfAnIsland_thatComesBack(TunnelKind tunnel) {
        Shop shop = shop(tunnel, "highway.islands.shanghai.max-concurrent", "20");
        assertThat(sell(shop)).isEqualTo("shanghai:tea");
        Destination before = shanghai();
        Map<String, String> without = new HashMap<>(first);
        without.keySet().removeIf(key -> key.startsWith("highway.islands.shanghai."));
        without.put("highway.islands.beijing.retries", "0");

        runtime().swap(policy("without", without));
        assertThat(failure(shop)).isInstanceOfSatisfying(HighwayException.class, e -> assertThat(e.reason())
                .isEqualTo(Reason.UNKNOWN_ISLAND));
        swap();

        assertThat(shanghai().bulkhead()).isSameAs(before.bulkhead());
        assertThat(shanghai().endpoints().get(0).connection())
                .isSameAs(before.endpoints().get(0).connection());
        assertThat(sell(shop)).isEqualTo("shanghai:tea");
    }

    @ParameterizedTest
    @EnumSource
    void countsCallsInFlight_whenTheirLimitChanges(TunnelKind tunnel) throws Exception {
        String limit = "highway.islands.shanghai.max-concurrent";
        Shop shop = shop(tunnel, "highway.defaults.timeout", "30s", limit, "2");
        List<CompletableFuture<String>> slow = new ArrayList<>();
        slow.add(slow(shop));
        slow.add(slow(shop));
        awaitSlow(2);

        swap(limit, "3");
        slow.add(slow(shop));
        awaitSlow(3);
        assertBusy(shop);
        swap(limit, "1");
        assertBusy(shop);
        swap(limit, "4");
        assertThat(sell(shop)).isEqualTo("shanghai:tea");

        star.hurry();
        for (CompletableFuture<String> call : slow) {
            assertThat(call.get(10, TimeUnit.SECONDS)).isEqualTo("shanghai:15000");
        }
        await().until(() -> shanghai().bulkhead().inFlight() == 0);
    }

    private static CompletableFuture<String> slow(Shop shop) {
        return RpcContext.getServiceContext()
                .asyncCall(() -> Highway.to("shanghai").call(() -> shop.slow(15_000)));
    }

    private void awaitSlow(int calls) {
        await().until(() -> star.shanghai().received.stream()
                        .filter(received -> received.method().equals("slow"))
                        .count()
                == calls);
    }

    private static void assertBusy(Shop shop) {
        assertThat(failure(shop)).isInstanceOfSatisfying(HighwayException.class, e -> assertThat(e.reason())
                .isEqualTo(Reason.BUSY));
    }

    @ParameterizedTest
    @EnumSource
    void leavesNoInvokersBehind_ofPoliciesThatWereReplaced(TunnelKind tunnel) throws Exception {
        Shop shop = shop(tunnel, "highway.heartbeat.interval", "100ms", "highway.defaults.timeout", "30s");
        CompletableFuture<String> slow = slow(shop);
        awaitSlow(1);

        for (int i = 1; i <= 40; i++) {
            swap("highway.defaults.max-request-size", 1000 + i + "KB", "highway.heartbeat.slow", 1000 + i + "ms");
            assertThat(sell(shop)).isEqualTo("shanghai:tea");
        }

        ReconnectingLink connection = shanghai().endpoints().get(0).connection();
        await().atMost(Duration.ofSeconds(9))
                .untilAsserted(() -> assertThat(invokers(connection)).hasSizeLessThanOrEqualTo(4));
        star.hurry();
        assertThat(slow.get(10, TimeUnit.SECONDS)).isEqualTo("shanghai:15000");
    }

    /** The invokers of services over a connection. */
    @SuppressWarnings("unchecked")
    static List<Invoker<?>> invokers(ReconnectingLink connection) throws ReflectiveOperationException {
        Field services = ReconnectingLink.class.getDeclaredField("services");
        services.setAccessible(true);
        return List.copyOf((Collection<Invoker<?>>) services.get(connection));
    }

    @ParameterizedTest
    @EnumSource
    void doesNotWaitForAGatewayThatDoesNotAnswer(TunnelKind tunnel) {
        FaultyLink silent = star.link(star.gateway());
        silent.blackHole();
        Shop shop = shop(tunnel);
        assertThat(sell(shop)).isEqualTo("shanghai:tea");
        String addresses = FaultyStar.address(silent.port()) + "," + star.star.gatewayAddress();

        long begin = System.nanoTime();
        swap(Star.gateways(tunnel, addresses));

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
        assertThat(shanghai().endpoints().stream()
                        .filter(endpoint -> endpoint.address().kind() == tunnel))
                .hasSize(2);
    }

    /** Each attempt to connect to an address whose packets are dropped takes a second here. */
    @ParameterizedTest
    @EnumSource
    void usesARestartedGatewayInTime_whileManyNewOnesDropPackets(TunnelKind tunnel) throws IOException {
        Shop shop = shop(tunnel);
        assertThat(sell(shop)).isEqualTo("shanghai:tea");
        try (Dropping dropping = new Dropping(40)) {
            String[] keys = new String[4 * dropping.ports().size()];
            for (int i = 0; i < dropping.ports().size(); i++) {
                keys[4 * i] = "highway.islands.island-" + i + ".gateways." + tunnel.word();
                keys[4 * i + 1] = FaultyStar.address(dropping.ports().get(i));
                keys[4 * i + 2] = "highway.islands.island-" + i + ".gateways.connect-timeout";
                keys[4 * i + 3] = "1s";
            }
            swap(keys);
            await().until(() -> log.lines("is down (").size() >= 40);
            int port = star.star.stopGateway();
            await().until(() -> failure(shop) != null);

            star.star.restartGateway(port);

            await().atMost(Duration.ofSeconds(4)).until(() -> failure(shop) == null);
        }
    }

    /** Ports to which no connection can be made, without an answer: their queues of accepted connections are full. */
    private static final class Dropping implements AutoCloseable {

        private static final int MORE_THAN_THE_QUEUE = 4;

        private final List<Integer> ports = new ArrayList<>();
        private final List<Closeable> opened = new ArrayList<>();

        Dropping(int count) throws IOException {
            for (int i = 0; i < count; i++) {
                ServerSocket full = new ServerSocket(FreePorts.next(), 1, InetAddress.getByName("127.0.0.1"));
                opened.add(full);
                ports.add(full.getLocalPort());
                for (int j = 0; j < MORE_THAN_THE_QUEUE; j++) {
                    SocketChannel client = SocketChannel.open();
                    opened.add(client);
                    client.configureBlocking(false);
                    boolean unused = client.connect(full.getLocalSocketAddress());
                }
            }
        }

        List<Integer> ports() {
            return ports;
        }

        @Override
        public void close() throws IOException {
            for (Closeable one : opened) {
                one.close();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesCalls_whoseIslandBecomesUnknown_andServesThem_onceItIsKnownAgain(TunnelKind tunnel) {
        Shop bound = shop(
                keys(tunnel, star.star.gateway()),
                config -> config.setParameters(new HashMap<>(Map.of(HighwayAttachments.ISLAND, "shanghai"))));
        assertThat(bound.sell("tea")).isEqualTo("shanghai:tea");
        assertThat(outcome().policyVersion()).isEqualTo("static");

        String without = swap("highway.islands.shanghai.keys", "");

        assertThatThrownBy(() -> bound.sell("tea"))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNKNOWN_ISLAND))
                .hasMessageContaining("decided: refused (policy " + without + "); unknown-island: no configuration for")
                .hasMessageContaining("known islands: beijing");
        assertThat(outcome().policyVersion()).isEqualTo(without);
        assertThatThrownBy(() -> bound.sellLater("tea").get(10, TimeUnit.SECONDS))
                .hasMessageContaining("unknown-island");

        String with = swap();

        assertThat(bound.sell("tea")).isEqualTo("shanghai:tea");
        assertThat(outcome().policyVersion()).isEqualTo(with);
    }

    private static CallOutcome outcome() {
        return HighwayOutcome.last().orElseThrow();
    }

    @Test
    void warnsOfAPattern_thatMatchesNoMethodOfALivingReference() {
        Shop shop = shop(TunnelKind.DUBBO);
        assertThat(sell(shop)).isEqualTo("shanghai:tea");

        swap("highway.islands.shanghai.deny", SHOP + "#sel");
        swap("highway.islands.shanghai.deny", SHOP + "#sel", "highway.defaults.timeout", "4s");

        assertThat(log.lines("matches no method of " + SHOP)).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void endsACall_byThePolicyThatItBeganWith(TunnelKind tunnel) throws Exception {
        Shop shop = shop(tunnel, "highway.defaults.timeout", "30s");
        CompletableFuture<String> began = RpcContext.getServiceContext()
                .asyncCall(() -> Highway.to("shanghai").call(() -> shop.slow(15_000)));
        awaitReceived("slow");

        swap("highway.islands.shanghai.deny", "*", "highway.defaults.timeout", "1ms");

        assertThat(failure(shop)).hasMessageContaining("denied");
        star.hurry();
        assertThat(began.get(10, TimeUnit.SECONDS)).isEqualTo("shanghai:15000");
        await().untilAsserted(() -> assertThat(events.outcomes)
                .anySatisfy(end -> {
                    assertThat(end.methodName()).isEqualTo("slow");
                    assertThat(end.outcome()).isEqualTo(Outcome.DELIVERED);
                    assertThat(end.policyVersion()).isEqualTo("static");
                })
                .anySatisfy(end -> {
                    assertThat(end.reason()).isEqualTo(Reason.DENIED);
                    assertThat(end.policyVersion()).isEqualTo("v1");
                }));
    }

    @ParameterizedTest
    @EnumSource
    void appliesDefaults_ofTimeoutSizeAndConcurrency(TunnelKind tunnel) throws Exception {
        Shop shop = shop(tunnel, "highway.defaults.breaker.failure-rate", "none");
        assertThat(Highway.to("shanghai").call(() -> shop.slow(400))).isEqualTo("shanghai:400");

        swap("highway.defaults.timeout", "100ms");
        assertThat(catchThrowable(() -> Highway.to("shanghai").call(() -> shop.slow(400))))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TIMEOUT))
                .hasMessageContaining("(policy v1); timeout");

        swap("highway.defaults.max-request-size", "1KB");
        assertThat(catchThrowable(() -> Highway.to("shanghai").call(() -> shop.pack(new byte[5000]))))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TOO_LARGE));

        swap("highway.defaults.max-concurrent", "1", "highway.defaults.timeout", "30s");
        star.shanghai().received.clear();
        CompletableFuture<String> only = RpcContext.getServiceContext()
                .asyncCall(() -> Highway.to("shanghai").call(() -> shop.slow(15_000)));
        awaitReceived("slow");
        assertThat(failure(shop)).isInstanceOfSatisfying(HighwayException.class, e -> assertThat(e.reason())
                .isEqualTo(Reason.BUSY));
        swap();
        assertThat(sell(shop)).isEqualTo("shanghai:tea");
        star.hurry();
        assertThat(only.get(10, TimeUnit.SECONDS)).isEqualTo("shanghai:15000");
        assertThat(Highway.to("shanghai").call(() -> shop.pack(new byte[5000]))).hasSize(5000);
    }

    @ParameterizedTest
    @EnumSource
    void opensTheBreaker_byTheSettingsOfTheNewPolicy(TunnelKind tunnel) {
        Shop shop = shop(
                tunnel,
                "highway.defaults.timeout",
                "50ms",
                "highway.defaults.breaker.failure-rate",
                "none",
                "highway.heartbeat.interval",
                "none");
        for (int i = 0; i < 25; i++) {
            assertThat(catchThrowable(() -> Highway.to("shanghai").call(() -> shop.slow(300))))
                    .isNotNull();
        }
        assertThat(shanghai().endpoints())
                .noneMatch(endpoint -> endpoint.status() == HighwayReport.Endpoint.State.OPEN);

        swap("highway.defaults.breaker.failure-rate", "50");

        await().untilAsserted(() -> assertThat(
                        catchThrowable(() -> Highway.to("shanghai").call(() -> shop.slow(300))))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.BREAKER_OPEN)));
        swap();
        assertThat(catchThrowable(() -> Highway.to("shanghai").call(() -> shop.slow(300))))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TIMEOUT));
    }

    @ParameterizedTest
    @EnumSource
    void changesTheTunnel_ofLivingReferences(TunnelKind tunnel) {
        TunnelKind other = tunnel == TunnelKind.DUBBO ? TunnelKind.TRIPLE : TunnelKind.DUBBO;
        Shop shop = shop(tunnel);
        assertThat(sell(shop)).isEqualTo("shanghai:tea");
        assertThat(outcome().tunnel()).isEqualTo(tunnel);

        swap("highway.defaults.tunnel", other.word());
        assertThat(sell(shop)).isEqualTo("shanghai:tea");
        assertThat(outcome().tunnel()).isEqualTo(other);

        swap("highway.defaults.tunnel", "auto");
        assertThat(sell(shop)).isEqualTo("shanghai:tea");
        assertThat(outcome().tunnel()).isEqualTo(TunnelKind.TRIPLE);

        swap("highway.defaults.tunnel", "dubbo,triple");
        assertThat(sell(shop)).isEqualTo("shanghai:tea");
        assertThat(outcome().tunnel()).isEqualTo(TunnelKind.DUBBO);
    }

    @ParameterizedTest
    @EnumSource
    void changesTheIslandsOfServicesAndKeys_ofLivingReferences(TunnelKind tunnel) {
        Shop shop = shop(tunnel);
        assertThat(shop.sell("tea")).isEqualTo("zhejiang:tea");
        assertThat(shop.sellIn("310000", "tea")).isEqualTo("shanghai:tea");

        swap("highway.services." + SHOP + ".island", "beijing");
        assertThat(shop.sell("tea")).isEqualTo("beijing:tea");
        swap("highway.services." + SHOP + ".require-island", "true");
        assertThat(catchThrowable(() -> shop.sell("tea"))).hasMessageContaining("island-required");
        swap("highway.islands.shanghai.keys", "110000", "highway.islands.beijing.keys", "310000");
        assertThat(shop.sell("tea")).isEqualTo("zhejiang:tea");
        assertThat(shop.sellIn("310000", "tea")).isEqualTo("beijing:tea");
    }

    @ParameterizedTest
    @EnumSource
    void startsAndStopsHealthChecks_ofLivingEndpoints(TunnelKind tunnel) {
        Shop shop = shop(tunnel, "highway.heartbeat.interval", "none");
        assertThat(sell(shop)).isEqualTo("shanghai:tea");
        assertThat(events.beats).isEmpty();

        swap("highway.heartbeat.interval", "200ms");
        await().until(() -> events.roundTrips().size() >= 3);
        swap("highway.heartbeat.interval", "none");

        await().until(() -> shanghai().endpoints().get(0).roundTrip() == null);
        events.beats.clear();
        await().during(Duration.ofMillis(800)).until(events.beats::isEmpty);
    }

    @ParameterizedTest
    @EnumSource
    void acceptsCallsAgain_ifHealthChecksStop_whileAnEndpointDoesNotAnswer(TunnelKind tunnel) {
        FaultyLink link = star.link(star.gateway());
        String address = FaultyStar.address(link.port());
        Shop shop = shop(
                tunnel,
                "highway.gateways." + tunnel,
                address,
                "highway.heartbeat.interval",
                "200ms",
                "highway.heartbeat.slow",
                "100ms",
                "highway.defaults.timeout",
                "300ms");
        await().ignoreExceptions().untilAsserted(() -> assertThat(sell(shop)).isEqualTo("shanghai:tea"));
        link.blackHole();
        await().untilAsserted(() -> assertThat(failure(shop))
                .isInstanceOfSatisfying(
                        HighwayException.class, e -> assertThat(e.reason()).isEqualTo(Reason.BREAKER_OPEN)));

        swap("highway.heartbeat.interval", "none", "highway.defaults.timeout", "5s");
        link.reset(); // otherwise late answers arrive
        link.heal();

        await().ignoreExceptions().untilAsserted(() -> assertThat(sell(shop)).isEqualTo("shanghai:tea"));
    }

    /** The answers of a stream. */
    private static final class Answers implements StreamObserver<String> {

        private final List<String> received = new CopyOnWriteArrayList<>();
        private volatile Throwable failure;

        @Override
        public void onNext(String answer) {
            received.add(answer);
        }

        @Override
        public void onError(Throwable thrown) {
            failure = thrown;
        }

        @Override
        public void onCompleted() {
            // nothing follows
        }
    }
}

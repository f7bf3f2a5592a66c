// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.CallOutcome;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.HighwayProbe;
import io.highway.sdk.dubbo.Outcome;
import io.highway.sdk.dubbo.Reason;
import io.highway.sdk.dubbo.TunnelKind;
import io.highway.sdk.dubbo.internal.operate.audit.AuditTrail;
import io.highway.tools.fixtures.faults.FaultyLink;
import io.highway.tools.fixtures.faults.FaultyLinks;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.dubbo.rpc.RpcContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls for beijing that shanghai answers: by {@code fallback}, and by {@code served-by}. */
@Tag("network")
class StandbyTest {

    private static AuditTrail trail;
    private static GuardedIsland shanghai;
    private static TestIsland beijing;
    private final RecordedEvents events = new RecordedEvents();
    private final FaultyLinks links = new FaultyLinks();
    private TestApplication caller;

    /** Dubbo closes the ports of Triple, which applications share, with the first of them. */
    private static final List<TestApplication> callers = new ArrayList<>();

    @BeforeAll
    static void start() {
        trail = new AuditTrail();
        shanghai = new GuardedIsland(
                "highway.guard.stands-in-for.beijing",
                "sell*,slow,refuse*",
                "highway.audit.enabled",
                "true",
                "highway.sign.accept.zj",
                "of zhejiang",
                "highway.sign.accept-from.zj",
                "zhejiang/*");
        beijing = TestIsland.start("beijing");
    }

    @AfterAll
    static void stop() {
        callers.forEach(TestApplication::close);
        shanghai.close();
        beijing.close();
        trail.close();
    }

    @AfterEach
    void forget() {
        links.close();
        shanghai.shop.received.clear();
        beijing.shop.received.clear();
        trail.forget();
    }

    /** Calls for beijing, whose gateways are at {@code address}; those for shanghai find its providers. */
    private Shop shop(TunnelKind tunnel, String address, String... more) {
        Map<String, String> keys = new HashMap<>(Map.of(
                "highway.island",
                "zhejiang",
                "highway.sign.key-id",
                "zj",
                "highway.sign.secret",
                "of zhejiang",
                "highway.gateways.dubbo",
                shanghai.dubboAddress,
                "highway.gateways.triple",
                shanghai.tripleAddress,
                "highway.gateways.http",
                shanghai.httpAddress,
                "highway.audit.enabled",
                "true",
                "highway.heartbeat.interval",
                "none"));
        keys.put("highway.defaults.tunnel", tunnel.word());
        keys.put("highway.islands.shanghai.timeout", "10s");
        if (!address.isEmpty()) {
            keys.put("highway.islands.beijing.gateways." + tunnel, address);
        }
        for (int i = 0; i < more.length; i += 2) {
            keys.put(more[i], more[i + 1]);
        }
        caller = new TestApplication("zhejiang", keys);
        callers.add(caller);
        caller.model().getBeanFactory().registerBean(events);
        Shop shop = ShopReferences.of(caller, shanghai.dubboAddress).typed();
        return Highway.to("beijing").bind(Shop.class, shop);
    }

    private Shop fallingBack(TunnelKind tunnel, String address, String methods, String... more) {
        List<String> keys = new ArrayList<>(List.of(more));
        keys.addAll(List.of(
                "highway.islands.beijing.fallback", "shanghai", "highway.islands.beijing.fallback-methods", methods));
        return shop(tunnel, address, keys.toArray(String[]::new));
    }

    private static String dead() throws IOException {
        try (ServerSocket gone = new ServerSocket(0)) {
            return "gateway.beijing.test:" + gone.getLocalPort();
        }
    }

    private static String alive(TunnelKind tunnel) {
        return switch (tunnel) {
            case DUBBO -> beijing.dubboAddress;
            case TRIPLE -> beijing.tripleAddress;
            case HTTP -> beijing.httpAddress;
        };
    }

    private FaultyLink link(TunnelKind tunnel) {
        String provider = alive(tunnel);
        return links.link(0, Integer.parseInt(provider.substring(provider.indexOf(':') + 1)));
    }

    private CallOutcome last() {
        await().until(() -> !events.outcomes.isEmpty());
        return List.copyOf(events.outcomes).get(events.outcomes.size() - 1);
    }

    private static HighwayException failure(Runnable call) {
        return catchThrowableOfType(HighwayException.class, call::run);
    }

    @ParameterizedTest
    @EnumSource
    void answersACallThatWasNotSent_andSaysSoEverywhere(TunnelKind tunnel) throws IOException {
        Shop shop = fallingBack(tunnel, dead(), "sell*");

        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");

        CallOutcome outcome = last();
        assertThat(events.outcomes).hasSize(1);
        assertThat(outcome.outcome()).isEqualTo(Outcome.DELIVERED);
        assertThat(outcome.island()).isEqualTo("shanghai");
        assertThat(outcome.askedIsland()).isEqualTo("beijing");
        assertThat(outcome.fallbackReason()).isEqualTo(Reason.GATEWAY_DOWN);
        assertThat(outcome.servedAtHome()).isFalse();
        assertThat(outcome.gateway()).isNotNull();
        assertThat(outcome.toString()).contains("to shanghai for beijing over");
        assertThat(shanghai.shop.received).hasSize(1);
        JsonNode out = trail.awaitEnds("out", 1).get(0);
        assertThat(out.get("to")).asString().startsWith("{\"island\":\"shanghai\",\"asked\":\"beijing\",");
        assertThat(out.get("fallback").asText()).isEqualTo("shanghai");
        assertThat(trail.awaitEnds("in", 1).get(0).get("to"))
                .asString()
                .startsWith("{\"island\":\"shanghai\",\"asked\":\"beijing\",");
    }

    @ParameterizedTest
    @EnumSource
    void answersAnAsynchronousCall_andBlocksNoThread(TunnelKind tunnel) throws IOException {
        Shop shop = fallingBack(tunnel, dead(), "sell*");

        assertThat(shop.sellLater("tea").join()).isEqualTo("shanghai:tea");
        CompletableFuture<String> other = RpcContext.getServiceContext().asyncCall(() -> shop.sell("tea"));
        assertThat(other.join()).isEqualTo("shanghai:tea");

        assertThat(shanghai.shop.received).hasSize(2);
        assertThat(events.outcomes)
                .hasSize(2)
                .allMatch(one -> one.outcome() == Outcome.DELIVERED && "shanghai".equals(one.island()));
    }

    /** The gateway dies between two calls: the next ones wait for no reconnect longer than its first attempt. */
    @ParameterizedTest
    @EnumSource
    void answersOnceTheGatewayHasDied(TunnelKind tunnel) {
        FaultyLink link = link(tunnel);
        Shop shop = fallingBack(tunnel, "gateway.beijing.test:" + link.port(), "sell*");
        assertThat(shop.sell("tea")).isEqualTo("beijing:tea");
        assertThat(last().fallbackReason()).isNull();

        link.refuse();
        link.reset();

        await().until(() -> {
            try {
                return shop.sell("tea").equals("shanghai:tea");
            } catch (HighwayException e) {
                assertThat(e.mayHaveRun()).isTrue(); // it was in flight
                return false;
            }
        });
        link.heal();
        await().until(() -> shop.sell("tea").equals("beijing:tea"));
    }

    /** It accepts connections, and nothing comes over them: half of the time is kept for the other island. */
    @Test
    void answersInTime_whileTheFirstConnectionHasNoEnd() {
        FaultyLink link = link(TunnelKind.TRIPLE);
        link.blackHole();
        Shop shop = fallingBack(
                TunnelKind.TRIPLE,
                "gateway.beijing.test:" + link.port(),
                "sell*",
                "highway.islands.beijing.timeout",
                "1500ms");

        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        assertThat(last().fallbackReason()).isEqualTo(Reason.GATEWAY_DOWN);
    }

    @ParameterizedTest
    @EnumSource
    void answersWhatTheGatewayDidNotForward(TunnelKind tunnel) {
        Shop shop = fallingBack(tunnel, shanghai.gatewayAddress(), "sell*"); // it has no route to beijing

        if (tunnel != TunnelKind.HTTP) { // nor a port for HTTP/1.1
            assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
            assertThat(last().fallbackReason()).isEqualTo(Reason.NOT_FORWARDED);
        }
    }

    @ParameterizedTest
    @EnumSource
    void answersNoMethodThatIsNotNamed(TunnelKind tunnel) throws IOException {
        Shop shop = fallingBack(tunnel, dead(), "order");

        HighwayException failure = failure(() -> shop.sell("tea"));

        assertThat(failure.reason()).isEqualTo(Reason.GATEWAY_DOWN);
        assertThat(failure.getSuppressed()).isEmpty();
        assertThat(last().island()).isEqualTo("beijing");
        assertThat(last().fallbackReason()).isNull();
        assertThat(shanghai.shop.received).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void needsTheConsentOfTheOtherIsland(TunnelKind tunnel) throws IOException {
        Shop shop = fallingBack(tunnel, dead(), "*");

        HighwayException failure = failure(() -> shop.note("tea"));

        assertThat(failure).hasMessageContaining("not-standby");
        assertThat(failure.reason()).isEqualTo(Reason.REFUSED_THERE);
        assertThat(failure.mayHaveRun()).isFalse();
        assertThat(failure.getSuppressed()).singleElement().isInstanceOfSatisfying(HighwayException.class, first -> {
            assertThat(first.reason()).isEqualTo(Reason.GATEWAY_DOWN);
            assertThat(first).hasMessageContaining("beijing");
        });
        assertThat(shanghai.shop.received).isEmpty();
        assertThat(last().outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(last().askedIsland()).isEqualTo("beijing");
    }

    @ParameterizedTest
    @EnumSource
    void anAsynchronousFailure_hasTheFirstOneToo(TunnelKind tunnel) throws IOException {
        Shop shop = fallingBack(tunnel, dead(), "*");

        CompletableFuture<?> call = RpcContext.getServiceContext().asyncCall(() -> shop.order(new Shop.Order()));

        CompletionException failure = catchThrowableOfType(CompletionException.class, call::join);
        assertThat(failure.getCause()).isInstanceOf(HighwayException.class).hasMessageContaining("not-standby");
        assertThat(failure.getCause().getSuppressed()).hasSize(1);
    }

    /** Idempotent or not: what ran in beijing and again in shanghai changes the data of both. */
    @ParameterizedTest
    @EnumSource
    void neverAnswersACallThatMayHaveRun(TunnelKind tunnel) {
        FaultyLink link = link(tunnel);
        Shop shop = fallingBack(
                tunnel,
                "gateway.beijing.test:" + link.port(),
                "*",
                "highway.islands.beijing.idempotent",
                "*",
                "highway.islands.beijing.retries",
                "1");
        assertThat(shop.sell("tea")).isEqualTo("beijing:tea");

        CompletableFuture<String> call = RpcContext.getServiceContext().asyncCall(() -> shop.slow(3000));
        await().until(() ->
                beijing.shop.received.stream().anyMatch(one -> one.method().equals("slow")));
        link.refuse();
        link.reset();

        CompletionException failure = catchThrowableOfType(CompletionException.class, call::join);
        assertThat(failure.getCause()).isInstanceOfSatisfying(HighwayException.class, e -> assertThat(e.mayHaveRun())
                .isTrue());
        assertThat(shanghai.shop.received).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void answersNoCallThatALimitRefuses(TunnelKind tunnel) {
        Shop shop = fallingBack(tunnel, alive(tunnel), "*", "highway.islands.beijing.max-concurrent", "1");
        CompletableFuture<String> running = RpcContext.getServiceContext().asyncCall(() -> shop.slow(1000));

        HighwayException failure = failure(() -> shop.sell("tea"));

        assertThat(failure.reason()).isEqualTo(Reason.BUSY);
        assertThat(running.join()).contains("beijing");
        assertThat(shanghai.shop.received).isEmpty();
    }

    @Test
    void aDenialOfTheOtherIsland_isAddedToTheFailure() throws IOException {
        Shop shop = fallingBack(TunnelKind.DUBBO, dead(), "*", "highway.islands.shanghai.deny", "sell");

        HighwayException failure = failure(() -> shop.sell("tea"));

        assertThat(failure.reason()).isEqualTo(Reason.GATEWAY_DOWN);
        assertThat(failure.getSuppressed()).singleElement().isInstanceOfSatisfying(HighwayException.class, denied -> {
            assertThat(denied.reason()).isEqualTo(Reason.DENIED);
            assertThat(denied).hasMessageContaining("highway.islands.shanghai.deny contains \"sell\"");
        });
        assertThat(shanghai.shop.received).isEmpty();
    }

    @Test
    void answersNoStream() throws IOException {
        shop(
                TunnelKind.TRIPLE,
                dead(),
                "highway.islands.beijing.fallback",
                "shanghai",
                "highway.islands.beijing.fallback-methods",
                "*");
        Feed feed = caller.reference(Feed.class, config -> config.setUrl("tri://" + shanghai.tripleAddress))
                .get();
        Collected<String> answers = new Collected<>();

        assertThat(failure(() -> Highway.to("beijing").bind(Feed.class, feed).count(3, answers)))
                .hasMessageContaining("gateway-down");
        assertThat(shanghai.shop.received).isEmpty();
    }

    /** Another island's failure is the end: its own fallback does not count. */
    @Test
    void goesToOneOtherIslandOnly() throws IOException {
        Shop shop = fallingBack(
                TunnelKind.TRIPLE,
                dead(),
                "*",
                "highway.islands.shanghai.gateways.triple",
                dead(),
                "highway.islands.shanghai.fallback",
                "home");

        HighwayException failure = failure(() -> shop.sell("tea"));

        assertThat(failure).hasMessageContaining("shanghai");
        assertThat(failure.reason()).isEqualTo(Reason.GATEWAY_DOWN);
        assertThat(failure.getSuppressed()).hasSize(1);
        assertThat(last().island()).isEqualTo("shanghai");
    }

    @ParameterizedTest
    @EnumSource
    void servedBy_sendsAllCallsElsewhere_withoutAGatewayOfItsOwn(TunnelKind tunnel) {
        Shop shop = shop(tunnel, "", "highway.islands.beijing.served-by", "shanghai");

        assertThat(shop.sell("tea")).isEqualTo("shanghai:tea");
        HighwayException refused = failure(() -> shop.note("tea"));

        assertThat(refused).hasMessageContaining("not-standby");
        assertThat(shanghai.shop.received).hasSize(1);
        CallOutcome first = List.copyOf(events.outcomes).get(0);
        assertThat(first.island()).isEqualTo("shanghai");
        assertThat(first.askedIsland()).isEqualTo("beijing");
        assertThat(first.fallbackReason()).isNull();
        assertThat(HighwayProbe.run(caller.model())).isNotEmpty().noneMatch(probe -> probe.island()
                .equals("beijing"));
        assertThat(catchThrowableOfType(
                        IllegalArgumentException.class, () -> HighwayProbe.run(caller.model(), "beijing")))
                .hasMessageContaining("all calls of \"beijing\" go to shanghai");
    }

    /** A call of home has no headers, no guard and no outcome. */
    @Test
    void servedBy_homeToo() {
        Shop shop = shop(TunnelKind.DUBBO, "", "highway.islands.beijing.served-by", "home");

        shop.note("tea"); // to the provider of the reference, by Dubbo alone

        assertThat(shanghai.shop.received).singleElement().satisfies(one -> assertThat(one.attachments())
                .doesNotContainKeys("highway-island", "highway-from"));
        assertThat(events.outcomes).isEmpty();
    }

    @Test
    void servedBy_sharesTheCalls() {
        Shop shop = shop(
                TunnelKind.TRIPLE,
                alive(TunnelKind.TRIPLE),
                "highway.islands.beijing.served-by",
                "beijing:1, shanghai:1, home:0");

        for (int i = 0; i < 100; i++) {
            shop.sell("tea");
        }

        assertThat(beijing.shop.received.size() + shanghai.shop.received.size()).isEqualTo(100);
        assertThat(beijing.shop.received).hasSizeBetween(20, 80); // 6 standard deviations
        assertThat(events.outcomes).hasSize(100).allMatch(one -> "beijing".equals(one.askedIsland()));
    }
}

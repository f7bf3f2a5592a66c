// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.highway.sdk.Highway;
import io.highway.sdk.dubbo.HighwayException;
import io.highway.sdk.dubbo.Reason;
import io.highway.tools.gateway.Gateway;
import io.highway.tools.gateway.GatewayConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.RpcContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Attachments that HTTP/2 cannot carry, in requests and in answers, next to ten calls in flight on the same connections: to
 * the gateway, and from it to the provider.
 */
@Tag("network")
class CarriedAttachmentsTest {

    private static final int NEIGHBOURS = 10;
    private static final int RANDOM_CALLS = 400;

    private static final Answering keeper = new Answering();
    private static TestApplication provider;
    private static Gateway gateway;
    private static TestApplication caller;
    private static TestApplication dubboCaller;
    private static Shop triple;
    private static Shop dubbo;
    private static Feed feed;
    private static TestApplication home;
    private static Shop onward;
    private static TestApplication plain;
    private static Shop forwarding;

    private List<CompletableFuture<String>> neighbours;

    /** Answers with attachments. */
    private static final class Answering extends ShopKeeper {

        private volatile Map<String, String> attachments = Map.of();

        Answering() {
            super("shanghai");
        }

        @Override
        public String sell(String item) {
            String sold = super.sell(item);
            attachments.forEach(RpcContext.getServerContext()::setAttachment);
            return sold;
        }

        @Override
        public StreamObserver<String> join(StreamObserver<String> answers) {
            attachments.forEach(RpcContext.getServerContext()::setAttachment);
            return super.join(answers);
        }
    }

    /** A service at home that copies what it got. */
    private static final class PassingOn extends ForwardingShop {

        @Override
        public String sell(String item) {
            RpcContext.getServerAttachment()
                    .getObjectAttachments()
                    .forEach(RpcContext.getClientAttachment()::setObjectAttachment);
            return onward.sell(item);
        }
    }

    @BeforeAll
    static void start() {
        provider = new TestApplication("shanghai", Map.of("highway.island", "shanghai"));
        String dubboAddress = provider.listen("dubbo");
        String tripleAddress = provider.listen("tri");
        provider.export(Shop.class, keeper, service -> {})
                .export(Feed.class, keeper, service -> service.setProtocolIds("tri"))
                .start();
        gateway = Gateway.start(GatewayConfig.builder()
                .island("shanghai")
                .listen("gateway.shanghai.test", 0)
                .providers("shanghai", "*", List.of(dubboAddress), List.of(tripleAddress))
                .build());
        caller = application();
        triple = shop(caller, Tunnel.TRIPLE);
        dubboCaller = application(Tunnel.DUBBO);
        dubbo = shop(dubboCaller, Tunnel.DUBBO);
        feed = Highway.to("shanghai").bind(Feed.class, reference(caller, Feed.class));
        home = application();
        String homeAddress = home.listen("dubbo");
        home.export(Shop.class, new PassingOn(), service -> {}).start();
        onward = shop(home, Tunnel.TRIPLE);
        plain = new TestApplication("zhejiang", Map.of("highway.enabled", "false"));
        forwarding = plain.reference(Shop.class, config -> config.setUrl("dubbo://" + homeAddress + "?timeout=10000"))
                .get();
    }

    private static TestApplication application() {
        return application(Tunnel.TRIPLE);
    }

    private static TestApplication application(Tunnel tunnel) {
        String address = "gateway.shanghai.test:" + gateway.port();
        return new TestApplication(
                "zhejiang",
                Map.of(
                        "highway.island",
                        "zhejiang",
                        "highway.gateways." + tunnel.key(),
                        address,
                        "highway.islands.shanghai.tunnel",
                        tunnel.key(),
                        "highway.islands.shanghai.timeout",
                        "20s",
                        "highway.islands.beijing.tunnel",
                        tunnel.key()));
    }

    private static <S> S reference(TestApplication application, Class<S> type) {
        return application
                .reference(type, config -> {
                    config.setUrl("dubbo://zhejiang.test:1");
                    config.setCheck(false);
                })
                .get();
    }

    private static Shop shop(TestApplication application, Tunnel tunnel) {
        Shop shop = Highway.to("shanghai").bind(Shop.class, reference(application, Shop.class));
        await().atMost(20, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(shop.sell(tunnel.key())).isEqualTo("shanghai:" + tunnel.key()));
        return shop;
    }

    @AfterAll
    static void stop() {
        plain.close();
        home.close();
        dubboCaller.close();
        caller.close();
        gateway.closeNow();
        provider.close();
    }

    @BeforeEach
    void startNeighbours() {
        keeper.attachments = Map.of();
        keeper.received.clear();
        neighbours = new ArrayList<>();
        for (int i = 0; i < NEIGHBOURS; i++) {
            neighbours.add(CompletableFuture.supplyAsync(
                    () -> triple.keep(new Shop.Order()), task -> new Thread(task).start()));
        }
        await().until(() -> keeper.received.size() == NEIGHBOURS);
    }

    @AfterEach
    void neighboursAreAnswered() throws Exception {
        RpcContext.removeContext();
        keeper.hurry();
        for (CompletableFuture<String> neighbour : neighbours) {
            assertThat(neighbour.get(20, TimeUnit.SECONDS)).isEqualTo("shanghai:kept");
        }
    }

    private static String sellWith(Shop shop, String name, String value) {
        RpcContext.getClientAttachment().setAttachment(name, value);
        try {
            return shop.sell("tea");
        } finally {
            RpcContext.removeClientAttachment();
        }
    }

    /** What the service saw last. */
    private static Map<String, Object> seen() {
        return keeper.received.stream()
                .filter(call -> call.method().equals("sell"))
                .reduce((first, last) -> last)
                .orElseThrow()
                .attachments();
    }

    static List<String> namesOfConnections() {
        return List.of(
                "connection",
                "Connection",
                "te",
                "transfer-encoding",
                "upgrade",
                "keep-alive",
                "proxy-connection",
                "http2-settings",
                "host",
                "expect",
                "content-length",
                "content-type");
    }

    @ParameterizedTest
    @MethodSource("namesOfConnections")
    void leavesOutWhatIsAboutAConnection(String name) {
        assertThat(sellWith(triple, name, "close")).isEqualTo("shanghai:tea");

        assertThat(seen()).doesNotContainValue("close");
    }

    static Stream<String> controls() {
        return IntStream.of(0, 1, 7, '\n', '\r', 0x1f, 0x7f).mapToObj(Character::toString);
    }

    @ParameterizedTest
    @MethodSource("controls")
    void refusesAValueWithAControl_andSendsNothing(String control) {
        assertThatThrownBy(() -> sellWith(triple, "note", "a" + control + "b"))
                .isInstanceOfSatisfying(HighwayException.class, CarriedAttachmentsTest::assertRefused)
                .hasMessageContaining("\"note\"")
                .hasMessageContaining("encode");

        assertThat(keeper.received).hasSize(NEIGHBOURS);
    }

    private static void assertRefused(HighwayException refused) {
        assertThat(refused.reason()).isEqualTo(Reason.NOT_TUNNELLABLE);
        assertThat(refused.mayHaveRun()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "a b", "a:b", ":a", "a/b", "a@b", "a[b]", "\u7701", "caf\u00e9", "a\nb", "a\u0000"})
    void refusesAnOddName_andSendsNothing(String name) {
        assertThatThrownBy(() -> sellWith(triple, name, "x"))
                .isInstanceOfSatisfying(HighwayException.class, CarriedAttachmentsTest::assertRefused)
                .hasMessageContaining("rename it");

        assertThat(keeper.received).hasSize(NEIGHBOURS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a", "a b", "a\tb", "caf\u00e9", "a, b;c=\"d\"", "00-4bf92f-01"})
    void carriesOtherValues(String value) {
        assertThat(sellWith(triple, "camelCase", value)).isEqualTo("shanghai:tea");

        assertThat(seen()).extractingByKey("camelCase").asString().isEqualToIgnoringWhitespace(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"keep-alive", "", "a b", ":a", "note"})
    void carriesAllOfThemOverTheDubboProtocol(String name) {
        assertThat(sellWith(dubbo, name, "a\nb")).isEqualTo("shanghai:tea");

        assertThat(seen()).containsEntry(name, "a\nb");
    }

    /** Dubbo 3.3 hides these from the service. */
    @ParameterizedTest
    @MethodSource("namesOfConnections")
    void servesThemOverTheDubboProtocol(String name) {
        assertThat(sellWith(dubbo, name, "close")).isEqualTo("shanghai:tea");
    }

    @ParameterizedTest
    @ValueSource(strings = {"connection", "te", "upgrade", "content-type"})
    void leavesOutWhatAServiceAtHomePassesOn(String name) {
        assertThat(sellWith(forwarding, name, "close")).isEqualTo("shanghai:tea");

        assertThat(seen()).doesNotContainValue("close");
    }

    @Test
    void refusesWhatAServiceAtHomePassesOn() {
        assertThat(catchThrowable(() -> sellWith(forwarding, "note", "a\r\nb")))
                .hasMessageContaining(Reason.NOT_TUNNELLABLE.word());
        assertThat(keeper.received).hasSize(NEIGHBOURS);
    }

    /** Of names and values that may be anything, each call is served or refused as not sent. */
    @Test
    void servesOrRefusesWhateverTheAttachmentsAre() {
        Random random = new Random(53);
        int served = 0;
        for (int call = 0; call < RANDOM_CALLS; call++) {
            String name = text(random, 6);
            String value = text(random, 12);
            Throwable thrown = catchThrowable(() -> sellWith(triple, name, value));
            if (thrown == null) {
                served++;
            } else {
                assertThat(thrown)
                        .as("%s=%s", name, value)
                        .isInstanceOfSatisfying(HighwayException.class, CarriedAttachmentsTest::assertRefused);
            }
        }
        assertThat(keeper.received).hasSize(NEIGHBOURS + served);
        assertThat(served).isBetween(RANDOM_CALLS / 10, RANDOM_CALLS - RANDOM_CALLS / 10);
    }

    /** Most characters are ordinary ones. */
    private static String text(Random random, int most) {
        List<String> names = namesOfConnections();
        if (random.nextInt(10) == 0) {
            return names.get(random.nextInt(names.size()));
        }
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(most); i >= 0; i--) {
            int kind = random.nextInt(20);
            text.append((char) (kind == 0 ? random.nextInt(0x10000) : kind == 1 ? random.nextInt(0x80) : 'a' + kind));
        }
        return text.toString();
    }

    static Stream<Map.Entry<String, String>> answers() {
        return Stream.of(
                        namesOfConnections().stream().map(name -> Map.entry(name, "close")),
                        controls().map(control -> Map.entry("note", "a" + control + "b")),
                        Stream.of("a b", "a:b", ":a", "a/b", "a[b]", "\u7701", "a\nb")
                                .map(name -> Map.entry(name, "x")))
                .flatMap(all -> all);
    }

    @ParameterizedTest
    @MethodSource("answers")
    void leavesThemOutOfAnswersToOtherIslands(Map.Entry<String, String> attachment) {
        keeper.attachments = Map.of(attachment.getKey(), attachment.getValue(), "kept", "yes");

        assertThat(triple.sell("tea")).isEqualTo("shanghai:tea");

        assertThat(RpcContext.getClientResponseContext().getObjectAttachments())
                .containsEntry("kept", "yes")
                .doesNotContainValue(attachment.getValue());
    }

    @ParameterizedTest
    @MethodSource("answers")
    void leavesThemOutOfTheTrailersOfStreams(Map.Entry<String, String> attachment) throws Exception {
        keeper.attachments = Map.of(attachment.getKey(), attachment.getValue());
        Collected<String> answers = new Collected<>();

        StreamObserver<String> requests = feed.join(answers);
        requests.onNext("tea");
        requests.onCompleted();

        assertThat(answers.all()).containsExactly("shanghai:tea");
    }

    @Test
    void tellsTheObserverOfAStream_thatNothingWasSent() {
        RpcContext.getClientAttachment().setAttachment("note", "a\nb");
        Collected<String> answers = new Collected<>();

        Throwable thrown = catchThrowable(() -> {
            feed.count(3, answers);
            answers.all();
        });

        assertThat(thrown)
                .hasMessageContaining("\"note\"")
                .cause()
                .isInstanceOfSatisfying(HighwayException.class, CarriedAttachmentsTest::assertRefused);
    }
}

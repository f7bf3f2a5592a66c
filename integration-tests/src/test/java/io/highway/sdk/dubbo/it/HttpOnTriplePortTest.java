// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.dubbo.common.Version;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP/1.1 on the Triple port of Dubbo 3.3, and what closes it: the guard, and the setting of docs/operate/security.md. */
@Tag("network")
class HttpOnTriplePortTest {

    private static final String SETTING = "dubbo.protocol.triple.max-initial-line-length";
    private static final int QUIET_MILLIS = 1500;

    private final ShopKeeper keeper = new ShopKeeper("shanghai");
    private final Map<String, String> properties = new HashMap<>(Map.of("highway.enabled", "false"));
    private TestApplication provider;
    private String address;

    @AfterEach
    void stop() {
        if (provider != null) {
            provider.close();
        }
    }

    private void start() {
        provider = new TestApplication("shanghai", properties);
        address = provider.listen("tri");
        provider.export(Shop.class, keeper, service -> {}).start();
    }

    /** With this key and value alone. */
    private void startWith(String setting) {
        assumeDubbo33();
        properties.clear();
        properties.put("highway.island", "shanghai");
        properties.put(setting.split("=")[0], setting.split("=")[1]);
        start();
    }

    private static String post(String method, String argument, String lengths, String body) {
        return "POST /" + Shop.class.getName() + "/" + method + " HTTP/1.1\r\nhost: shanghai.test\r\n"
                + "content-type: application/json\r\n" + lengths + "\r\n" + body + argument;
    }

    private static String post(String method, String argument) {
        return post(method, argument, "content-length: " + argument.length() + "\r\n", "");
    }

    /** With both lengths: by the first one, what is in the body is no request. */
    private static String hidden() {
        String inside = post("sell", "[\"hidden\"]");
        String body = "8\r\n[\"seen\"]\r\n0\r\n\r\n" + inside;
        return post("sell", "", "content-length: " + body.length() + "\r\ntransfer-encoding: chunked\r\n", body);
    }

    /** Writes all at once, and returns what comes until it is quiet or the connection is closed. */
    private String exchange(String requests) throws IOException {
        int colon = address.lastIndexOf(':');
        StringBuilder answers = new StringBuilder();
        try (Socket socket = new Socket(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)))) {
            socket.setSoTimeout(QUIET_MILLIS);
            socket.getOutputStream().write(requests.getBytes(StandardCharsets.US_ASCII));
            byte[] buffer = new byte[8192];
            for (int read = 0; read >= 0; read = socket.getInputStream().read(buffer)) {
                answers.append(new String(buffer, 0, read, StandardCharsets.US_ASCII));
            }
        } catch (SocketTimeoutException e) {
            // quiet
        }
        return answers.toString();
    }

    /** Each over a connection of its own, all at once. */
    private List<String> exchangeEach(String... requests) {
        return Stream.of(requests)
                .map(one -> CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return exchange(one);
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        },
                        task -> new Thread(task, "peer").start()))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();
    }

    private List<String> ran() {
        return keeper.received.stream().map(ShopKeeper.Received::method).toList();
    }

    private static void assumeDubbo33() {
        assumeTrue(Version.getVersion().startsWith("3.3"), "the Triple port of Dubbo 3.2 has no HTTP/1.1");
    }

    @Test
    void plainDubbo_runsARequestHiddenInABody() throws Exception {
        start();
        assumeDubbo33();

        exchange(hidden());

        assertThat(ran()).containsExactly("sell", "sell"); // of two answers it may write one
    }

    @Test
    void plainDubbo_answersPipelinedRequests_inOrderOfCompletion() throws Exception {
        start();
        assumeDubbo33();

        String answers = exchange(post("slow", "[500]") + post("sell", "[\"tea\"]"));

        assertThat(answers.indexOf("shanghai:tea")).isPositive().isLessThan(answers.indexOf("shanghai:500"));
    }

    /** With the SDK and without it: nothing of HTTP/1.1 runs, and Triple is as before. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theSettingClosesIt(boolean sdk) throws Exception {
        if (sdk) {
            properties.clear();
            properties.put("highway.island", "shanghai");
        }
        properties.put(SETTING, "1");
        start();

        assertThat(exchangeEach(
                        hidden(),
                        post("slow", "[500]") + post("sell", "[\"tea\"]"),
                        post("sell", "[\"tea\"]"),
                        upgrade()))
                .hasSize(4)
                .allSatisfy(answers -> assertThat(answers).doesNotContain("shanghai:", " 200 ", " 101 "));

        assertThat(ran()).isEmpty();
        try (RawCaller caller = new RawCaller(address)) {
            assertThat(caller.sell(Tunnel.TRIPLE, "orders", List.of())).contains("shanghai:tea");
        }
    }

    /** Whose calls need route headers; before a body is read. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "highway.guard.gateways=127.0.0.1",
                "highway.guard.home=10.0.0.0/8",
                "highway.guard.require=headers"
            })
    void theGuardClosesItToPeersThatAreNotHome(String setting) throws Exception {
        startWith(setting);

        assertThat(exchangeEach(
                        hidden(),
                        post("slow", "[500]") + post("sell", "[\"tea\"]"),
                        post(
                                "sell",
                                "",
                                "highway-island: shanghai\r\nhighway-from: zhejiang/shop/1\r\ncontent-length: 7\r\n",
                                ""),
                        post("sell", "", "content-length: 4000000\r\n", "x".repeat(100_000)),
                        webSocket(),
                        upgrade()))
                .hasSize(6)
                .allSatisfy(answers -> assertThat(answers)
                        .startsWith("HTTP/1.1 404 ")
                        .containsOnlyOnce("HTTP/1.1 404 ")
                        .doesNotContain(" 200 ", " 101 ")
                        .contains("not run: headers-missing"));

        assertThat(ran()).isEmpty();
        try (RawCaller caller = new RawCaller(address)) {
            List<RawCaller.Field> headers = List.of(
                    new RawCaller.Field("highway-island", "shanghai"),
                    new RawCaller.Field("highway-from", "zhejiang/shop/1"));
            assertThat(caller.sell(Tunnel.TRIPLE, "shop", headers)).contains("shanghai:tea");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "highway.guard.gateways=127.0.0.2",
                "highway.guard.home=127.0.0.1",
                "highway.sign.accept.zj=s3cr3t"
            })
    void isDubbosForHome_andWithoutAGuard(String setting) throws Exception {
        startWith(setting);

        assertThat(exchange(post("sell", "[\"tea\"]"))).contains(" 200 ", "shanghai:tea");
    }

    private static String webSocket() {
        return "GET /" + Shop.class.getName() + "/sell HTTP/1.1\r\nhost: shanghai.test\r\nconnection: Upgrade\r\n"
                + "upgrade: websocket\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                + "sec-websocket-version: 13\r\n\r\n";
    }

    /** From HTTP/1.1 to HTTP/2, with a request. */
    private static String upgrade() {
        return post(
                "sell",
                "[\"tea\"]",
                "connection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n"
                        + "content-length: 7\r\n",
                "");
    }
}
